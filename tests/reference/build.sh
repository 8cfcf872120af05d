#!/usr/bin/env bash
# Builds the reference implementation's own `wasmd`, and the gRPC client `grpcurl`, into .cache/ (git-ignored), from the versions
# pinned in go.mod and grpcurl/go.mod. The recorded vectors are committed, so nobody needs this to run the tests: it is for
# recording new ones, and for the tests that run a Go program as a client, which say so when it is not there.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v go >/dev/null; then
  echo "SKIPPED: Go is not installed; wasmd and grpcurl were not built (recorded vectors in tests/vectors are used)." >&2
  exit 0
fi

mkdir -p .cache
# A module of its own: it needs a newer grpc-go than the reference is made of.
(cd grpcurl && GOFLAGS=-buildvcs=false nice -n 10 go build -trimpath -o ../.cache/grpcurl.new \
  -ldflags '-X main.version=v1.9.4' github.com/fullstorydev/grpcurl/cmd/grpcurl)
mv .cache/grpcurl.new .cache/grpcurl
echo "built tests/reference/.cache/grpcurl"
version_package=github.com/cosmos/cosmos-sdk/version
# Some error messages name source files: -trimpath keeps this machine's folders out of them.
# go.sum is committed, so no checksum server is asked. The linker flags are what wasmd's own Makefile sets.
GOFLAGS=-buildvcs=false nice -n 10 go build -trimpath -o .cache/wasmd.new -ldflags \
  "-X $version_package.Name=wasm -X $version_package.AppName=wasmd -X $version_package.Version=0.60.3" \
  github.com/CosmWasm/wasmd/cmd/wasmd
mv .cache/wasmd.new .cache/wasmd
echo "built tests/reference/.cache/wasmd"
