#!/usr/bin/env bash
# Records tests/vectors/iavl from cosmos/iavl and cosmossdk.io/store in the versions of go.mod. The result is the same each time.
set -euo pipefail
cd "$(dirname "$0")"
GOFLAGS=-buildvcs=false nice -n 10 go run ./vectors ../vectors/iavl
