// Package release_test rehearses .github/workflows/release.yml: act runs it in a copy
// of this repository, with the real goreleaser, buildah and skopeo, against a double
// of GitHub. scripts/release installs what that needs and runs it.
package release_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// platforms are the platforms of a release's archives.
var platforms = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// TestRelease follows docs/releasing.md: the table first, then the tag. A failure on the
// way leaves nothing public, and the next attempt for the same tag completes it.
func TestRelease(t *testing.T) {
	r := rehearse(t)
	r.command("scripts/checksums")
	r.tag()
	r.github.noImages = true
	_, err := r.workflow("HOMEBREW_TAP_TOKEN=" + tapToken)
	require.Error(t, err)
	require.Len(t, r.github.releases, 1)
	r.assertNothingPublic(t)

	r.github.noImages = false
	log, err := r.workflow("HOMEBREW_TAP_TOKEN=" + tapToken)
	require.NoError(t, err, log)
	require.Empty(t, r.github.problems)

	require.Len(t, r.github.releases, 1)
	release := r.github.releases[0]
	assert.Equal(t, "v"+r.version, release.Tag)
	assert.False(t, release.Draft, "the release is still a draft")
	want := []string{"checksums.txt", "mcplumb.json"} // the second is for Scoop
	for _, p := range platforms {
		want = append(want, "mcplumb_"+p+".cdx.json", archiveName(r.version, p))
		for _, ending := range []string{"deb", "rpm", "apk"} {
			if strings.HasPrefix(p, "linux") {
				want = append(want, "mcplumb_"+r.version+"_"+p+"."+ending)
			}
		}
	}
	slices.Sort(want)
	assert.Equal(t, want, release.names())

	t.Run("the action's table names the programs", func(t *testing.T) {
		table := r.read("action/checksums.txt")
		for _, p := range []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"} {
			archive := archiveName(r.version, p)
			assert.Contains(t, table, sum(fileOf(t, release.assets[archive], "mcplumb"))+"  "+archive+"\n")
		}
	})
	t.Run("an archive has what a user needs", func(t *testing.T) {
		archive := release.assets[archiveName(r.version, "linux_amd64")]
		for _, file := range []string{"LICENSE", "README.md", "man/mcplumb-check.1", "completions/mcplumb.bash"} {
			assert.NotEmpty(t, fileOf(t, archive, file), file)
		}
		program := filepath.Join(t.TempDir(), "mcplumb")
		require.NoError(t, os.WriteFile(program, fileOf(t, archive, "mcplumb"), 0o755))
		said, err := exec.Command(program, "version").Output()
		require.NoError(t, err)
		assert.Equal(t, "mcplumb "+r.version+"\n", string(said))
	})
	t.Run("a package for Linux has the same", func(t *testing.T) {
		program := sum(fileOf(t, release.assets[archiveName(r.version, "linux_amd64")], "mcplumb"))
		assert.Equal(t, program, sum(fileOf(t, release.assets["mcplumb_"+r.version+"_linux_amd64.apk"], "usr/bin/mcplumb")))

		// dpkg installs it into a root of its own.
		root, deb := t.TempDir(), filepath.Join(t.TempDir(), "mcplumb.deb")
		require.NoError(t, os.WriteFile(deb, release.assets["mcplumb_"+r.version+"_linux_amd64.deb"], 0o644))
		for _, dir := range []string{"updates", "info"} {
			require.NoError(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755))
		}
		require.NoError(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644))
		r.command("dpkg", "--root="+root, "--log=/dev/null", "--force-not-root", "-i", deb)
		for _, file := range []string{"doc/mcplumb/copyright", "man/man1/mcplumb-check.1", "bash-completion/completions/mcplumb", "zsh/vendor-completions/_mcplumb", "fish/vendor_completions.d/mcplumb.fish"} {
			assert.FileExists(t, filepath.Join(root, "usr/share", file))
		}
		installed, err := os.ReadFile(filepath.Join(root, "usr/bin/mcplumb"))
		require.NoError(t, err)
		assert.Equal(t, program, sum(installed))
		said, err := exec.Command(filepath.Join(root, "usr/bin/mcplumb"), "version").Output()
		require.NoError(t, err)
		assert.Equal(t, "mcplumb "+r.version+"\n", string(said))
	})
	t.Run("an SBOM names what is in the program", func(t *testing.T) {
		var bom struct {
			BomFormat string
			Metadata  struct {
				Component struct{ Name, Version string }
			}
			Components []struct{ Name string }
		}
		require.NoError(t, json.Unmarshal(release.assets["mcplumb_linux_arm64.cdx.json"], &bom))
		assert.Equal(t, "CycloneDX", bom.BomFormat)
		assert.Equal(t, "v"+r.version, bom.Metadata.Component.Version)
		assert.True(t, slices.ContainsFunc(bom.Components, func(c struct{ Name string }) bool { return c.Name == "github.com/spf13/cobra" }))
	})
	t.Run("the image has the same programs", func(t *testing.T) {
		digests := r.imageDigests(t)
		for _, processor := range []string{"amd64", "arm64"} {
			assert.Equal(t, sum(fileOf(t, release.assets[archiveName(r.version, "linux_"+processor)], "mcplumb")), digests.programs[processor], processor)
		}
		assert.Equal(t, []attestation{
			{Checksums: "dist/checksums.txt"},
			{Path: "bin/packages/*"},
			{Name: r.image, Digest: digests.index, Pushed: "true", Record: "false"},
			{Name: r.image, Digest: digests.images["amd64"], SBOM: "dist/mcplumb_linux_amd64.cdx.json", Pushed: "true", Record: "false"},
			{Name: r.image, Digest: digests.images["arm64"], SBOM: "dist/mcplumb_linux_arm64.cdx.json", Pushed: "true", Record: "false"},
		}, r.attested(t))
	})
	t.Run("the packages have the same programs", func(t *testing.T) {
		packages := filepath.Join(r.artifacts(), "packages")
		for _, p := range []struct{ npm, wheel, platform, program string }{
			{"linux-x64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux_amd64", "mcplumb"},
			{"linux-arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux_arm64", "mcplumb"},
			{"darwin-x64", "macosx_12_0_x86_64", "darwin_amd64", "mcplumb"},
			{"darwin-arm64", "macosx_12_0_arm64", "darwin_arm64", "mcplumb"},
			{"win32-x64", "win_amd64", "windows_amd64", "mcplumb.exe"},
			{"win32-arm64", "win_arm64", "windows_arm64", "mcplumb.exe"},
		} {
			want := release.assets[archiveName(r.version, p.platform)]
			var program []byte
			if p.program == "mcplumb.exe" {
				program = zipped(t, want, p.program)
			} else {
				program = fileOf(t, want, p.program)
			}
			npm, err := os.ReadFile(filepath.Join(packages, "mcplumb-cli-"+p.npm+"-"+r.version+".tgz"))
			require.NoError(t, err)
			assert.Equal(t, sum(program), sum(fileOf(t, npm, "package/bin/"+p.program)), p.npm)
			wheel, err := os.ReadFile(filepath.Join(packages, "mcplumb-"+r.version+"-py3-none-"+p.wheel+".whl"))
			require.NoError(t, err)
			assert.Equal(t, sum(program), sum(zipped(t, wheel, "mcplumb-"+r.version+".data/scripts/"+p.program)), p.wheel)
		}
		assert.FileExists(t, filepath.Join(packages, "mcplumb-"+r.version+".tgz"))
	})
	t.Run("Scoop and winget load what was released", func(t *testing.T) {
		scoop := string(release.assets["mcplumb.json"])
		installer, err := filepath.Glob(filepath.Join(r.artifacts(), "winget", "manifests", "m", "mcplumb", "mcplumb", r.version, "*.installer.yaml"))
		require.NoError(t, err)
		require.Len(t, installer, 1)
		winget, err := os.ReadFile(installer[0])
		require.NoError(t, err)
		for _, p := range []string{"windows_amd64", "windows_arm64"} {
			digest := sum(release.assets[archiveName(r.version, p)])
			assert.Contains(t, scoop, digest, p)
			assert.Contains(t, strings.ToLower(string(winget)), digest, p)
		}
	})
	t.Run("the cask loads what was released", func(t *testing.T) {
		cask := r.github.tap["Casks/mcplumb.rb"]
		assert.Contains(t, cask, `version "`+r.version+`"`)
		for _, p := range []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"} {
			assert.Contains(t, cask, sum(release.assets[archiveName(r.version, p)]), p)
		}
		// Without the tap's token the cask is printed, and the release stays.
		file := filepath.Join(t.TempDir(), "mcplumb.rb")
		require.NoError(t, os.WriteFile(file, []byte(cask), 0o644))
		assert.Contains(t, r.command("scripts/cask", file), "there is no secret HOMEBREW_TAP_TOKEN")
	})
}

// TestNothingIsPublishedForAnotherTable: the action would refuse such programs.
func TestNothingIsPublishedForAnotherTable(t *testing.T) {
	r := rehearse(t)
	r.command("scripts/checksums")
	table := r.read("action/checksums.txt")
	r.write("action/checksums.txt", strings.Repeat("0", 64)+table[64:])
	r.tag()
	log, err := r.workflow()
	require.Error(t, err)
	assert.Contains(t, log, "action/checksums.txt names other programs")
	r.assertNothingPublic(t)
}

// TestNothingIsPublishedForAnotherTag: the version is in the source.
func TestNothingIsPublishedForAnotherTag(t *testing.T) {
	r := rehearse(t)
	r.version = "99.0.0"
	r.tag()
	_, err := r.workflow()
	require.Error(t, err)
	assert.Empty(t, r.github.releases)
	r.assertNothingPublic(t)
}

// rehearsal is a copy of this repository, with the double of GitHub.
type rehearsal struct {
	t       *testing.T
	root    string // of this repository
	tree    string // the copy
	work    string
	version string
	image   string
	github  *double
}

// rehearse copies this repository, committed or not, and points the release tools to a
// double.
func rehearse(t *testing.T) *rehearsal {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	github := newDouble()
	server := httptest.NewServer(github)
	t.Cleanup(server.Close)
	github.url = server.URL
	r := &rehearsal{t: t, root: root, work: t.TempDir(), tree: filepath.Join(t.TempDir(), "mcplumb"), github: github}
	r.image = strings.TrimPrefix(server.URL, "http://") + "/mcplumb/mcplumb"

	files, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	require.NoError(t, err)
	for _, file := range strings.Split(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		copyFile(t, filepath.Join(root, file), filepath.Join(r.tree, file))
	}
	version := r.command("scripts/version")
	r.version = strings.TrimSpace(version)

	r.write(".goreleaser.yaml", r.read(".goreleaser.yaml")+"\ngithub_urls:\n  api: "+server.URL+"/\n  upload: "+server.URL+"/\n")
	workflow := r.read(".github/workflows/release.yml")
	require.Contains(t, workflow, "IMAGE: ghcr.io/mcplumb/mcplumb\n")
	r.write(".github/workflows/release.yml", strings.Replace(workflow, "IMAGE: ghcr.io/mcplumb/mcplumb\n", "IMAGE: "+r.image+"\n", 1))
	r.writeFile(filepath.Join(r.work, ".config/containers/registries.conf"), "[[registry]]\nlocation = \""+strings.TrimPrefix(server.URL, "http://")+"\"\ninsecure = true\n")
	return r
}

// tag commits the copy and tags it as the version.
func (r *rehearsal) tag() {
	as := []string{"-c", "user.name=release", "-c", "user.email=release@example.com"}
	for _, args := range [][]string{
		{"init", "-q"},
		{"remote", "add", "origin", "https://github.com/mcplumb/mcplumb"},
		{"add", "-A"},
		append(slices.Clone(as), "commit", "-qm", "Release "+r.version),
		{"tag", "v" + r.version},
	} {
		r.command("git", args...)
	}
}

// workflow lets act run the workflow of a pushed tag with secrets, and returns
// its log.
func (r *rehearsal) workflow(secrets ...string) (string, error) {
	r.writeFile(filepath.Join(r.work, "event.json"), `{"ref": "refs/tags/v`+r.version+`"}`)
	require.NoError(r.t, os.MkdirAll(r.artifacts(), 0o755))
	// scripts/channels rehearses what the other jobs do with the packages.
	args := []string{"push", "-j", "release", "-W", ".github/workflows/release.yml", "-e", filepath.Join(r.work, "event.json"),
		"-P", "ubuntu-24.04=-self-hosted", "--env", "GITHUB_API_URL=" + r.github.url, "-s", "GITHUB_TOKEN=" + jobToken}
	for _, pin := range regexp.MustCompile(`uses: (actions/(?:setup-go|attest|upload-artifact)@[0-9a-f]{40})`).FindAllStringSubmatch(r.read(".github/workflows/release.yml"), -1) {
		args = append(args, "--local-repository", pin[1]+"="+r.stub(pin[1]))
	}
	for _, secret := range secrets {
		args = append(args, "-s", secret)
	}
	cmd := exec.Command(filepath.Join(r.root, "bin", "act"), args...)
	cmd.Dir = r.tree
	cmd.Env = append(os.Environ(), "HOME="+r.work, "XDG_CONFIG_HOME="+filepath.Join(r.work, ".config"),
		"XDG_CACHE_HOME="+filepath.Join(r.work, ".cache"), "ATTESTED="+filepath.Join(r.work, "attested"), "ARTIFACTS="+r.artifacts())
	for _, variable := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY"} {
		cmd.Env = append(cmd.Env, variable+"="+strings.TrimSpace(r.command("go", "env", variable)))
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// artifacts returns the directory of the artifacts that a workflow keeps for its other
// jobs.
func (r *rehearsal) artifacts() string { return filepath.Join(r.work, "artifacts") }

// stub returns a directory with an action that replaces a pinned one: it changes the
// environment as setup-go does, and records the inputs of attest.
func (r *rehearsal) stub(pin string) string {
	dir := filepath.Join(r.work, strings.ReplaceAll(pin, "/", "-"))
	run := `echo "GOTOOLCHAIN=$(sed -n 's/^toolchain //p' "$GO_VERSION_FILE")" >>"$GITHUB_ENV"`
	inputs := []string{"go-version-file", "cache"}
	if strings.HasPrefix(pin, "actions/attest@") {
		run = `[ -z "$SUBJECT_CHECKSUMS" ] || test -s "$SUBJECT_CHECKSUMS"; [ -z "$SBOM_PATH" ] || test -s "$SBOM_PATH"
        jq -n '{Checksums: env.SUBJECT_CHECKSUMS, Path: env.SUBJECT_PATH, Name: env.SUBJECT_NAME, Digest: env.SUBJECT_DIGEST, SBOM: env.SBOM_PATH, Pushed: env.PUSH_TO_REGISTRY, Record: env.CREATE_STORAGE_RECORD}' >>"$ATTESTED"`
		inputs = []string{"subject-checksums", "subject-path", "subject-name", "subject-digest", "sbom-path", "push-to-registry", "create-storage-record"}
	}
	if strings.HasPrefix(pin, "actions/upload-artifact@") {
		run = `test "$OVERWRITE" = true || test ! -e "$ARTIFACTS/$NAME"; rm -rf "$ARTIFACTS/$NAME"; cp -R "$ARTIFACT_PATH" "$ARTIFACTS/$NAME"`
		inputs = []string{"name", "path", "if-no-files-found", "overwrite"}
	}
	action := "name: stub\ndescription: stub\ninputs:\n"
	env := ""
	for _, input := range inputs {
		action += "  " + input + ": {description: x}\n"
		variable := strings.ToUpper(strings.ReplaceAll(input, "-", "_"))
		if variable == "PATH" {
			variable = "ARTIFACT_PATH"
		}
		env += "        " + variable + ": ${{ inputs." + input + " }}\n"
	}
	action += "runs:\n  using: composite\n  steps:\n    - shell: bash\n      run: |\n        " + run + "\n      env:\n" + env
	r.writeFile(filepath.Join(dir, "action.yml"), action)
	return dir
}

// attestation is the inputs of an attestation, and its subject.
type attestation struct{ Checksums, Path, Name, Digest, SBOM, Pushed, Record string }

func (r *rehearsal) attested(t *testing.T) []attestation {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(r.work, "attested"))
	require.NoError(t, err)
	var all []attestation
	for decoder := json.NewDecoder(bytes.NewReader(content)); decoder.More(); {
		var a attestation
		require.NoError(t, decoder.Decode(&a))
		all = append(all, a)
	}
	return all
}

// digests are those of an image index and of the image of each processor, and the SHA-256
// of the programs in them.
type digests struct {
	index            string
	images, programs map[string]string
}

// imageDigests reads the image of the version from the registry, as a user's
// client would.
func (r *rehearsal) imageDigests(t *testing.T) digests {
	t.Helper()
	reference, err := name.ParseReference(r.image + ":" + r.version)
	require.NoError(t, err)
	login := remote.WithAuth(&authn.Basic{Username: "user", Password: jobToken})
	index, err := remote.Index(reference, login)
	require.NoError(t, err)
	digest, err := index.Digest()
	require.NoError(t, err)
	found := digests{index: digest.String(), images: map[string]string{}, programs: map[string]string{}}
	for _, processor := range []string{"amd64", "arm64"} {
		image, err := remote.Image(reference, login, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: processor}))
		require.NoError(t, err)
		digest, err := image.Digest()
		require.NoError(t, err)
		found.images[processor] = digest.String()
		layers, err := image.Layers()
		require.NoError(t, err)
		require.Len(t, layers, 1)
		content, err := layers[0].Uncompressed()
		require.NoError(t, err)
		found.programs[processor] = sum(member(t, content, "mcplumb"))
	}
	return found
}

func (r *rehearsal) assertNothingPublic(t *testing.T) {
	t.Helper()
	for _, release := range r.github.releases {
		assert.True(t, release.Draft, "a release is public")
	}
	assert.Empty(t, r.github.tap)
	assert.NoFileExists(t, filepath.Join(r.work, "attested"))
	assert.False(t, r.github.hasImages, "an image is public")
}

// command runs a program in the copy and returns its output.
func (r *rehearsal) command(program string, args ...string) string {
	r.t.Helper()
	if strings.HasPrefix(program, "scripts/") {
		program = filepath.Join(r.tree, program)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = r.tree
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(r.t, err, "%s: %s", program, stderr.String())
	return string(out)
}

func (r *rehearsal) read(file string) string {
	content, err := os.ReadFile(filepath.Join(r.tree, file))
	require.NoError(r.t, err)
	return string(content)
}

func (r *rehearsal) write(file, content string) { r.writeFile(filepath.Join(r.tree, file), content) }

func (r *rehearsal) writeFile(path, content string) {
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.t, os.WriteFile(path, []byte(content), 0o644))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Lstat(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(target, to))
		return
	}
	content, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, content, info.Mode().Perm()))
}

// archiveName returns the name of an archive, as action/run.sh also builds it.
func archiveName(version, platform string) string {
	if strings.HasPrefix(platform, "windows") {
		return "mcplumb_" + version + "_" + platform + ".zip"
	}
	return "mcplumb_" + version + "_" + platform + ".tar.gz"
}

// fileOf returns a file of a .tar.gz archive.
func fileOf(t *testing.T, archive []byte, name string) []byte {
	t.Helper()
	content, err := gzip.NewReader(bytes.NewReader(archive))
	require.NoError(t, err)
	return member(t, content, name)
}

// zipped returns a file of a .zip archive.
func zipped(t *testing.T, archive []byte, name string) []byte {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	opened, err := reader.Open(name)
	require.NoError(t, err)
	content, err := io.ReadAll(opened)
	require.NoError(t, err)
	return content
}

// member returns a file of a tar archive.
func member(t *testing.T, archive io.Reader, name string) []byte {
	t.Helper()
	for reader := tar.NewReader(archive); ; {
		header, err := reader.Next()
		require.NoError(t, err, "there is no %s", name)
		if header.Name == name {
			content, err := io.ReadAll(reader)
			require.NoError(t, err)
			return content
		}
	}
}

func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])
}
