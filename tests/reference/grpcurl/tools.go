//go:build tools

// Package grpcurl pins the gRPC command line client that tests/grpc runs against this node. A module of its own: it needs a newer
// grpc-go than the reference is built with.
package grpcurl

import (
	_ "github.com/fullstorydev/grpcurl/cmd/grpcurl"
)
