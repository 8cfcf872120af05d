#!/usr/bin/env bash
# Starts the reference wasmd as a chain of one validator on loopback, from nothing.
#   start.sh [home] [first port] [program that changes the genesis, run by node]
# Ports: RPC = first, P2P = first+1, REST = first+2, gRPC = first+3, profiler off. Default 36657.
# Chain id `testing`, prefix `wasm`, denoms `stake` (bonded) and `ucosm`, a block every 500 ms.
# Accounts come from the mnemonics in accounts.json, so recordings can be repeated.
set -euo pipefail
cd "$(dirname "$0")"
wasmd=$PWD/.cache/wasmd
home=${1:-$PWD/.cache/home}
port=${2:-36657}
[ -x "$wasmd" ] || { echo "no $wasmd: run build.sh first" >&2; exit 1; }

if [ ! -e "$home/config/genesis.json" ]; then
  run() { "$wasmd" --home "$home" "$@"; }
  run init reference --chain-id testing >/dev/null 2>&1
  for name in validator alice bob; do
    node -p "require('./accounts.json').find((a) => a.name === '$name').mnemonic" |
      run keys add "$name" --recover --keyring-backend test >/dev/null
    run genesis add-genesis-account "$name" 1000000000000stake,1000000000000000ucosm --keyring-backend test
  done
  run genesis gentx validator 250000000stake --chain-id testing --keyring-backend test --moniker reference \
    --commission-rate 0.1 --commission-max-rate 0.2 --commission-max-change-rate 0.01 >/dev/null 2>&1
  run genesis collect-gentxs >/dev/null 2>&1
  # What the default genesis leaves empty and the queries are about.
  node -e '
    const fs = require("node:fs")
    const [file] = process.argv.slice(1)
    const genesis = JSON.parse(fs.readFileSync(file, "utf8"))
    const units = [["ucosm", 0, ["microcosm"]], ["cosm", 6, []]].map(([denom, exponent, aliases]) => ({ denom, exponent, aliases }))
    genesis.app_state.bank.denom_metadata = [
      { description: "The fee token.", denom_units: units, base: "ucosm", display: "cosm", name: "Cosm", symbol: "COSM", uri: "", uri_hash: "" },
    ]
    fs.writeFileSync(file, JSON.stringify(genesis, null, 2))' "$home/config/genesis.json"
  sed -i -e 's/^timeout_commit = .*/timeout_commit = "500ms"/' -e 's/^timeout_propose = .*/timeout_propose = "1s"/' \
    -e 's/^indexer = .*/indexer = "kv"/' "$home/config/config.toml"
  [ -z "${3:-}" ] || node "$3" "$home/config/genesis.json"
fi

exec "$wasmd" --home "$home" start \
  --rpc.laddr "tcp://127.0.0.1:$port" --p2p.laddr "tcp://127.0.0.1:$((port + 1))" \
  --api.enable --api.address "tcp://127.0.0.1:$((port + 2))" \
  --grpc.address "127.0.0.1:$((port + 3))" --rpc.pprof_laddr "" \
  --minimum-gas-prices 0.001ucosm --log_level warn
