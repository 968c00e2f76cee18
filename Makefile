# What developers type. CI runs .ci/run, which calls the same scripts.
.PHONY: build test lint generate bench

build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o bin/mcplumb ./cmd/mcplumb

test:
	go test ./...

lint:
	scripts/lint

generate:
	go run ./internal/generate

bench:
	scripts/bench
