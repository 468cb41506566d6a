package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/messages"
	"marvin/tools"
	"marvin/ui"
)

// program is the host of a batch. Its conversations repeat the text in the prompt, in two rounds
// that cost a quarter of a dollar each.
type program struct {
	mu     sync.Mutex
	opened []Talk
	sent   []messages.Op
}

func (p *program) Open(talk Talk) (ui.Client, error) {
	if talk.Choice.Model == "full" {
		return nil, errors.New("there is no room")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened = append(p.opened, talk)
	return &conversation{program: p, talk: talk, batches: make(chan []messages.Envelope, 4)}, nil
}

func (p *program) Choose(choice actors.Choice) (actors.Choice, error) {
	if choice.Provider == "grok" {
		return choice, errors.New("no key for grok")
	}
	return choice, nil
}

func (p *program) Role(name string) (actors.Choice, error) {
	if name == "vision" {
		return actors.Choice{}, errors.New("nobody sees")
	}
	return actors.Choice{Provider: "roles", Model: name}, nil
}

func (p *program) Dir(path string) (string, error) {
	if path == "gone" {
		return "", os.ErrNotExist
	}
	return "/work/" + path, nil
}

func (p *program) Picture(path, dir string) (messages.Picture, error) {
	if path == "gone.png" {
		return messages.Picture{}, os.ErrNotExist
	}
	return messages.Picture{Name: path, Path: dir + "/" + path}, nil
}

// conversation answers one prompt. "fail" fails, and "stop TEXT" is only partly answered.
type conversation struct {
	program *program
	talk    Talk
	batches chan []messages.Envelope
}

func (c *conversation) Send(op messages.Op) {
	c.program.mu.Lock()
	c.program.sent = append(c.program.sent, op)
	c.program.mu.Unlock()
	prompt, ok := op.(messages.Prompt)
	if !ok {
		return
	}
	tell := func(events ...messages.Event) {
		var batch []messages.Envelope
		for _, event := range events {
			batch = append(batch, messages.Envelope{Session: "s", Event: event})
		}
		c.batches <- batch
	}
	usage := messages.Usage{Turns: 1, Cost: 0.25, ModelTurns: map[string]int{"m": 1}, ModelCost: map[string]float64{"m": 0.25}}
	tell(messages.Notice{Text: "of everybody"}, messages.ToolsCalled{Names: []string{"grep"}}, messages.ToolStarted{Title: "grep x"}, messages.UsageChanged{Usage: usage})
	usage = usage.Plus(usage)
	end := messages.TurnEnded{Outcome: messages.Completed, Text: "to " + prompt.Text, Usage: usage}
	switch word, _, _ := strings.Cut(prompt.Text, " "); word {
	case "fail":
		end.Outcome, end.Text, end.Err = messages.Failed, "", "it broke"
	case "stop":
		end.Outcome, end.Err = messages.Incomplete, "cut"
	}
	tell(messages.Text{Chunk: "x"}, messages.UsageChanged{Usage: usage}, end)
}

func (c *conversation) Next(ctx context.Context) ([]messages.Envelope, error) {
	select {
	case batch := <-c.batches:
		return batch, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ran runs a batch to its end and returns its results by line.
func ran(t *testing.T, lines string, change func(*Batch)) (Ended, map[int]Result, string) {
	t.Helper()
	b, input, out := running(t, lines)
	moment := time.Unix(1000, 0)
	b.Now = func() time.Time { moment = moment.Add(time.Second / 4); return moment }
	b.Jobs, b.Choice = 1, actors.Choice{Provider: "groq", Model: "llama"}
	change(b)
	ended := b.Run(t.Context(), input, func() error { return nil })
	results := map[int]Result{}
	for line := range strings.Lines(out.String()) {
		var one Result
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		results[one.Line] = one
	}
	return ended, results, b.Stderr.(*bytes.Buffer).String()
}

func TestEachLineIsAskedOfWhomItNames(t *testing.T) {
	host := &program{}
	const lines = `{"id":"1","prompt":"plain"}
{"id":"2","prompt":"a model","model":"large"}
{"id":"3","prompt":"a provider","provider":"mine"}
{"id":"4","prompt":"both","provider":"mine","model":"large"}
{"id":"5","prompt":"a role","role":"review"}
{"id":"6","prompt":"a place","working_dir":"a","images":["b.png","c.png"]}
{"id":"7","prompt":"x","provider":"grok"}
{"id":"8","prompt":"x","role":"vision"}
{"id":"9","prompt":"x","working_dir":"gone"}
{"id":"10","prompt":"x","images":["gone.png"]}
{"id":"11","prompt":"x","model":"full"}
{"id":"12","prompt":"fail"}
{"id":"13","prompt":"stop here"}
`
	ended, results, stderr := ran(t, lines, func(b *Batch) { b.Host = host })
	var talks []string
	for _, talk := range host.opened {
		names := ""
		for _, picture := range talk.Pictures {
			names += " " + picture.Path
		}
		talks = append(talks, strings.TrimSpace(fmt.Sprintf("%s %s %s%s", talk.Choice.Provider, talk.Choice.Model, talk.Dir, names)))
		if talk.Spending == nil || talk.Spending != host.opened[0].Spending || talk.Doing != nil {
			t.Errorf("%+v", talk)
		}
	}
	if want := []string{"groq llama", "groq large", "mine", "mine large", "roles review", "groq llama /work/a /work/a/b.png /work/a/c.png", "groq llama", "groq llama"}; !slices.Equal(talks, want) {
		t.Errorf("asked were %q", talks)
	}
	for line, want := range map[int]string{
		1: "completed to plain ", 6: "completed to a place ", 7: "failed  no key for grok", 8: "failed  nobody sees", 9: "failed  working_dir: file does not exist",
		10: "failed  images: gone.png: file does not exist", 11: "failed  there is no room", 12: "failed  it broke", 13: "incomplete to stop here cut",
	} {
		if got := results[line]; fmt.Sprintf("%s %s %s", got.Outcome, got.Text, got.Error) != want || got.ID != fmt.Sprint(line) || got.Version != 1 || got.Worker != "" {
			t.Errorf("line %d: %+v, want %s", line, got, want)
		}
		if asked := line != 7 && line != 8 && line != 9 && line != 10; asked != (results[line].Asked != "") || asked != (results[line].Took == 0.25) || asked && line != 11 && results[line].Cost != 0.5 {
			t.Errorf("line %d: %+v", line, results[line])
		}
	}
	if len(results) != 13 || ended.Outcome != messages.Failed || ended.Err != nil || ended.Usage.Cost != 4 || ended.Usage.Turns != 16 || stderr != "of everybody\n" {
		t.Errorf("%d results, %+v, %q", len(results), ended, stderr)
	}
	var prompts, quits int
	for _, op := range host.sent {
		switch op.(type) {
		case messages.Prompt:
			prompts++
		case messages.Quit:
			quits++
		}
	}
	if prompts != 8 || quits != 8 {
		t.Errorf("%d prompts, and %d conversations ended", prompts, quits)
	}
	ended, results, _ = ran(t, "{\"id\":\"1\",\"prompt\":\"a\"}\n{\"id\":\"2\",\"prompt\":\"b\"}\n", func(b *Batch) { b.Host = &program{} })
	if len(results) != 2 || ended.Outcome != messages.Completed {
		t.Errorf("%+v", ended)
	}
}

// At its cost limit a batch ends: no other prompt is asked, and the reason is reported.
func TestABatchMayCostSoMuch(t *testing.T) {
	lines := strings.Repeat("x", 0)
	for i := range 9 {
		lines += fmt.Sprintf("{\"id\":\"%d\",\"prompt\":\"p\"}\n", i)
	}
	for limit, asked := range map[float64]int{0: 9, 0.26: 1, 0.5: 1, 0.75: 2, 1: 2, 1.25: 3, 100: 9} {
		host := &program{}
		ended, results, _ := ran(t, lines, func(b *Batch) { b.Host, b.MaxCost = host, limit })
		var want error
		if asked < 9 {
			want = fmt.Errorf("%w ($%g)", errBatchCost, limit)
		}
		if len(host.opened) != asked || len(results) != asked || fmt.Sprint(ended.Err) != fmt.Sprint(want) || (ended.Outcome == messages.Completed) != (asked == 9) {
			t.Errorf("of %g: %d asked, %d results, %v", limit, len(host.opened), len(results), ended.Err)
		}
	}
}

// The caller that asks a single prompt receives its progress, and its cost as it arises.
func TestPromptProgress(t *testing.T) {
	host, notes := &program{}, &strings.Builder{}
	a := &Asker{Host: host, Choice: actors.Choice{Provider: "groq"}, Notes: notes, Now: time.Now}
	var said []string
	var costs []float64
	talk := Talk{Dir: "/mine", Choice: actors.Choice{Provider: "nobody"}, Doing: func(doing tools.TaskProgress) {
		said = append(said, fmt.Sprintf("%d %s %g", doing.Rounds, doing.Title, doing.Usage.Cost))
	}}
	result := a.Answer(t.Context(), Prompt{ID: "1", Text: "go", Dir: "else"}, talk, func(cost float64) { costs = append(costs, cost) })
	if want := []string{"1  0", "1 grep x 0", "1 grep x 0.25", "1 grep x 0.5"}; !slices.Equal(said, want) || !slices.Equal(costs, []float64{0.25, 0.25}) {
		t.Errorf("%q, %v", said, costs)
	}
	if result.Text != "to go" || !result.Begun || host.opened[0].Dir != "/mine" || host.opened[0].Choice.Provider != "groq" || notes.String() != "of everybody\n" {
		t.Errorf("%+v of %+v, %q", result, host.opened, notes)
	}
	a.Answer(t.Context(), Prompt{Text: "go", Dir: "else"}, Talk{}, func(float64) {})
	if result := a.Answer(t.Context(), Prompt{ID: "2", Line: 3, Provider: "grok"}, talk, nil); result.Error != "no key for grok" || result.Begun || result.Line != 3 || host.opened[1].Dir != "/work/else" {
		t.Errorf("%+v, %+v", result, host.opened[1])
	}
}

func TestNotesAreReportedOnce(t *testing.T) {
	var out strings.Builder
	once := Deduplicated(&out)
	for range 2 {
		for i := range 25 {
			if n, err := fmt.Fprintf(once, "%d,", i); err != nil || n < 2 {
				t.Errorf("%d, %v", n, err)
			}
		}
	}
	if want := "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"; out.String() != want {
		t.Errorf("%s", out.String())
	}
}

// The prompts come from a file, relative to a directory, or from a pipe. Their number is known only
// for a file, whose reading position does not change.
func TestPromptSources(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.jsonl"), []byte("a\n\nb\nc"), 0o600); err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	for _, path := range []string{"p.jsonl", filepath.Join(dir, "p.jsonl")} {
		file, err := OpenPrompts(path, dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(file)
		if countPrompts(file) != 3 || string(text) != "a\n\nb\nc" {
			t.Errorf("%d prompts in %q", countPrompts(file), text)
		}
		file.Close()
		if countPrompts(file) != 0 {
			t.Error("a closed file has prompts")
		}
	}
	if file, err := OpenPrompts("-", dir, read); err != nil || file != read || countPrompts(file) != 0 {
		t.Errorf("%v, %v", file, err)
	}
	for path, want := range map[string]string{
		"-":    `"marvin batch -" reads the prompts from a pipe, but standard input is not a pipe. Name a file with one JSON object per line: {"id":"1","prompt":"…"}`,
		"none": "the prompts cannot be read: open " + dir + `/none: no such file or directory; each line must be one JSON object: {"id":"1","prompt":"…"}`,
		dir:    "the prompts: " + dir + " is a directory; name a file in it",
	} {
		if file, err := OpenPrompts(path, dir, nil); err == nil || err.Error() != want || file != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
