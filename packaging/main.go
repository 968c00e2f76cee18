// Command packaging makes the packages that people with Node.js or Python install mcplumb from, out of
// the programs that scripts/build makes: for npm one package with a start script and one for each
// platform, for PyPI one wheel for each. scripts/packages runs it. The contents of a package are next to
// this file, in a directory for each channel.
//
// The same programs make the same bytes, so repeating a publication sends what is already there.
package main

import (
	"embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed README.md npm/*.json npm/*.md npm/bin pypi/METADATA pypi/mcplumb/*.py
var files embed.FS

// platform is a system that a release supports, by the names that each channel uses for it.
type platform struct {
	name    string   // Go's, as scripts/build has it
	os, cpu string   // of Node.js: process.platform and process.arch
	tags    []string // of wheels
}

// program returns the name of the program's file.
func (p platform) program() string {
	if p.os == "win32" {
		return "mcplumb.exe"
	}
	return "mcplumb"
}

// platforms are those of a release. A program for Linux is static, so that one wheel
// supports both C libraries. Go 1.26 needs macOS 12 (go.dev/doc/go1.26, Ports, 2026-02).
var platforms = []platform{
	{"darwin_amd64", "darwin", "x64", []string{"macosx_12_0_x86_64"}},
	{"darwin_arm64", "darwin", "arm64", []string{"macosx_12_0_arm64"}},
	{"linux_amd64", "linux", "x64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux_arm64", "linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	{"windows_amd64", "win32", "x64", []string{"win_amd64"}},
	{"windows_arm64", "win32", "arm64", []string{"win_arm64"}},
}

// file is one file of a package: its path there, its content, and whether it is a program.
type file struct {
	name       string
	content    []byte
	executable bool
}

func main() {
	version := flag.String("version", "", "the `VERSION` of the programs")
	programs := flag.String("programs", "", "the `DIR` of the programs, as scripts/build leaves it")
	out := flag.String("out", "", "the `DIR` that the packages go to")
	license := flag.String("license", "LICENSE", "the license, a `FILE`")
	flag.Parse()
	if err := run(*version, *programs, *out, *license, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// run writes the packages of the platforms that are named, or of all of them.
func run(version, programs, out, license string, names []string) error {
	if !plainVersion.MatchString(version) {
		return fmt.Errorf("%q is not a version that npm and PyPI both write so: it must be three numbers", version)
	}
	terms, err := os.ReadFile(license)
	if err != nil {
		return err
	}
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	r := release{version: version, license: terms}
	made := map[string][]byte{}
	name, content, err := r.npmMain()
	if err != nil {
		return err
	}
	made[name] = content
	for _, p := range chosen {
		program, err := os.ReadFile(filepath.Join(programs, p.name, p.program()))
		if err != nil {
			return err
		}
		for _, pack := range []func(platform, []byte) (string, []byte, error){r.npmPlatform, r.wheel} {
			name, content, err := pack(p, program)
			if err != nil {
				return err
			}
			made[name] = content
		}
	}
	for name, content := range made {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// plainVersion is a version that npm and PyPI write alike; each writes a pre-release
// differently.
var plainVersion = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`)

// choose returns the platforms of these names, and all without names.
func choose(names []string) ([]platform, error) {
	if len(names) == 0 {
		return platforms, nil
	}
	var chosen []platform
	for _, name := range names {
		found := false
		for _, p := range platforms {
			if p.name == name {
				chosen, found = append(chosen, p), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no platform %s", name)
		}
	}
	return chosen, nil
}

// release is what all packages of a version share.
type release struct {
	version string
	license []byte
}

// fill returns one of the files next to this one, with the placeholders in double braces
// filled in.
func (r release) fill(name string, p platform) ([]byte, error) {
	content, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer("{{version}}", r.version, "{{os}}", p.os, "{{cpu}}", p.cpu).Replace(string(content))), nil
}

// page returns the page that registries show: packaging/README.md, whose links lead to the files of
// this version.
func (r release) page() ([]byte, error) {
	content, err := files.ReadFile("README.md")
	if err != nil {
		return nil, err
	}
	return []byte(strings.ReplaceAll(string(content), "](../", "](https://github.com/mcplumb/mcplumb/blob/v"+r.version+"/")), nil
}
