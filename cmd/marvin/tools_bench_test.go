package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// Sixteen calls of one round to a service that takes 100 ms: under 150 ms until the
// model is asked again.
func BenchmarkSixteenCallsAtOnce(b *testing.B) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(100 * time.Millisecond)
		_, _ = io.WriteString(w, `[{"word":"go","meanings":[{"partOfSpeech":"verb","definitions":[{"definition":"to move"}]}]}]`)
	}))
	b.Cleanup(upstream.Close)
	c := compete(b, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("done")
		}
		calls := make([]modeltest.Call, 16)
		for i := range calls {
			calls[i] = modeltest.Call{Name: "dictionary_lookup", Args: map[string]string{"word": fmt.Sprintf("word%c", 'a'+i)}}
		}
		return modeltest.Calls(calls...)
	})
	for b.Loop() {
		c.turnings = nil
		for range 9 {
			command := c.command(c.marvin, "look them up")
			command.Env = append(command.Env, "MARVIN_HOSTS=api.dictionaryapi.dev="+upstream.URL)
			if out, err := command.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
		slices.Sort(c.turnings)
		report(b, map[string]float64{"round-ms": ms(c.turnings[len(c.turnings)/2])})
	}
}

// The list of all tools, and a request that needs the index, against a start that does
// nothing: under 10 ms more.
func BenchmarkToolsAndIndex(b *testing.B) {
	c := compete(b, func(modeltest.Request) modeltest.Step { return modeltest.Text("unused") })
	took := func(args ...string) time.Duration {
		var all []time.Duration
		for range 21 {
			command := exec.Command(c.marvin, args...)
			command.Env = []string{"HOME=" + c.dir}
			begun := time.Now()
			if out, err := command.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			all = append(all, time.Since(begun))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	for b.Loop() {
		nothing := took("--version")
		report(b, map[string]float64{
			"tools-more-ms": ms(took("tools") - nothing),
			"index-more-ms": ms(took("tool", "find_tools", "query=convert currency") - nothing),
		})
	}
}

// What recording adds to the turnaround of a tool: the audit log and a kept conversation
// against neither, in turn. At most 0.2 ms more.
func BenchmarkRecording(b *testing.B) {
	c := compete(b, func(request modeltest.Request) modeltest.Step {
		if calls := len(request.Messages) / 2; calls < 50 {
			return modeltest.Calls(modeltest.Call{Name: "calculate", Args: map[string]string{"expression": fmt.Sprint("1+", calls)}})
		}
		return modeltest.Text("done")
	})
	run := func(args ...string) (turnings []time.Duration) {
		c.turnings = nil
		command := c.command(c.marvin, "go on")
		command.Args = append(command.Args, args...)
		if len(args) > 0 {
			command.Env = append(command.Env, "MARVIN_SUBAGENT_LOG="+c.dir+"/audit.jsonl")
		}
		if out, err := command.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return c.turnings
	}
	for b.Loop() {
		var bare, kept []time.Duration
		for i := range 9 {
			bare = append(bare, run()...)
			kept = append(kept, run("--session", fmt.Sprint("s", b.N, "-", i))...)
		}
		slices.Sort(bare)
		slices.Sort(kept)
		report(b, map[string]float64{"bare-ms": ms(bare[len(bare)/2]), "recording-more-ms": ms(kept[len(kept)/2] - bare[len(bare)/2])})
	}
}
