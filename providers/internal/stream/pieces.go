package stream

import "marvin/providers"

// Pieces passes the pieces of an answer on. Text that arrives together is passed on
// together: 20,000 tokens need not be 20,000 mails. What comes alone passes at once, because
// whoever reads the stream releases what is held before waiting for more.
type Pieces struct {
	To func(providers.Part)

	held []byte
	kind providers.PartKind // of what is held
	came int                // pieces so far
}

// Say passes text on with what came together with it.
func (p *Pieces) Say(kind providers.PartKind, text string) {
	if p.kind != kind {
		p.Release()
	}
	p.kind, p.held = kind, append(p.held, text...)
	p.came++
}

// Emit passes a part on at once, behind what is held.
func (p *Pieces) Emit(part providers.Part) {
	p.Release()
	p.To(part)
	p.came++
}

// Heard is how many pieces came.
func (p *Pieces) Heard() int { return p.came }

// Release passes on what is held.
func (p *Pieces) Release() {
	if len(p.held) > 0 {
		p.To(providers.Part{Kind: p.kind, Text: string(p.held)})
		p.held = p.held[:0]
	}
}
