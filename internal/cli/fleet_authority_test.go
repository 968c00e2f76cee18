package cli_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// authority makes a certificate authority that no system trusts, and a server certificate from
// it for this machine and git.example.com.
func authority(t *testing.T) (root []byte, leaf tls.Certificate) {
	t.Helper()
	now := time.Now()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Acme"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	signed, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	require.NoError(t, err)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	of := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "git.example.com"}, NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		DNSNames: []string{"git.example.com"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, of, ca, &key.PublicKey, caKey)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: key}
}

// fleetCheckAs checks the repositories of a list into a new directory, with variables that
// git sees, too.
func fleetCheckAs(t *testing.T, dir, list string, variables ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cli.Main(t.Context(), cli.Env{
		Args: []string{"fleet", "check", "--repos", "-", "--out", t.TempDir()}, Stdin: strings.NewReader(list), Stdout: &out, Stderr: &errs,
		Environ: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}, variables...),
		Getenv:  func(string) string { return "" }, Now: func() time.Time { return time.Unix(0, 0) }, Dir: dir,
		IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath, Version: "1.2.3",
	})
	return out.String(), errs.String()
}

// TestFleetCheckAuthority reads from a server with a certificate of the organization's own
// authority where git clone does, and where the person says so alone.
func TestFleetCheckAuthority(t *testing.T) {
	plain := newGitServer(t, "")
	plain.add(t, "acme/api.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	root, leaf := authority(t)
	s := httptest.NewUnstartedServer(plain.Config.Handler)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{leaf}}
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	home := t.TempDir()
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, root, 0o644))
	configured := t.TempDir()
	write(t, configured, ".gitconfig", "[http]\n\tsslCAInfo = "+file+"\n")
	list := s.URL + "/acme/api.git\n"

	const isRead, isFailed = "1 repository: 1 read, 0 unchanged, 0 failed\n", "1 repository: 0 read, 0 unchanged, 1 failed\n"
	// A repository around the temporary files has nothing to say.
	around := t.TempDir()
	git(t, around, "init", "-q")
	git(t, around, "config", "http.sslVerify", "false")
	git(t, around, "config", "http.sslCAInfo", file)
	t.Setenv("TMPDIR", around)
	for _, c := range []struct {
		name, home, want string
		variables        []string
	}{
		{"nothing", home, isFailed, nil},
		{"GIT_SSL_NO_VERIFY", home, isFailed, []string{"GIT_SSL_NO_VERIFY=1"}},
		{"GIT_SSL_CAINFO", home, isRead, []string{"GIT_SSL_CAINFO=" + file}},
		{"settings of the person", configured, isRead, nil},
		{"settings that a variable names", home, isRead, []string{"GIT_CONFIG_GLOBAL=" + filepath.Join(configured, ".gitconfig")}},
	} {
		stdout, stderr := fleetCheckAs(t, c.home, list, c.variables...)
		require.Equal(t, c.want, stdout, "%s: %s", c.name, stderr)
		if c.want == isFailed {
			require.Contains(t, stderr, "certificate", c.name)
		}
	}

	// A proxy that HTTPS_PROXY names can reach a host that is not in DNS.
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != "git.example.com:443" {
			http.Error(w, "only there", http.StatusForbidden)
			return
		}
		asked.Add(1)
		to, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			return
		}
		defer to.Close()
		from, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		fmt.Fprint(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, from) }()
		_, _ = io.Copy(from, to)
	}))
	t.Cleanup(proxy.Close)
	stdout, stderr := fleetCheckAs(t, configured, "https://git.example.com/acme/api.git\n", "HTTPS_PROXY="+proxy.URL)
	require.Equal(t, isRead, stdout, stderr)
	require.NotZero(t, asked.Load())
	stdout, stderr = fleetCheckAs(t, configured, list, "HTTPS_PROXY="+proxy.URL)
	require.Equal(t, isFailed, stdout)
	require.Contains(t, stderr, "403")
	stdout, stderr = fleetCheckAs(t, configured, list, "HTTPS_PROXY="+proxy.URL, "NO_PROXY=127.0.0.1")
	require.Equal(t, isRead, stdout, stderr)
}
