package shell

import (
	"sync"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// printing takes what a command prints: the spool all of it, and those who look at it now the
// newest lines. When no more can come the result is written, which takes 0.2 ms for a long one,
// while the system still ends the command.
type printing struct {
	spool  *tools.Spool
	recent *recent

	mutex      sync.Mutex
	text, note string // see told
	ready      bool
}

func (p *printing) Write(more []byte) (int, error) {
	_, _ = p.spool.Write(more) // which never fails
	return p.recent.Write(more)
}

// Drained is part of [proc.Drained].
func (p *printing) Drained(stdout, stderr proc.Output) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.ready {
		p.write(stdout, stderr)
	}
}

// told is what the command printed, as a model reads it, and where the rest of it is. It ends
// the spool.
func (p *printing) told(result proc.Result) (text, note string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.ready {
		p.write(result.Stdout, result.Stderr)
	}
	return p.text, p.note
}

func (p *printing) write(stdout, stderr proc.Output) {
	text, note := "", ""
	if stderr.Total == 0 { // what goes through the spool would be both
		text = p.spool.KeepBinary(stdout)
	}
	if text == "" {
		text, note = told(stdout, stderr, p.spool)
	}
	p.text, p.note, p.ready = text, note, true
}
