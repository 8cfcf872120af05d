#!/usr/bin/env bash
# Builds the contract artifacts: artifacts/*.wasm, their checksums, the hash of their sources, and the JSON schemas.
# usage: npm run contracts        (from the repository's root)        needs: cargo, about five minutes the first time
#
# The artifacts are WebAssembly MVP, which every CosmWasm chain takes: no bulk memory, no reference types. The standard
# library that rustup ships for wasm32 uses newer instructions, so the library is built from source (-Z build-std). That
# needs a compiler whose library sources are on disk; where Debian's rustc-web is available, it is installed and used.
# The bytes depend on the compiler: artifacts/toolchain.txt names the one that made the committed files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
here=$PWD
cargo_home=${CARGO_HOME:-$HOME/.cargo}
library=/usr/lib/rustlib/src/rust/library
wasm_opt=../node_modules/.bin/wasm-opt # comes with the npm dependencies
run="nice -n 10"
[ -x "$wasm_opt" ] || { echo "run 'npm ci' first: $wasm_opt is missing" >&2; exit 1; }

install_toolchain() {
  if [ -x /usr/bin/rustc ] && [ -d "$library" ] && /usr/bin/rust-lld --version >/dev/null 2>&1; then return; fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends rustc-web cargo-web rust-web-src rust-web-llvm >/dev/null
  apt-get install -y -qq --no-install-recommends "$(readlink /usr/bin/rust-lld)" >/dev/null # rust-lld is a link to lld-NN
}

# One package per call: features are then only those that this artifact's own dependencies ask for.
build_artifact() { # package, file name cargo gives it, artifact
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="$flags" $run /usr/bin/cargo build --locked --release --lib \
    --package "$1" --target wasm32-unknown-unknown -Z build-std=std,panic_abort -Z build-std-features=optimize_for_size
  # A fifth smaller; and wasm-opt refuses an input that uses more than these features.
  $run "$wasm_opt" -Os --mvp-features --enable-mutable-globals \
    "target/wasm32-unknown-unknown/release/$2.wasm" -o "artifacts/$3.wasm"
}

install_toolchain
# No path of this machine may end up in a panic message: the same sources give the same bytes in any folder.
flags="-C target-cpu=mvp -C link-arg=-s -C link-arg=--import-undefined"
flags+=" --remap-path-prefix=$here=/contracts --remap-path-prefix=$cargo_home=/cargo --remap-path-prefix=$library=/library"

mkdir -p artifacts schema
build_artifact launchpad launchpad launchpad
build_artifact amm amm amm
build_artifact coin-cw20-base coin_cw20_base cw20_base
for name in launchpad amm cw20_base; do
  size=$(stat -c %s "artifacts/$name.wasm")
  [ "$size" -le $((800 * 1024)) ] || { echo "artifacts/$name.wasm has $size bytes, more than a chain stores (819200)" >&2; exit 1; }
done

for name in launchpad amm; do
  (cd schema && $run cargo run --locked --quiet --package "$name" --bin "$name-schema" >/dev/null)
  mv "schema/schema/$name.json" schema/ && rm -rf schema/schema
done

(cd artifacts && sha256sum launchpad.wasm amm.wasm cw20_base.wasm > checksums.txt)
# One line for each file that the artifacts are made of; a test tells which of them changed without a new build.
find Cargo.toml Cargo.lock build.sh packages contracts -type f -not -path '*/tests/*' | LC_ALL=C sort | xargs sha256sum > artifacts/sources.sha256
{ /usr/bin/rustc --version; "$wasm_opt" --version; } > artifacts/toolchain.txt
cat artifacts/checksums.txt
