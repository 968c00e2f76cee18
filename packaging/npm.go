package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"time"
)

// npmMain returns the package mcplumb: a script that starts the program of the platform's
// package. npm installs only the package that fits the system.
func (r release) npmMain() (name string, content []byte, err error) {
	manifest, err := r.fill("npm/package.json", platform{})
	if err != nil {
		return "", nil, err
	}
	page, err := r.page()
	if err != nil {
		return "", nil, err
	}
	script, err := files.ReadFile("npm/bin/mcplumb.js")
	if err != nil {
		return "", nil, err
	}
	content, err = tarball([]file{
		{"package.json", manifest, false},
		{"README.md", page, false},
		{"LICENSE", r.license, false},
		{"bin/mcplumb.js", script, true},
	})
	return "mcplumb-" + r.version + ".tgz", content, err
}

// npmPlatform returns the package with the program of one platform. It has no command of
// its own: two packages with the same command would conflict.
func (r release) npmPlatform(p platform, program []byte) (name string, content []byte, err error) {
	manifest, err := r.fill("npm/platform.json", p)
	if err != nil {
		return "", nil, err
	}
	page, err := r.fill("npm/platform.md", p)
	if err != nil {
		return "", nil, err
	}
	content, err = tarball([]file{
		{"package.json", manifest, false},
		{"README.md", page, false},
		{"LICENSE", r.license, false},
		{"bin/" + p.program(), program, true},
	})
	return "mcplumb-cli-" + p.os + "-" + p.cpu + "-" + r.version + ".tgz", content, err
}

// npmTime is the time that npm pack gives to every file, from which zip can count (npm/node-tar,
// pack.js, 2026-10).
var npmTime = time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC)

// tarball packs files as npm does.
func tarball(files []file) ([]byte, error) {
	var b bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		mode := int64(0o644)
		if f.executable {
			mode = 0o755
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: "package/" + f.name, Size: int64(len(f.content)), Mode: mode, ModTime: npmTime, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	if err := compressed.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
