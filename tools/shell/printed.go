package shell

import (
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// printing takes what a command prints: the spool all of it, and those who look at it now the
// newest lines.
type printing struct {
	spool  *tools.Spool
	recent *recent
}

func (p *printing) Write(more []byte) (int, error) {
	_, _ = p.spool.Write(more) // which never fails
	return p.recent.Write(more)
}

// told is what the command printed, as a model reads it, and where the rest of it is. It ends
// the spool.
func (p *printing) told(result proc.Result) (text, note string) {
	if result.Stderr.Total == 0 { // what goes through the spool would be both
		text = p.spool.KeepBinary(result.Stdout)
	}
	if text == "" {
		return told(result.Stdout, result.Stderr, p.spool)
	}
	return text, ""
}
