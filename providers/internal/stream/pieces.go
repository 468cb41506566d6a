package stream

import "marvin/providers"

// Pieces forwards the pieces of an answer. It holds text until Release is called, so that 20,000
// tokens do not become 20,000 messages. The reader of the stream calls Release before it waits for
// more data.
type Pieces struct {
	To func(providers.Part)

	held []byte
	kind providers.PartKind // the kind of the held text
	came int                // the number of pieces received so far
	kept int                // the number of bytes that Keep has not reported yet
}

// Say adds text to the held text. If the kind changes, Say first releases the held text.
func (p *Pieces) Say(kind providers.PartKind, text string) {
	if p.kind != kind {
		p.Release()
	}
	p.kind, p.held = kind, append(p.held, text...)
	p.came++
}

// Emit forwards the held text and then the part.
func (p *Pieces) Emit(part providers.Part) {
	p.Release()
	p.To(part)
	p.came++
}

// keptAtOnce is the minimum number of bytes that [Pieces.Keep] reports.
const keptAtOnce = 64 << 10

// Keep adds to the size of the data that is stored with the answer but not shown, such as sealed
// thoughts and signatures.
func (p *Pieces) Keep(bytes int) {
	if p.kept += bytes; p.kept >= keptAtOnce {
		p.Emit(providers.Part{Kind: providers.ThinkingPart, Kept: p.kept})
		p.kept = 0
	}
}

// Heard returns the number of pieces received so far.
func (p *Pieces) Heard() int { return p.came }

// Release forwards the held text.
func (p *Pieces) Release() {
	if len(p.held) > 0 {
		p.To(providers.Part{Kind: p.kind, Text: string(p.held)})
		p.held = p.held[:0]
	}
}
