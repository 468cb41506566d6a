package actors_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

// A file that is read and changed many times reaches the limit. Old contents are then removed
// together, so that the cache breaks rarely. The expected shares were measured with a Prune that
// removes nothing, with reads allowed up to Refuse: 89.8 % stayed cached with a limit of 30,000
// tokens, and 85.4 % with 20,000.
func TestMoreOfThePromptIsKeptThanWithASummary(t *testing.T) {
	for compact, least := range map[int]float64{30_000: 0.898, 20_000: 0.854} {
		t.Run(fmt.Sprint(compact), func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "a.go"), strings.Repeat("version 0 of a line of code\n", 330))
			cache := &keptPrompts{}
			var sent, summaries atomic.Int64
			script := then(append(mending(), mending()...)...)
			server := modeltest.StartFunc(t, cache.told(func(request modeltest.Request) modeltest.Step {
				sent.Add(int64(len(request.Raw) / 4))
				if len(request.Tools) == 0 {
					summaries.Add(1)
				}
				return script(request)
			}))
			tree := actorstest.Start(t, actorstest.Setup{
				Server: server, Home: t.TempDir(), Dir: dir, Policy: &actors.Policy{Coding: true}, Tools: append(files.Tools(), edit(t, dir)),
				Context: actors.ContextLimits{Warn: compact - 2000, Compact: compact, Refuse: 2 * compact},
			})
			if turn := tree.Prompt("mend it"); turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "done" {
				t.Fatalf("%+v", turn.Ended)
			}
			kept := 1 - float64(cache.anew)/float64(sent.Load())
			t.Logf("%d tokens were sent, %d read again: %.3f were kept", sent.Load(), cache.anew, kept)
			if kept < least || summaries.Load() > 0 || len(server.Requests()) != 49 {
				t.Errorf("%.3f of the requests was kept, with %d requests and %d summaries", kept, len(server.Requests()), summaries.Load())
			}
		})
	}
}
