package proc

import (
	"context"
	"os"
	"testing"
	"time"
)

// drained receives the output of a command, and its end.
type drained struct {
	*heard
	told func(stdout, stderr Output)
}

func (d drained) Drained(stdout, stderr Output) { d.told(stdout, stderr) }

func TestEndOfTheStreamsIsReported(t *testing.T) {
	for line, binary := range map[string]bool{"echo out; echo err >&2": false, "printf 'a\\0b'": true, "exec >&- 2>&-; sleep 0.1; exit 3": false} {
		all := &heard{line: make(chan struct{})}
		times, told, at := 0, false, ""
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		result, err := Run(ctx, Command{Shell: line, Dir: t.TempDir(), Environ: os.Environ(), Both: drained{all, func(stdout, stderr Output) {
			times, told, at = times+1, stdout.Binary(), all.String()
			if len(at) != int(stdout.Total+stderr.Total) {
				t.Errorf("%s: told of %d and %d bytes of %d", line, stdout.Total, stderr.Total, len(at))
			}
			panic("of the caller")
		}}})
		cancel()
		if err != nil || times != 1 || told != binary || at != all.String() || len(at) != int(result.Stdout.Total+result.Stderr.Total) {
			t.Errorf("%s: told %d times of binary %v behind %q, and ended with %+v, %v", line, times, told, at, result, err)
		}
	}
}
