package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// packAll packs programs that say which platform they are for, and returns the packages by name.
func packAll(t *testing.T, version string, names ...string) (map[string][]byte, error) {
	t.Helper()
	programs, out := t.TempDir(), t.TempDir()
	for _, p := range platforms {
		require.NoError(t, os.Mkdir(filepath.Join(programs, p.name), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(programs, p.name, p.program()), []byte("for "+p.name), 0o755))
	}
	if err := run(version, programs, out, filepath.Join("..", "LICENSE"), names); err != nil {
		return nil, err
	}
	made := map[string][]byte{}
	entries, err := os.ReadDir(out)
	require.NoError(t, err)
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(out, entry.Name()))
		require.NoError(t, err)
		made[entry.Name()] = content
	}
	return made, nil
}

// TestNames: npm and pip choose by names, os and cpu, and by tags.
func TestNames(t *testing.T) {
	made, err := packAll(t, "1.2.3")
	require.NoError(t, err)
	var names []string
	for name := range made {
		names = append(names, name)
	}
	assert.ElementsMatch(t, []string{
		"mcplumb-1.2.3.tgz",
		"mcplumb-cli-darwin-arm64-1.2.3.tgz", "mcplumb-cli-darwin-x64-1.2.3.tgz", "mcplumb-cli-linux-arm64-1.2.3.tgz",
		"mcplumb-cli-linux-x64-1.2.3.tgz", "mcplumb-cli-win32-arm64-1.2.3.tgz", "mcplumb-cli-win32-x64-1.2.3.tgz",
		"mcplumb-1.2.3-py3-none-macosx_12_0_arm64.whl", "mcplumb-1.2.3-py3-none-macosx_12_0_x86_64.whl",
		"mcplumb-1.2.3-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
		"mcplumb-1.2.3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl",
		"mcplumb-1.2.3-py3-none-win_amd64.whl", "mcplumb-1.2.3-py3-none-win_arm64.whl",
	}, names)
}

// TestNPMPackages: the package of each platform is only for it, has its program and no command, and
// mcplumb wants exactly these in exactly this version.
func TestNPMPackages(t *testing.T) {
	made, err := packAll(t, "1.2.3")
	require.NoError(t, err)
	wanted := map[string]string{}
	for _, p := range platforms {
		files := untar(t, made["mcplumb-cli-"+p.os+"-"+p.cpu+"-1.2.3.tgz"])
		assert.Equal(t, "for "+p.name, string(files["package/bin/"+p.program()].content))
		assert.True(t, files["package/bin/"+p.program()].executable)
		assert.NotEmpty(t, files["package/LICENSE"].content)
		var manifest map[string]any
		require.NoError(t, json.Unmarshal(files["package/package.json"].content, &manifest))
		assert.Equal(t, []any{p.os}, manifest["os"])
		assert.Equal(t, []any{p.cpu}, manifest["cpu"])
		assert.Equal(t, "1.2.3", manifest["version"])
		for _, no := range []string{"bin", "scripts", "libc"} {
			assert.NotContains(t, manifest, no)
		}
		wanted[manifest["name"].(string)] = "1.2.3"
	}
	files := untar(t, made["mcplumb-1.2.3.tgz"])
	var manifest struct {
		Name, Version        string
		Bin                  map[string]string
		Scripts              map[string]string
		OptionalDependencies map[string]string
	}
	require.NoError(t, json.Unmarshal(files["package/package.json"].content, &manifest))
	assert.Equal(t, "mcplumb", manifest.Name)
	assert.Equal(t, "1.2.3", manifest.Version)
	assert.Empty(t, manifest.Scripts)
	assert.Equal(t, wanted, manifest.OptionalDependencies)
	assert.True(t, files["package/"+manifest.Bin["mcplumb"]].executable)
	assertPage(t, string(files["package/README.md"].content))
}

// TestWheels: every row of RECORD matches its file, the program is an executable script,
// and the tags in the name are those in the wheel.
func TestWheels(t *testing.T) {
	made, err := packAll(t, "1.2.3")
	require.NoError(t, err)
	for _, p := range platforms {
		wheel := made["mcplumb-1.2.3-py3-none-"+strings.Join(p.tags, ".")+".whl"]
		archive, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
		require.NoError(t, err)
		content := map[string]string{}
		var record strings.Builder
		for _, f := range archive.File {
			opened, err := f.Open()
			require.NoError(t, err)
			read, err := io.ReadAll(opened) // the checksum is held here
			require.NoError(t, err)
			content[f.Name] = string(read)
			assert.Equal(t, f.Name == "mcplumb-1.2.3.data/scripts/"+p.program(), f.Mode().Perm() == 0o755, f.Name)
			assert.True(t, f.Mode().IsRegular(), f.Name)
			assert.Zero(t, f.Flags&0x8, "%s: its size comes after it", f.Name)
			assert.Equal(t, 1980, f.Modified.Year())
			if sum := sha256.Sum256(read); !strings.HasSuffix(f.Name, "/RECORD") {
				fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(read))
			}
		}
		assert.Equal(t, record.String()+"mcplumb-1.2.3.dist-info/RECORD,,\n", content["mcplumb-1.2.3.dist-info/RECORD"])
		assert.Equal(t, "for "+p.name, content["mcplumb-1.2.3.data/scripts/"+p.program()])
		assert.Contains(t, content, "mcplumb/__main__.py")
		for _, tag := range p.tags {
			assert.Contains(t, content["mcplumb-1.2.3.dist-info/WHEEL"], "Tag: py3-none-"+tag+"\n")
		}
		head, page, _ := strings.Cut(content["mcplumb-1.2.3.dist-info/METADATA"], "\n\n")
		assert.Contains(t, head, "Name: mcplumb\nVersion: 1.2.3\n")
		assertPage(t, page)
	}
}

// assertPage holds the page that registries show: nothing is left to fill in, and every link leads
// to a file of the version that is here.
func assertPage(t *testing.T, page string) {
	t.Helper()
	assert.NotContains(t, page, "{{")
	links := regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		path, ours := strings.CutPrefix(link[1], "https://github.com/mcplumb/mcplumb/blob/v1.2.3/")
		require.True(t, ours, link[1])
		assert.FileExists(t, filepath.Join("..", path))
	}
}

// TestSameBytes: repeating a publication sends what is already there.
func TestSameBytes(t *testing.T) {
	first, err := packAll(t, "1.2.3")
	require.NoError(t, err)
	second, err := packAll(t, "1.2.3")
	require.NoError(t, err)
	assert.Equal(t, first, second)
}

// TestRefused holds from which input no packages are made.
func TestRefused(t *testing.T) {
	for _, version := range []string{"", "v1.2.3", "1.2", "1.2.3-rc.1", "1.2.03", "{{version}}"} {
		_, err := packAll(t, version)
		assert.ErrorContains(t, err, "three numbers", version)
	}
	_, err := packAll(t, "1.2.3", "linux_amd64", "plan9_amd64")
	assert.ErrorContains(t, err, "there is no platform plan9_amd64")
	assert.Error(t, run("1.2.3", t.TempDir(), t.TempDir(), filepath.Join("..", "LICENSE"), nil), "there are no programs")
}

// TestChosen: a named platform is the only one, in addition to the package that starts it.
func TestChosen(t *testing.T) {
	made, err := packAll(t, "1.2.3", "windows_amd64")
	require.NoError(t, err)
	var names []string
	for name := range made {
		names = append(names, name)
	}
	slices.Sort(names)
	assert.Equal(t, []string{"mcplumb-1.2.3-py3-none-win_amd64.whl", "mcplumb-1.2.3.tgz", "mcplumb-cli-win32-x64-1.2.3.tgz"}, names)
}

// TestEveryPlatformOfARelease: scripts/build makes no program that no package has.
func TestEveryPlatformOfARelease(t *testing.T) {
	script, err := os.ReadFile("../scripts/build")
	require.NoError(t, err)
	var names []string
	for _, p := range platforms {
		names = append(names, p.name)
	}
	assert.Contains(t, string(script), "|| set -- "+strings.Join(names, " ")+"\n")
}

// untar returns the files of a package of npm by their paths.
func untar(t *testing.T, content []byte) map[string]file {
	t.Helper()
	compressed, err := gzip.NewReader(bytes.NewReader(content))
	require.NoError(t, err)
	found := map[string]file{}
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return found
		}
		require.NoError(t, err)
		read, err := io.ReadAll(archive)
		require.NoError(t, err)
		found[header.Name] = file{header.Name, read, header.FileInfo().Mode().Perm() == 0o755}
	}
}
