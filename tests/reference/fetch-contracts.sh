#!/usr/bin/env bash
# Gets the reference implementation's own test contracts from the packages that carry them, for the tests that compare gas
# figures. They are never committed. Needs cargo (crate cosmwasm-vm) and go (modules wasmvm and wasmd); says what is missing
# and gets the rest. A second run does nothing.
#   usage: tests/reference/fetch-contracts.sh        output: tests/reference/.cache/contracts/<package>/*.wasm
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out="$here/.cache/contracts"
mkdir -p "$out"
missing=0

note() { printf 'fetch-contracts: %s\n' "$*"; }

copy() { # name, folders with contracts
  local name=$1; shift
  local partial="$out/.$name.partial"
  rm -rf "$partial"; mkdir -p "$partial"
  for folder in "$@"; do
    for file in "$folder"/*.wasm "$folder"/*.wasm.gzip; do
      if [ -e "$file" ]; then cp -L "$file" "$partial/"; fi
    done
  done
  chmod -R u+w "$partial"
  rm -rf "${out:?}/$name"
  mv "$partial" "$out/$name"
  note "$name: $(find "$out/$name" -type f | wc -l) contracts"
}

crate() { # version of cosmwasm-vm
  local name="cosmwasm-vm-$1"
  if [ -d "$out/$name" ]; then note "$name: there already"; return; fi
  if ! command -v cargo >/dev/null; then note "$name: MISSING, cargo is not installed"; missing=1; return; fi
  local work; work=$(mktemp -d)
  mkdir "$work/src"; : >"$work/src/lib.rs"
  printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\ncosmwasm-vm = { version = "=%s", default-features = false }\n' "$1" >"$work/Cargo.toml"
  if (cd "$work" && cargo fetch --quiet 2>"$work/log"); then
    local folder
    folder=$(cd "$work" && cargo metadata --format-version 1 --offline 2>/dev/null | tr ',' '\n' |
      sed -n "s|.*\"manifest_path\":\"\(.*/cosmwasm-vm-$1\)/Cargo.toml\".*|\1|p" | head -1)
    if [ -d "$folder/testdata" ]; then copy "$name" "$folder/testdata"; else note "$name: MISSING, the crate has no testdata"; missing=1; fi
  else
    note "$name: MISSING, cargo fetch failed: $(tail -1 "$work/log")"; missing=1
  fi
  rm -rf "$work"
}

module() { # name, module as go.mod beside this script pins it, folders inside
  local name=$1 path=$2; shift 2
  if [ -d "$out/$name" ]; then note "$name: there already"; return; fi
  if ! command -v go >/dev/null; then note "$name: MISSING, go is not installed"; missing=1; return; fi
  local folder
  folder=$(cd "$here" && go mod download -json "$path" 2>/dev/null | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",\{0,1\}$/\1/p')
  if [ -n "$folder" ] && [ -d "$folder" ]; then copy "$name" "${@/#/$folder/}"; else note "$name: MISSING, go mod download failed"; missing=1; fi
}

crate 2.2.2
crate 2.3.4
module wasmvm-2.3.1 github.com/CosmWasm/wasmvm/v2 testdata
module wasmd-0.60.2 github.com/CosmWasm/wasmd x/wasm/keeper/testdata benchmarks/testdata
if [ "$missing" -ne 0 ]; then note 'some contracts are missing: the tests that need them will say so and be skipped'; fi
exit 0
