package mcp

import "slices"

// Fresh returns a copy of a document as it was read, for a separate repository: links and tools
// write what they find into the copy. Parts that no link changes are shared, and d must not have
// been linked.
func (d *Document) Fresh() *Document {
	if d == nil {
		return nil
	}
	fresh := *d
	servers := make([]Server, len(d.Servers))
	if d.Servers != nil {
		fresh.Servers = make([]*Server, len(d.Servers))
	}
	for i, s := range d.Servers {
		servers[i] = *s
		servers[i].Document = &fresh
		if s.extra != nil {
			extra := *s.extra
			extra.Off = slices.Clip(extra.Off)
			servers[i].extra = &extra
		}
		fresh.Servers[i] = &servers[i]
	}
	if d.Lock != nil {
		lock := *d.Lock
		lock.Entries = fresh.freshEntries(lock.Entries)
		fresh.Lock = &lock
	}
	fresh.Tracked = fresh.freshEntries(d.Tracked)
	return &fresh
}

// freshEntries returns entries as they were read, for the document.
func (d *Document) freshEntries(entries []*LockEntry) []*LockEntry {
	if entries == nil {
		return nil
	}
	all, fresh := make([]LockEntry, len(entries)), make([]*LockEntry, len(entries))
	for i, e := range entries {
		all[i] = *e
		all[i].Document = d
		fresh[i] = &all[i]
	}
	return fresh
}
