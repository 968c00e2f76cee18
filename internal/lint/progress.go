package lint

import (
	"fmt"
	"sync/atomic"
)

// Progress reports how far a run is, to a concurrent reader. The zero value is ready to
// use; nil means that there is no reader.
type Progress struct {
	step        atomic.Int32
	done, total atomic.Int64
}

// step is a long step of a run.
type step int32

const (
	stepDiscover step = iota
	stepRead
	stepFacts
	stepAsk
	stepCheck
)

// begin starts a step with so many parts.
func (p *Progress) begin(s step, total int) {
	if p == nil {
		return
	}
	p.done.Store(0)
	p.total.Store(int64(total))
	p.step.Store(int32(s))
}

// advance finishes one part of the step.
func (p *Progress) advance() {
	if p != nil {
		p.done.Add(1)
	}
}

// String returns it in a few words: "reading 120 of 1000 files".
func (p *Progress) String() string {
	done, total := p.done.Load(), p.total.Load()
	switch step(p.step.Load()) {
	case stepRead:
		return fmt.Sprintf("reading %d of %d files", done, total)
	case stepFacts:
		return "looking for installed packages"
	case stepAsk:
		return "asking registries"
	case stepCheck:
		return fmt.Sprintf("checking %d of %d projects", done, total)
	}
	return "looking for files"
}
