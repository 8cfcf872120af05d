// Records golden vectors of the store: iavl trees, their proofs, and the SDK's multi-store.
// Run through record-store.sh; writes JSON into the folder given as the first argument.
package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"

	"cosmossdk.io/log"
	"cosmossdk.io/store/metrics"
	"cosmossdk.io/store/rootmulti"
	"cosmossdk.io/store/types"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/cosmos/iavl"
	iavldb "github.com/cosmos/iavl/db"
)

// An operation is [key] for a removal and [key, value] for a write, in hex.
type op []string

type proof struct {
	Version int64  `json:"version"`
	Key     string `json:"key"`
	// ics23.CommitmentProof, protobuf, base64.
	Proof string `json:"proof"`
}

type version struct {
	Ops  []op   `json:"ops"`
	Root string `json:"root"`
	Size int64  `json:"size"`
}

type scenario struct {
	Name     string    `json:"name"`
	Versions []version `json:"versions"`
	Proofs   []proof   `json:"proofs"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func write(folder, name string, value any) {
	text := must(json.Marshal(value))
	if err := os.WriteFile(filepath.Join(folder, name), append(text, '\n'), 0o644); err != nil {
		panic(err)
	}
	fmt.Println(name, len(text), "bytes")
}

// generator draws keys from a shape: few and short, so that updates and removals are frequent.
type generator func(r *rand.Rand) []byte

func randomBytes(r *rand.Rand, length int) []byte {
	out := make([]byte, length)
	r.Read(out)
	return out
}

func run(name string, seed int64, versions, opsPerVersion int, removeShare float64, key generator) scenario {
	r := rand.New(rand.NewSource(seed))
	tree := iavl.NewMutableTree(iavldb.NewMemDB(), 1000, true, iavl.NewNopLogger())
	out := scenario{Name: name}
	for v := 1; v <= versions; v++ {
		ops := []op{}
		count := r.Intn(opsPerVersion + 1)
		// Now and then everything goes, so that the tree is empty and grows again.
		if v%17 == 0 {
			keys := [][]byte{}
			_, err := tree.Iterate(func(k, _ []byte) bool { keys = append(keys, append([]byte{}, k...)); return false })
			if err != nil {
				panic(err)
			}
			for _, k := range keys {
				ops = append(ops, op{hex.EncodeToString(k)})
				_, removed, err := tree.Remove(k)
				if err != nil || !removed {
					panic("not removed")
				}
			}
			count = 0
		}
		for i := 0; i < count; i++ {
			k := key(r)
			if r.Float64() < removeShare {
				ops = append(ops, op{hex.EncodeToString(k)})
				_, _, err := tree.Remove(k)
				if err != nil {
					panic(err)
				}
				continue
			}
			value := randomBytes(r, r.Intn(12))
			ops = append(ops, op{hex.EncodeToString(k), hex.EncodeToString(value)})
			must(tree.Set(k, value))
		}
		root, saved, err := tree.SaveVersion()
		if err != nil || saved != int64(v) {
			panic(fmt.Sprint("version ", saved, err))
		}
		out.Versions = append(out.Versions, version{Ops: ops, Root: hex.EncodeToString(root), Size: tree.Size()})
		if tree.Size() > 0 && v%5 == 1 {
			for i := 0; i < 2; i++ {
				k := key(r)
				found := must(tree.GetVersionedProof(k, int64(v)))
				out.Proofs = append(out.Proofs, proof{int64(v), hex.EncodeToString(k), base64.StdEncoding.EncodeToString(must(found.Marshal()))})
			}
		}
	}
	return out
}

func recordTrees(folder string) {
	write(folder, "trees.json", []scenario{
		run("one byte keys", 1, 120, 10, 0.4, func(r *rand.Rand) []byte { return []byte{byte(r.Intn(24))} }),
		run("short keys with shared beginnings", 2, 70, 24, 0.35, func(r *rand.Rand) []byte {
			return append([]byte("bank/bal"), randomBytes(r, r.Intn(3))...)
		}),
		run("keys of all lengths", 3, 40, 12, 0.2, func(r *rand.Rand) []byte {
			k := make([]byte, 1+r.Intn(150))
			for i := range k {
				k[i] = 'a'
			}
			k[r.Intn(len(k))] = byte(r.Intn(256))
			return k
		}),
	})
}

// The tree of iavl's own TestTreeHash: the operations follow from the random stream, which any 607 outputs determine
// (x[n] = x[n-607] + x[n-273], modulo 2^64).
func recordTreeHash(folder string) {
	source := rand.NewSource(49872768940).(rand.Source64)
	stream := make([]byte, 0, 607*8)
	for i := 0; i < 607; i++ {
		x := source.Uint64()
		for b := 0; b < 8; b++ {
			stream = append(stream, byte(x>>(8*b)))
		}
	}
	write(folder, "tree-hash.json", map[string]any{
		"about":  "iavl TestTreeHash: first 607 outputs of Go's math/rand for its seed (8 bytes each, little-endian), and its roots",
		"stream": base64.StdEncoding.EncodeToString(stream),
		"roots": []string{
			"58ec30fa27f338057e5964ed9ec3367e59b2b54bec4c194f10fde7fed16c2a1c",
			"91ad3ace227372f0064b2d63e8493ce8f4bdcbd16c7a8e4f4d54029c9db9570c",
			"92c25dce822c5968c228cfe7e686129ea281f79273d4a8fcf6f9130a47aa5421",
			"e44d170925554f42e00263155c19574837a38e3efed8910daccc7fa12f560fa0",
		},
	})
}

type storeOp struct {
	Type string `json:"type"`
	Key  string `json:"key"`
	Data string `json:"data"`
}

type storeQuery struct {
	Store string    `json:"store"`
	Key   string    `json:"key"`
	Value *string   `json:"value"`
	Ops   []storeOp `json:"ops"`
}

type commit struct {
	Writes  map[string][]op `json:"writes"`
	AppHash string          `json:"app_hash"`
	Queries []storeQuery    `json:"queries"`
}

// A multi-store of the SDK with one store that never holds anything, one transient and one memory store.
func recordMultiStore(folder string) {
	names := []string{"bank", "acc", "wasm", "empty", "gov"}
	ms := rootmulti.NewStore(dbm.NewMemDB(), log.NewNopLogger(), metrics.NewNoOpMetrics())
	keys := map[string]types.StoreKey{}
	for _, name := range names {
		keys[name] = types.NewKVStoreKey(name)
		ms.MountStoreWithDB(keys[name], types.StoreTypeIAVL, nil)
	}
	ms.MountStoreWithDB(types.NewTransientStoreKey("transient"), types.StoreTypeTransient, nil)
	ms.MountStoreWithDB(types.NewMemoryStoreKey("mem"), types.StoreTypeMemory, nil)
	if err := ms.LoadLatestVersion(); err != nil {
		panic(err)
	}
	r := rand.New(rand.NewSource(7))
	commits := []commit{}
	for v := 1; v <= 6; v++ {
		entry := commit{Writes: map[string][]op{}, Queries: []storeQuery{}}
		cached := ms.CacheMultiStore()
		for _, name := range []string{"bank", "acc", "wasm", "gov"} {
			if r.Intn(3) == 0 || v == 4 {
				continue
			}
			for i := 0; i < 6; i++ {
				k := []byte(fmt.Sprintf("%s-%d", name, r.Intn(12)))
				if r.Intn(4) == 0 {
					cached.GetKVStore(keys[name]).Delete(k)
					entry.Writes[name] = append(entry.Writes[name], op{hex.EncodeToString(k)})
				} else {
					value := randomBytes(r, 1+r.Intn(8))
					cached.GetKVStore(keys[name]).Set(k, value)
					entry.Writes[name] = append(entry.Writes[name], op{hex.EncodeToString(k), hex.EncodeToString(value)})
				}
			}
		}
		cached.Write()
		id := ms.Commit()
		entry.AppHash = hex.EncodeToString(id.Hash)
		for _, name := range names {
			for i := 0; i < 2; i++ {
				k := []byte(fmt.Sprintf("%s-%d", name, r.Intn(12)))
				answer := must(ms.Query(&types.RequestQuery{Path: "/" + name + "/key", Data: k, Height: int64(v), Prove: true}))
				q := storeQuery{Store: name, Key: hex.EncodeToString(k)}
				if answer.Value != nil {
					text := hex.EncodeToString(answer.Value)
					q.Value = &text
				}
				for _, o := range answer.ProofOps.Ops {
					q.Ops = append(q.Ops, storeOp{o.Type, hex.EncodeToString(o.Key), base64.StdEncoding.EncodeToString(o.Data)})
				}
				entry.Queries = append(entry.Queries, q)
			}
		}
		commits = append(commits, entry)
	}
	write(folder, "multi-store.json", map[string]any{"stores": names, "commits": commits})
}

func main() {
	folder := os.Args[1]
	recordTreeHash(folder)
	recordTrees(folder)
	recordMultiStore(folder)
}
