// Package host tells how far away a host is.
package host

import (
	"net/netip"
	"strings"
)

// Distance is how far away a host is, nearest first.
type Distance uint8

// The distances.
const (
	Here    Distance = iota // this machine
	Near                    // a container beside it, or an encrypted private network
	Private                 // a local network
	Public                  // anywhere else
)

// DistanceOf returns how far away a host is: a name in small letters or an
// address, without port and brackets. The public names that always resolve to
// 127.0.0.1 are Near.
func DistanceOf(host string) Distance {
	host = strings.TrimSuffix(host, ".")
	if address, err := netip.ParseAddr(host); err == nil {
		return distanceOfAddress(address.Unmap())
	}
	switch {
	case isIn(host, "localhost", "host.docker.internal", "host.containers.internal"):
		return Here
	case !strings.Contains(host, "."), // a service of a container network
		isIn(host, "test", "docker.internal", "containers.internal", "orb.local", "svc", "svc.cluster.local",
			"lvh.me", "localtest.me", "ddev.site", "lndo.site", "ts.net"):
		return Near
	case isIn(host, "local", "localdomain", "lan", "home", "home.arpa", "internal", "intranet", "corp", "private"):
		return Private
	}
	return Public
}

// distanceOfAddress knows the gateway of docker's containers (172.17.0.1), and
// the addresses of a mesh that encrypts (100.64.0.0/10, Tailscale).
func distanceOfAddress(a netip.Addr) Distance {
	switch {
	case a.IsLoopback() || a.IsUnspecified():
		return Here
	case a == netip.AddrFrom4([4]byte{172, 17, 0, 1}), netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10).Contains(a):
		return Near
	case a.IsPrivate() || a.IsLinkLocalUnicast():
		return Private
	}
	return Public
}

// isIn reports whether a host is in one of the domains.
func isIn(host string, domains ...string) bool {
	for _, domain := range domains {
		if rest, ok := strings.CutSuffix(host, domain); ok && (rest == "" || strings.HasSuffix(rest, ".")) {
			return true
		}
	}
	return false
}
