//go:build tools

// Package reference pins the programs of the Go implementation that the recorded vectors come from.
package reference

import (
	_ "github.com/CosmWasm/wasmd/cmd/wasmd"
)
