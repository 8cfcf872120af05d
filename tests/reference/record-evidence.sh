#!/usr/bin/env bash
# Records tests/vectors/comet/evidence.json with CometBFT's own code, in the version that go.mod pins.
set -euo pipefail
cd "$(dirname "$0")"
GOFLAGS=-buildvcs=false nice -n 10 go run ./evidence ../vectors/comet/evidence.json
