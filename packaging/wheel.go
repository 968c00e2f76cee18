package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strings"
)

// wheel returns the package for PyPI of one platform. The program is one of its scripts,
// which installers put on PATH unchanged, so that it starts without Python; python -m
// mcplumb looks for it there. Source: packaging.python.org, Binary distribution format
// (2026-10).
func (r release) wheel(p platform, program []byte) (name string, content []byte, err error) {
	metadata, err := r.fill("pypi/METADATA", p)
	if err != nil {
		return "", nil, err
	}
	page, err := r.page()
	if err != nil {
		return "", nil, err
	}
	var all []file
	for _, module := range []string{"__init__.py", "__main__.py"} {
		source, err := files.ReadFile("pypi/mcplumb/" + module)
		if err != nil {
			return "", nil, err
		}
		all = append(all, file{"mcplumb/" + module, source, false})
	}
	about := "Wheel-Version: 1.0\nGenerator: mcplumb\nRoot-Is-Purelib: false\n"
	for _, tag := range p.tags {
		about += "Tag: py3-none-" + tag + "\n"
	}
	info := "mcplumb-" + r.version + ".dist-info/"
	all = append(all,
		file{"mcplumb-" + r.version + ".data/scripts/" + p.program(), program, true},
		file{info + "METADATA", append(metadata, page...), false},
		file{info + "WHEEL", []byte(about), false},
		file{info + "LICENSE", r.license, false},
	)
	var record strings.Builder
	for _, f := range all {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	record.WriteString(info + "RECORD,,\n")
	content, err = zipped(append(all, file{info + "RECORD", []byte(record.String()), false}))
	return "mcplumb-" + r.version + "-py3-none-" + strings.Join(p.tags, ".") + ".whl", content, err
}

// startOfZip is the first day that a zip archive can name, 1 January 1980.
const startOfZip = 1<<5 | 1

// zipped packs files with their sizes before them: an index may refuse those that follow.
func zipped(files []file) ([]byte, error) {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range files {
		var packed bytes.Buffer
		compressor, err := flate.NewWriter(&packed, flate.BestCompression)
		if err != nil {
			return nil, err
		}
		if _, err := compressor.Write(f.content); err != nil {
			return nil, err
		}
		if err := compressor.Close(); err != nil {
			return nil, err
		}
		header := &zip.FileHeader{
			Name: f.name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(f.content),
			CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(f.content)),
			ModifiedDate: startOfZip, // a raw file has no other time that is read
		}
		header.SetMode(0o644)
		if f.executable {
			header.SetMode(0o755)
		}
		w, err := archive.CreateRaw(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(packed.Bytes()); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
