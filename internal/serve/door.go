package serve

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// maxOfPeer is how many connections one peer may have open at once, that is one address of
// IPv4 or one network of IPv6. This machine itself may have all of them: a proxy in front of
// the catalog connects from here for everyone.
const maxOfPeer = 32

// maxSilence is how long a new connection may say nothing while others wait for its place.
const maxSilence = time.Second

// door is a listener that keeps as many connections as there is room for. Without room it
// closes the connection that has been idle for the longest.
type door struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once

	mutex sync.Mutex
	all   map[*visit]bool
}

// visit is a connection.
type visit struct {
	net.Conn
	door  *door
	once  sync.Once
	peer  netip.Prefix // the zero value for this machine
	state http.ConnState
	since time.Time // when it came to its state
}

func newDoor(l net.Listener) *door {
	return &door{Listener: l, places: make(chan struct{}, maxConnections), closed: make(chan struct{}), all: map[*visit]bool{}}
}

// Close closes the listener.
func (d *door) Close() error {
	d.once.Do(func() { close(d.closed) })
	return d.Listener.Close()
}

// Accept waits for a connection, and for a place for it.
func (d *door) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		peer := peerOf(c.RemoteAddr())
		if !d.makeRoom(peer) {
			_ = c.Close() // it has enough of them
			continue
		}
		if !d.wait() {
			_ = c.Close()
			return nil, net.ErrClosed
		}
		v := &visit{Conn: c, door: d, peer: peer, state: http.StateNew, since: time.Now()}
		d.mutex.Lock()
		d.all[v] = true
		d.mutex.Unlock()
		return v, nil
	}
}

// makeRoom closes an idle connection of a peer that has as many as it may, and reports whether
// it may have another one.
func (d *door) makeRoom(peer netip.Prefix) bool {
	if !peer.IsValid() {
		return true
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	count := 0
	for v := range d.all {
		if v.peer == peer {
			count++
		}
	}
	return count < maxOfPeer || d.closeIdle(func(v *visit) bool { return v.peer == peer })
}

// wait waits for a place. It is false where the listener is closed before.
func (d *door) wait() bool {
	for {
		select {
		case d.places <- struct{}{}:
			return true
		default:
		}
		d.mutex.Lock()
		d.closeIdle(func(*visit) bool { return true })
		d.mutex.Unlock()
		again := time.NewTimer(maxSilence)
		select {
		case d.places <- struct{}{}:
			again.Stop()
			return true
		case <-d.closed:
			again.Stop()
			return false
		case <-again.C: // others have become idle since
		}
	}
}

// closeIdle closes the connection that has been idle for the longest of those that it may, if
// there is one. The mutex is held.
func (d *door) closeIdle(may func(*visit) bool) bool {
	var oldest *visit
	for v := range d.all {
		isIdle := v.state == http.StateIdle || v.state == http.StateNew && time.Since(v.since) >= maxSilence
		if isIdle && may(v) && (oldest == nil || v.since.Before(oldest.since)) {
			oldest = v
		}
	}
	if oldest == nil {
		return false
	}
	delete(d.all, oldest)
	_ = oldest.Conn.Close() // the server sees it, and closes the visit
	return true
}

// note keeps the state of a connection.
func (d *door) note(c net.Conn, state http.ConnState) {
	v, isVisit := c.(*visit)
	if !isVisit {
		return
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if v.state != state {
		v.state, v.since = state, time.Now()
	}
}

// Close ends the connection, and gives its place to another one.
func (v *visit) Close() error {
	err := v.Conn.Close()
	v.once.Do(func() {
		v.door.mutex.Lock()
		delete(v.door.all, v)
		v.door.mutex.Unlock()
		<-v.door.places
	})
	return err
}

// peerOf returns who is at an address, the zero value for this machine.
func peerOf(address net.Addr) netip.Prefix {
	at, isTCP := address.(*net.TCPAddr)
	if !isTCP || at.IP.IsLoopback() {
		return netip.Prefix{}
	}
	ip := at.AddrPort().Addr().Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	peer, _ := ip.Prefix(bits) // of an address of that kind there is one
	return peer
}
