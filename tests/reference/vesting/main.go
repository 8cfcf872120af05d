// Prints vectors of the reference's vesting arithmetic: for random schedules, what is vested, vesting and locked at times around
// them, and what delegations and their ends leave tracked.
//
//	nice go run ./vesting > ../vectors/reference/vesting-math.json
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"time"

	"cosmossdk.io/math"

	sdk "github.com/cosmos/cosmos-sdk/types"
	authtypes "github.com/cosmos/cosmos-sdk/x/auth/types"
	vestexported "github.com/cosmos/cosmos-sdk/x/auth/vesting/exported"
	"github.com/cosmos/cosmos-sdk/x/auth/vesting/types"
)

type period struct {
	Length int64  `json:"length"`
	Amount string `json:"amount"`
}

type moment struct {
	Time    string `json:"time"`
	Vested  string `json:"vested"`
	Vesting string `json:"vesting"`
	Locked  string `json:"locked"`
}

type step struct {
	Undelegate       bool   `json:"undelegate"`
	Time             string `json:"time"`
	Balance          string `json:"balance"`
	Amount           string `json:"amount"`
	DelegatedFree    string `json:"delegatedFree"`
	DelegatedVesting string `json:"delegatedVesting"`
	Locked           string `json:"locked"`
}

type entry struct {
	Kind     string   `json:"kind"`
	Original string   `json:"original"`
	Start    string   `json:"start"`
	End      string   `json:"end"`
	Periods  []period `json:"periods"`
	Defect   string   `json:"defect"`
	Moments  []moment `json:"moments"`
	Steps    []step   `json:"steps"`
}

var random = rand.New(rand.NewSource(4))

var denoms = []string{"aaa", "stake", "ucosm"}

func amount() math.Int {
	switch random.Intn(6) {
	case 0:
		return math.NewInt(1 + random.Int63n(9))
	case 1:
		// Up to 240 bits.
		value := math.NewInt(1 + random.Int63())
		for i := random.Intn(4); i > 0; i-- {
			value = value.MulRaw(1 + random.Int63n(1<<59))
		}
		return value
	default:
		return math.NewInt(1 + random.Int63n(2_000_000_007))
	}
}

func coins() sdk.Coins {
	list := sdk.NewCoins()
	for len(list) == 0 {
		for _, denom := range denoms {
			if random.Intn(2) == 0 {
				list = list.Add(sdk.NewCoin(denom, amount()))
			}
		}
	}
	return list
}

/* Part of the coins, never none. */
func part(of sdk.Coins) sdk.Coins {
	list := sdk.NewCoins()
	for _, coin := range of {
		share := coin.Amount.MulRaw(random.Int63n(101)).QuoRaw(100)
		if share.IsPositive() {
			list = list.Add(sdk.NewCoin(coin.Denom, share))
		}
	}
	if list.Empty() {
		return of
	}
	return list
}

func build(kind string) (vestexported.VestingAccount, entry, error) {
	base := authtypes.NewBaseAccountWithAddress(make([]byte, 20))
	start := 1_500_000_000 + random.Int63n(400_000_000)
	original := coins()
	length := 1 + random.Int63n([]int64{20, 86_400, 200_000_000}[random.Intn(3)])
	made := entry{Kind: kind, Periods: []period{}, Moments: []moment{}, Steps: []step{}}
	var account vestexported.VestingAccount
	var err error
	switch kind {
	case "continuous":
		account, err = types.NewContinuousVestingAccount(base, original, start, start+length)
	case "delayed":
		account, err = types.NewDelayedVestingAccount(base, original, start+length)
	case "permanent":
		account, err = types.NewPermanentLockedAccount(base, original)
	case "periodic":
		var periods types.Periods
		original = sdk.NewCoins()
		for i := 1 + random.Intn(5); i > 0; i-- {
			each := types.Period{Length: 1 + random.Int63n(length), Amount: coins()}
			periods = append(periods, each)
			original = original.Add(each.Amount...)
			made.Periods = append(made.Periods, period{each.Length, each.Amount.String()})
		}
		account, err = types.NewPeriodicVestingAccount(base, original, start, periods)
	}
	made.Original = original.String()
	made.Start, made.End = fmt.Sprint(account.GetStartTime()), fmt.Sprint(account.GetEndTime())
	return account, made, err
}

func main() {
	entries := []entry{}
	for i := 0; i < 120; i++ {
		account, made, err := build([]string{"continuous", "continuous", "delayed", "periodic", "periodic", "permanent"}[i%6])
		if err != nil {
			made.Defect = err.Error()
		}
		first, last := account.GetStartTime(), account.GetEndTime()
		if first == 0 {
			first = last - 100
		}
		span := last - first
		times := []int64{first - 1, first, first + 1, first + span/2, last - 1, last, last + 1}
		for j := 0; j < 4; j++ {
			times = append(times, first+random.Int63n(span+1))
		}
		for _, at := range times {
			now := time.Unix(at, 0)
			made.Moments = append(made.Moments, moment{
				fmt.Sprint(at), account.GetVestedCoins(now).String(), account.GetVestingCoins(now).String(), account.LockedCoins(now).String(),
			})
		}
		balance := account.GetOriginalVesting().Add(coins()...)
		for j := 0; j < 6; j++ {
			at := first + random.Int63n(span+1)
			now := time.Unix(at, 0)
			given := part(balance)
			isUndelegation := j%3 == 2
			if isUndelegation {
				account.TrackUndelegation(given)
			} else {
				account.TrackDelegation(now, balance, given)
			}
			made.Steps = append(made.Steps, step{
				isUndelegation, fmt.Sprint(at), balance.String(), given.String(),
				account.GetDelegatedFree().String(), account.GetDelegatedVesting().String(), account.LockedCoins(now).String(),
			})
		}
		entries = append(entries, made)
	}
	fmt.Println(`{"about":"vesting arithmetic of Cosmos SDK v0.53.4; by tests/reference/vesting","entries":[`)
	for i, each := range entries {
		line, err := json.Marshal(each)
		if err != nil {
			panic(err)
		}
		if i > 0 {
			fmt.Println(",")
		}
		os.Stdout.Write(line)
	}
	fmt.Println("\n]}")
}
