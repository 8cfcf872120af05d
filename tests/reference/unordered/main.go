// Records what the reference's application answers to unordered transactions when they are switched on, which wasmd's own
// program leaves off. Keys are fixed, and blocks have given times, so that the output is the same at every run but for the
// validator's key, which nothing of it holds.
//
//	nice go run ./unordered > ../vectors/reference/unordered.json
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	cmttypes "github.com/cometbft/cometbft/types"
	dbm "github.com/cosmos/cosmos-db"

	"cosmossdk.io/log"

	"github.com/CosmWasm/wasmd/app"
	wasmtypes "github.com/CosmWasm/wasmd/x/wasm/types"

	"github.com/cosmos/cosmos-sdk/baseapp"
	"github.com/cosmos/cosmos-sdk/client/flags"
	"github.com/cosmos/cosmos-sdk/crypto/keys/secp256k1"
	"github.com/cosmos/cosmos-sdk/runtime"
	"github.com/cosmos/cosmos-sdk/testutil/mock"
	simtestutil "github.com/cosmos/cosmos-sdk/testutil/sims"
	sdk "github.com/cosmos/cosmos-sdk/types"
	"github.com/cosmos/cosmos-sdk/types/tx/signing"
	"github.com/cosmos/cosmos-sdk/x/auth"
	"github.com/cosmos/cosmos-sdk/x/auth/ante"
	authkeeper "github.com/cosmos/cosmos-sdk/x/auth/keeper"
	authsigning "github.com/cosmos/cosmos-sdk/x/auth/signing"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	banktypes "github.com/cosmos/cosmos-sdk/x/bank/types"
)

type outcome struct {
	Code      uint32     `json:"code"`
	Codespace string     `json:"codespace"`
	Log       string     `json:"log"`
	GasUsed   int64      `json:"gasUsed"`
	Events    [][]string `json:"events"`
}

type entry struct {
	Name   string  `json:"name"`
	Tx     string  `json:"tx"`
	Height int64   `json:"height"`
	Time   string  `json:"time"`
	Check  outcome `json:"check"`
	Block  outcome `json:"block"`
}

type step struct {
	name      string
	ordered   bool
	timeout   time.Duration
	none      bool
	at        *time.Time
	sequences []uint64
	signers   []int
	amount    int64
	memo      string
	mode      signing.SignMode
	gas       uint64
	forged    bool
}

const chainID = "testing"

var keys = []*secp256k1.PrivKey{
	secp256k1.GenPrivKeyFromSecret([]byte("unordered alice")),
	secp256k1.GenPrivKeyFromSecret([]byte("unordered bob")),
}

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

func addressOf(i int) sdk.AccAddress { return sdk.AccAddress(keys[i].PubKey().Address()) }

/* The program's application, with the switch turned on everywhere. */
func open(home string) *app.WasmApp {
	options := simtestutil.AppOptionsMap{flags.FlagHome: home}
	chain := app.NewWasmApp(log.NewNopLogger(), dbm.NewMemDB(), nil, false, options, nil,
		baseapp.SetChainID(chainID), baseapp.SetMinGasPrices("0.001ucosm"))
	authkeeper.WithUnorderedTransactions(true)(&chain.AccountKeeper)
	chain.ModuleManager.Modules[authtypes.ModuleName] = auth.NewAppModule(chain.AppCodec(), chain.AccountKeeper, nil, nil)
	chain.SetAnteHandler(must(app.NewAnteHandler(app.HandlerOptions{
		HandlerOptions: ante.HandlerOptions{
			AccountKeeper:   chain.AccountKeeper,
			BankKeeper:      chain.BankKeeper,
			SignModeHandler: chain.TxConfig().SignModeHandler(),
			FeegrantKeeper:  chain.FeeGrantKeeper,
			SigGasConsumer:  ante.DefaultSigVerificationGasConsumer,
		},
		IBCKeeper:             chain.IBCKeeper,
		NodeConfig:            &wasmtypes.NodeConfig{},
		WasmKeeper:            &chain.WasmKeeper,
		TXCounterStoreService: runtime.NewKVStoreService(chain.GetKey(wasmtypes.StoreKey)),
		CircuitKeeper:         &chain.CircuitKeeper,
	})))
	check(chain.LoadLatestVersion())
	return chain
}

func start(chain *app.WasmApp) map[string]json.RawMessage {
	accounts := []authtypes.GenesisAccount{}
	balances := []banktypes.Balance{}
	for i := range keys {
		accounts = append(accounts, authtypes.NewBaseAccount(addressOf(i), nil, uint64(i), 0))
		coins := sdk.NewCoins(sdk.NewInt64Coin("stake", 1_000_000), sdk.NewInt64Coin("ucosm", 1_000_000_000))
		balances = append(balances, banktypes.Balance{Address: addressOf(i).String(), Coins: coins})
	}
	validator := cmttypes.NewValidator(must(mock.NewPV().GetPubKey()), 1)
	state := must(app.GenesisStateWithValSet(chain.AppCodec(), chain.DefaultGenesis(),
		cmttypes.NewValidatorSet([]*cmttypes.Validator{validator}), accounts, balances...))
	own := map[string]json.RawMessage{"auth": state["auth"], "wasm": state["wasm"]}
	// Without what the validator has bonded.
	own["bank"] = chain.AppCodec().MustMarshalJSON(&banktypes.GenesisState{Params: banktypes.DefaultParams(), Balances: balances})
	must(chain.InitChain(&abci.RequestInitChain{
		ChainId: chainID, InitialHeight: 1, Time: timeOf(0), AppStateBytes: must(json.Marshal(state)),
		ConsensusParams: &cmtproto.ConsensusParams{
			Block:     &cmtproto.BlockParams{MaxBytes: 22020096, MaxGas: -1},
			Evidence:  &cmtproto.EvidenceParams{MaxAgeNumBlocks: 100000, MaxAgeDuration: 48 * time.Hour, MaxBytes: 1048576},
			Validator: &cmtproto.ValidatorParams{PubKeyTypes: []string{"ed25519"}},
		},
	}))
	return own
}

func timeOf(height int64) time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(height) * 10 * time.Second)
}

func sign(chain *app.WasmApp, s step, blockTime time.Time) []byte {
	if len(s.signers) == 0 {
		s.signers = []int{0}
	}
	if s.mode == 0 {
		s.mode = signing.SignMode_SIGN_MODE_DIRECT
	}
	if s.gas == 0 {
		s.gas = 300_000
	}
	builder := chain.TxConfig().NewTxBuilder()
	msgs := []sdk.Msg{}
	for _, i := range s.signers {
		coins := sdk.NewCoins(sdk.NewInt64Coin("ucosm", s.amount+1))
		msgs = append(msgs, banktypes.NewMsgSend(addressOf(i), addressOf(1-i), coins))
	}
	check(builder.SetMsgs(msgs...))
	builder.SetMemo(s.memo)
	builder.SetFeeAmount(sdk.NewCoins(sdk.NewInt64Coin("ucosm", 300)))
	builder.SetGasLimit(s.gas)
	builder.SetUnordered(!s.ordered)
	if s.at != nil {
		builder.SetTimeoutTimestamp(*s.at)
	} else if !s.ordered && !s.none {
		builder.SetTimeoutTimestamp(blockTime.Add(s.timeout))
	}
	signatures := make([]signing.SignatureV2, len(s.signers))
	for n, i := range s.signers {
		signatures[n] = signing.SignatureV2{PubKey: keys[i].PubKey(), Data: &signing.SingleSignatureData{SignMode: s.mode}}
		if n < len(s.sequences) {
			signatures[n].Sequence = s.sequences[n]
		}
	}
	check(builder.SetSignatures(signatures...))
	for n, i := range s.signers {
		data := authsigning.SignerData{
			Address: addressOf(i).String(), ChainID: chainID, AccountNumber: uint64(i),
			Sequence: signatures[n].Sequence, PubKey: keys[i].PubKey(),
		}
		bytes := must(authsigning.GetSignBytesAdapter(context.Background(), chain.TxConfig().SignModeHandler(), s.mode, data, builder.GetTx()))
		signature := must(keys[i].Sign(bytes))
		if s.forged {
			signature[5] ^= 1
		}
		signatures[n].Data = &signing.SingleSignatureData{SignMode: s.mode, Signature: signature}
	}
	check(builder.SetSignatures(signatures...))
	return must(chain.TxConfig().TxEncoder()(builder.GetTx()))
}

func eventsOf(list []abci.Event) [][]string {
	all := [][]string{}
	for _, event := range list {
		flat := []string{event.Type}
		for _, attribute := range event.Attributes {
			flat = append(flat, attribute.Key, attribute.Value)
		}
		all = append(all, flat)
	}
	return all
}

func main() {
	// The application prints while it makes a genesis.
	out := os.Stdout
	os.Stdout = os.Stderr
	config := sdk.GetConfig()
	config.SetBech32PrefixForAccount(app.Bech32PrefixAccAddr, app.Bech32PrefixAccPub)
	config.SetBech32PrefixForValidator(app.Bech32PrefixValAddr, app.Bech32PrefixValPub)
	config.SetBech32PrefixForConsensusNode(app.Bech32PrefixConsAddr, app.Bech32PrefixConsPub)
	home := must(os.MkdirTemp("", "unordered"))
	defer os.RemoveAll(home)
	chain := open(home)
	state := start(chain)
	minute := time.Minute
	fixed := timeOf(0).Add(9 * minute)
	epoch, zeroYear, second := time.Unix(0, 0), time.Time{}, time.Unix(0, 5)
	steps := []step{
		{name: "ordered, with the key", ordered: true},
		{name: "unordered", at: &fixed},
		{name: "the same timeout again", at: &fixed, memo: "again"},
		{name: "the same timeout of another signer", at: &fixed, signers: []int{1}},
		{name: "the same timeout of two, one has used it", at: &fixed, signers: []int{1, 0}},
		{name: "two signers", timeout: minute, signers: []int{0, 1}},
		{name: "a sequence", timeout: minute, sequences: []uint64{1}},
		{name: "a sequence of the second signer", timeout: minute, signers: []int{0, 1}, sequences: []uint64{0, 7}},
		{name: "no timeout", none: true},
		{name: "the epoch", at: &epoch},
		{name: "a part of the epoch's second", at: &second},
		{name: "the zero time", at: &zeroYear},
		{name: "passed by a nanosecond", timeout: -1},
		{name: "at the block's time", timeout: 0},
		{name: "a nanosecond ahead", timeout: 1},
		{name: "ten minutes", timeout: 10 * minute},
		{name: "ten minutes and a nanosecond", timeout: 10*minute + 1},
		{name: "a day", timeout: 24 * time.Hour},
		{name: "amino", timeout: minute, mode: signing.SignMode_SIGN_MODE_LEGACY_AMINO_JSON},
		{name: "amino with a sequence", timeout: minute, mode: signing.SignMode_SIGN_MODE_LEGACY_AMINO_JSON, sequences: []uint64{1}},
		{name: "forged", at: ptr(timeOf(21).Add(5 * minute)), forged: true},
		{name: "what was forged, good", at: ptr(timeOf(21).Add(5 * minute))},
		{name: "more than is held", at: ptr(timeOf(22).Add(7 * minute)), amount: 1_000_000_000_000},
		{name: "the timeout of a message that failed", at: ptr(timeOf(22).Add(7 * minute))},
		{name: "too little gas", timeout: minute, gas: 45_000},
		{name: "ordered, the sequence has not moved", ordered: true, sequences: []uint64{1}},
		{name: "ordered with a timeout", ordered: true, sequences: []uint64{2}, at: ptr(timeOf(40))},
		{name: "ordered with a timeout that is used", ordered: true, sequences: []uint64{3}, at: ptr(timeOf(40)), memo: "x"},
		{name: "ordered with the wrong sequence", ordered: true, sequences: []uint64{9}},
	}
	entries := []entry{}
	finalize := func(height int64, txs ...[]byte) []*abci.ExecTxResult {
		block := must(chain.FinalizeBlock(&abci.RequestFinalizeBlock{Height: height, Time: timeOf(height), Txs: txs}))
		must(chain.Commit())
		return block.TxResults
	}
	finalize(1)
	for i, s := range steps {
		height := int64(i + 2)
		tx := sign(chain, s, timeOf(height))
		made := entry{Name: s.name, Tx: base64.StdEncoding.EncodeToString(tx), Height: height, Time: timeOf(height).Format(time.RFC3339Nano)}
		checked := must(chain.CheckTx(&abci.RequestCheckTx{Tx: tx, Type: abci.CheckTxType_New}))
		made.Check = outcome{checked.Code, checked.Codespace, checked.Log, checked.GasUsed, [][]string{}}
		result := finalize(height, tx)[0]
		made.Block = outcome{result.Code, result.Codespace, result.Log, result.GasUsed, eventsOf(result.Events)}
		fmt.Fprintln(os.Stderr, s.name, made.Check.Code, made.Block.Code, made.Block.GasUsed, made.Block.Log)
		entries = append(entries, made)
	}
	fmt.Fprintf(out, "{\"about\":\"unordered transactions on wasmd's application, switched on; by tests/reference/unordered\",\n\"appState\":%s,\n\"entries\":[\n", must(json.Marshal(state)))
	for i, made := range entries {
		if i > 0 {
			fmt.Fprintln(out, ",")
		}
		must(out.Write(must(json.Marshal(made))))
	}
	fmt.Fprintln(out, "\n]}")
}

func ptr(t time.Time) *time.Time { return &t }
