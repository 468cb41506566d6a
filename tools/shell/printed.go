package shell

import (
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// outputSink writes the output of a command to a spool and to the progress display.
type outputSink struct {
	spool  *tools.Spool
	recent *recent
}

func (p *outputSink) Write(more []byte) (int, error) {
	_, _ = p.spool.Write(more) // the spool never fails
	return p.recent.Write(more)
}

// forModel returns the command's output for the model, and a note on where the rest is. It closes
// the spool.
func (p *outputSink) forModel(result proc.Result) (text, note string) {
	if result.Stderr.Total == 0 { // the spool contains only standard output
		text = p.spool.KeepBinary(result.Stdout)
	}
	if text == "" {
		return reportFor(result.Stdout, result.Stderr, p.spool)
	}
	return text, ""
}
