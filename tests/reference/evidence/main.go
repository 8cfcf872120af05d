// Records golden vectors of evidence: amino JSON, bytes, hashes, what the verification says of each, and a block with all of it.
// Run through record-evidence.sh; writes JSON to the file given as the first argument.
package main

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"time"

	"github.com/cometbft/cometbft/crypto/ed25519"
	"github.com/cometbft/cometbft/crypto/tmhash"
	"github.com/cometbft/cometbft/evidence"
	cmtjson "github.com/cometbft/cometbft/libs/json"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	cmtversion "github.com/cometbft/cometbft/proto/tendermint/version"
	"github.com/cometbft/cometbft/types"
	"github.com/cometbft/cometbft/version"
)

const chainID = "evidence-1"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func sum(text string) []byte { return tmhash.Sum([]byte(text)) }

var start = time.Date(2026, 1, 2, 3, 4, 5, 678900000, time.UTC)

type chain struct {
	keys map[string]ed25519.PrivKey
	set  *types.ValidatorSet
}

func newChain(powers ...int64) chain {
	keys := map[string]ed25519.PrivKey{}
	validators := make([]*types.Validator, len(powers))
	for i, power := range powers {
		key := ed25519.GenPrivKeyFromSecret([]byte{byte(i)})
		validators[i] = types.NewValidator(key.PubKey(), power)
		keys[string(key.PubKey().Address())] = key
	}
	return chain{keys, types.NewValidatorSet(validators)}
}

func (c chain) header(height int64, data, app string) *types.Header {
	return &types.Header{
		Version:            cmtversion.Consensus{Block: version.BlockProtocol, App: 1},
		ChainID:            chainID,
		Height:             height,
		Time:               start.Add(time.Duration(height) * time.Second),
		LastBlockID:        blockID("last"),
		LastCommitHash:     sum("last commit"),
		DataHash:           sum(data),
		ValidatorsHash:     c.set.Hash(),
		NextValidatorsHash: c.set.Hash(),
		ConsensusHash:      sum("consensus"),
		AppHash:            sum(app),
		LastResultsHash:    sum("results"),
		EvidenceHash:       sum("evidence"),
		ProposerAddress:    c.set.GetProposer().Address,
	}
}

func blockID(name string) types.BlockID {
	return types.BlockID{Hash: sum(name), PartSetHeader: types.PartSetHeader{Total: 2, Hash: sum(name + " parts")}}
}

func (c chain) vote(index int32, kind cmtproto.SignedMsgType, height int64, round int32, id types.BlockID) *types.Vote {
	validator := c.set.Validators[index]
	vote := &types.Vote{
		Type: kind, Height: height, Round: round, BlockID: id,
		Timestamp:        start.Add(time.Duration(height)*time.Second + time.Duration(index)*time.Millisecond),
		ValidatorAddress: validator.Address, ValidatorIndex: index,
	}
	vote.Signature = must(c.keys[string(validator.Address)].Sign(types.VoteSignBytes(chainID, vote.ToProto())))
	return vote
}

// signed is a header that the given validators have committed; the others are absent.
func (c chain) signed(header *types.Header, round int32, signers ...int32) *types.SignedHeader {
	id := types.BlockID{Hash: header.Hash(), PartSetHeader: types.PartSetHeader{Total: 1, Hash: sum("parts")}}
	signatures := make([]types.CommitSig, c.set.Size())
	for i := range signatures {
		signatures[i] = types.NewCommitSigAbsent()
	}
	for _, index := range signers {
		signatures[index] = c.vote(index, cmtproto.PrecommitType, header.Height, round, id).CommitSig()
	}
	return &types.SignedHeader{Header: header, Commit: &types.Commit{Height: header.Height, Round: round, BlockID: id, Signatures: signatures}}
}

type testCase struct {
	Name     string          `json:"name"`
	Evidence json.RawMessage `json:"evidence"`
	Proto    string          `json:"proto"`
	Hash     string          `json:"hash"`
	// What types.Evidence.ValidateBasic and evidence.Verify... say; empty when they take it.
	Basic  string `json:"basic"`
	Verify string `json:"verify"`
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func record(name string, ev types.Evidence, verify func() error) testCase {
	pb := must(types.EvidenceToProto(ev))
	basic := ev.ValidateBasic()
	said := ""
	if basic == nil {
		said = text(verify())
	}
	return testCase{name, must(cmtjson.Marshal(ev)), hex.EncodeToString(must(pb.Marshal())), hex.EncodeToString(ev.Hash()), text(basic), said}
}

func main() {
	c := newChain(10, 20, 30, 40)
	common := c.signed(c.header(8, "data", "app"), 0, 0, 1, 2, 3)
	trusted := c.signed(c.header(10, "data", "app"), 1, 0, 1, 2, 3)
	last := c.signed(c.header(12, "data", "app"), 0, 0, 1, 2, 3)
	cases := []testCase{}
	good := types.EvidenceList{}

	duplicate := func(name string, change func(*types.DuplicateVoteEvidence)) {
		a := c.vote(2, cmtproto.PrecommitType, 10, 1, blockID("a"))
		b := c.vote(2, cmtproto.PrecommitType, 10, 1, blockID("b"))
		ev := must(types.NewDuplicateVoteEvidence(a, b, trusted.Time, c.set))
		change(ev)
		recorded := record(name, ev, func() error { return evidence.VerifyDuplicateVote(ev, chainID, c.set) })
		cases = append(cases, recorded)
		if recorded.Basic == "" && recorded.Verify == "" {
			good = append(good, ev)
		}
	}
	duplicate("two precommits", func(*types.DuplicateVoteEvidence) {})
	duplicate("two prevotes, one for no block", func(ev *types.DuplicateVoteEvidence) {
		ev.VoteA = c.vote(2, cmtproto.PrevoteType, 10, 0, types.BlockID{})
		ev.VoteB = c.vote(2, cmtproto.PrevoteType, 10, 0, blockID("b"))
	})
	duplicate("votes in the wrong order", func(ev *types.DuplicateVoteEvidence) { ev.VoteA, ev.VoteB = ev.VoteB, ev.VoteA })
	duplicate("the same vote twice", func(ev *types.DuplicateVoteEvidence) { ev.VoteB = ev.VoteA })
	duplicate("votes of two rounds", func(ev *types.DuplicateVoteEvidence) {
		b := c.vote(2, cmtproto.PrecommitType, 10, 0, ev.VoteB.BlockID)
		ev.VoteB = b
	})
	duplicate("votes of two validators", func(ev *types.DuplicateVoteEvidence) {
		ev.VoteB = c.vote(1, cmtproto.PrecommitType, 10, 1, ev.VoteB.BlockID)
	})
	duplicate("a wrong signature", func(ev *types.DuplicateVoteEvidence) { ev.VoteB.Signature = ev.VoteA.Signature })
	duplicate("no signature", func(ev *types.DuplicateVoteEvidence) { ev.VoteB.Signature = nil })
	duplicate("a wrong power", func(ev *types.DuplicateVoteEvidence) { ev.ValidatorPower++ })
	duplicate("a wrong total power", func(ev *types.DuplicateVoteEvidence) { ev.TotalVotingPower++ })
	duplicate("an incomplete block id", func(ev *types.DuplicateVoteEvidence) { ev.VoteA.BlockID.PartSetHeader.Total = 0 })
	duplicate("an unknown type of vote", func(ev *types.DuplicateVoteEvidence) { ev.VoteA.Type = 32 })

	attack := func(name string, conflicting *types.SignedHeader, common, trusted *types.SignedHeader, change func(*types.LightClientAttackEvidence)) {
		ev := &types.LightClientAttackEvidence{
			ConflictingBlock: &types.LightBlock{SignedHeader: conflicting, ValidatorSet: c.set},
			CommonHeight:     common.Height,
			TotalVotingPower: c.set.TotalVotingPower(),
			Timestamp:        common.Time,
		}
		ev.ByzantineValidators = ev.GetByzantineValidators(c.set, trusted)
		change(ev)
		recorded := record(name, ev, func() error {
			return evidence.VerifyLightClientAttack(ev, common, trusted, c.set, time.Time{}, 0)
		})
		cases = append(cases, recorded)
		if recorded.Basic == "" && recorded.Verify == "" {
			good = append(good, ev)
		}
	}
	same := func(*types.LightClientAttackEvidence) {}
	equivocation := func() *types.SignedHeader { return c.signed(c.header(10, "other data", "app"), 1, 0, 2, 3) }
	lunatic := func() *types.SignedHeader { return c.signed(c.header(10, "data", "other app"), 1, 0, 1, 3) }
	attack("equivocation", equivocation(), trusted, trusted, same)
	attack("lunatic", lunatic(), common, trusted, same)
	attack("amnesia", c.signed(c.header(10, "other data", "app"), 0, 0, 1, 3), trusted, trusted, same)
	future := c.header(20, "data", "other app")
	future.Time = last.Time.Add(-time.Second)
	attack("forward lunatic", c.signed(future, 0, 0, 1, 3), common, last, same)
	attack("lunatic in a future that may come", c.signed(c.header(20, "data", "other app"), 0, 0, 1, 3), common, last, same)
	attack("lunatic at the common height", lunatic(), trusted, trusted, same)
	attack("not enough signed", c.signed(c.header(10, "other data", "app"), 1, 2, 1), trusted, trusted, same)
	attack("nothing conflicts", trusted, trusted, trusted, same)
	attack("a byzantine validator is missing", equivocation(), trusted, trusted, func(ev *types.LightClientAttackEvidence) {
		ev.ByzantineValidators = ev.ByzantineValidators[1:]
	})
	attack("byzantine validators in another order", equivocation(), trusted, trusted, func(ev *types.LightClientAttackEvidence) {
		v := ev.ByzantineValidators
		v[0], v[1] = v[1], v[0]
	})
	attack("a wrong signature in the commit", equivocation(), trusted, trusted, func(ev *types.LightClientAttackEvidence) {
		s := ev.ConflictingBlock.Commit.Signatures
		s[2].Signature = s[3].Signature
	})
	attack("a total power that is not the chain's", lunatic(), common, trusted, func(ev *types.LightClientAttackEvidence) { ev.TotalVotingPower-- })
	attack("a commit of another block", equivocation(), trusted, trusted, func(ev *types.LightClientAttackEvidence) {
		ev.ConflictingBlock.Commit.BlockID.Hash = sum("another")
	})

	block := types.MakeBlock(12, []types.Tx{[]byte("tx")}, trusted.Commit, good)
	block.Header.Version.App = 1
	block.ChainID, block.Time = chainID, start
	block.ValidatorsHash, block.NextValidatorsHash, block.ConsensusHash = c.set.Hash(), c.set.Hash(), sum("consensus")
	block.AppHash, block.LastResultsHash, block.ProposerAddress = sum("app"), sum("results"), c.set.GetProposer().Address
	parts := must(block.MakePartSet(types.BlockPartSizeBytes))
	events := must(cmtjson.Marshal(types.EventDataNewEvidence{Height: 12, Evidence: good[0]}))
	misbehavior := must(json.Marshal(good.ToABCI()))
	size := int64(must((&types.EvidenceData{Evidence: good}).ToProto()).Size())
	out := must(json.MarshalIndent(map[string]any{
		"chain_id":   chainID,
		"validators": json.RawMessage(must(cmtjson.Marshal(c.set))),
		"common":     json.RawMessage(must(cmtjson.Marshal(common))),
		"trusted":    json.RawMessage(must(cmtjson.Marshal(trusted))),
		"last":       json.RawMessage(must(cmtjson.Marshal(last))),
		"cases":      cases,
		"block": map[string]any{
			"json":          json.RawMessage(must(cmtjson.Marshal(block))),
			"hash":          hex.EncodeToString(block.Hash()),
			"evidence_hash": hex.EncodeToString(good.Hash()),
			"size":          block.Size(),
			"parts":         json.RawMessage(must(cmtjson.Marshal(parts.Header()))),
			"misbehavior":   json.RawMessage(misbehavior),
			"event":         json.RawMessage(events),
			"max_data":      types.MaxDataBytes(1_000_000, size, 4),
		},
	}, "", " "))
	check(os.WriteFile(os.Args[1], append(out, '\n'), 0o644))
}
