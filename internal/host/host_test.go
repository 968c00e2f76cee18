package host

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDistanceOf(t *testing.T) {
	for host, want := range map[string]Distance{
		"localhost": Here, "app.localhost": Here, "127.0.0.1": Here, "127.8.8.8": Here, "::1": Here, "0.0.0.0": Here, "::ffff:127.0.0.1": Here,
		"host.docker.internal": Here, "localhost.": Here,
		"db": Near, "gateway.docker.internal": Near, "db.svc": Near, "app.test": Near, "172.17.0.1": Near, "100.100.1.2": Near, "box.tail1.ts.net": Near,
		"nas.local": Private, "10.0.0.7": Private, "192.168.1.2": Private, "172.18.0.1": Private, "fe80::1": Private, "wiki.corp": Private,
		"acme.dev": Public, "8.8.8.8": Public, "localhost.acme.dev": Public, "mylocalhost.dev": Public, "100.128.0.1": Public,
	} {
		assert.Equal(t, want, DistanceOf(host), host)
	}
}
