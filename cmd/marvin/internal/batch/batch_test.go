package batch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

// running starts a batch of these lines without a host, so no line may need one.
func running(t *testing.T, lines string) (*Batch, *os.File, *bytes.Buffer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prompts.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	input, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = input.Close() })
	var out, stderr bytes.Buffer
	results, err := OpenResults("", input, &out, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Batch{Results: results, Bar: NewBar(&stderr, nil), Jobs: 2, Stderr: &stderr, Now: time.Now}, input, &out
}

func TestOutputIsPrintedAboveProgressBar(t *testing.T) {
	terminal, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = terminal.Close() }()
	var stderr, stdout bytes.Buffer
	bar := NewBar(&stderr, terminal)
	beside := bar.Wrap(&stdout)
	for _, write := range []func(){
		func() { bar.draw("1/2") },
		func() { _, _ = bar.Write([]byte("one\n")) },
		func() { _, _ = beside.Write([]byte("two\n")) },
		func() { bar.draw("2/2") },
		func() { _, _ = beside.Write([]byte("three\n")) },
		bar.End,
	} {
		write()
	}
	drawn, err := os.ReadFile(terminal.Name())
	if err != nil || string(drawn) != "\r1/2\x1b[K\r\x1b[K\r2/2\x1b[K\r\x1b[K" || stderr.String() != "one\n" || stdout.String() != "two\nthree\n" {
		t.Errorf("drawn %q, %q and %q, %v", drawn, stderr.String(), stdout.String(), err)
	}
}

func TestABatchOfBadLines(t *testing.T) {
	b, input, out := running(t, "no JSON\n\n{\"id\":\"a\"}\n"+`{"id":"b","prompt":"x","model":1}`)
	stopped := 0
	ended := b.Run(context.Background(), input, func() error { stopped++; return nil })
	if ended.Outcome != messages.Failed || ended.Err != nil || stopped != 1 || ended.Usage.Turns != 0 {
		t.Errorf("%+v, stopped %d times", ended, stopped)
	}
	var numbers []string
	for line := range strings.Lines(out.String()) {
		_, rest, _ := strings.Cut(line, `"line":`)
		number, _, _ := strings.Cut(rest, ",")
		numbers = append(numbers, number)
		if !strings.Contains(line, `"outcome":"failed"`) || strings.Contains(line, `"error":""`) {
			t.Errorf("%s", line)
		}
	}
	if got := strings.Join(numbers, " "); got != "1 3 4" {
		t.Errorf("lines %s have results", got)
	}
}

// An empty batch succeeds. A batch that a signal stopped reports the signal, and a batch whose host
// cannot stop reports that.
func TestBatchOutcome(t *testing.T) {
	b, input, _ := running(t, "\n\n")
	if ended := b.Run(context.Background(), input, func() error { return nil }); ended.Outcome != messages.Completed || ended.Err != nil {
		t.Errorf("nothing to ask: %+v", ended)
	}
	b, input, _ = running(t, "\n")
	broken := errors.New("it does not end")
	if ended := b.Run(context.Background(), input, func() error { return broken }); ended.Outcome != messages.Failed || !errors.Is(ended.Err, broken) {
		t.Errorf("a host that does not end: %+v", ended)
	}
	b, input, out := running(t, `{"id":"a","prompt":"x"}`)
	signalled, signal := context.WithCancel(context.Background())
	signal()
	ended := b.Run(signalled, input, func() error { return nil })
	if ended.Outcome != messages.Failed || ended.Err == nil || ended.Err.Error() != "stopped by a signal; the answers so far are stored" || out.Len() > 0 {
		t.Errorf("a signal: %+v, %s", ended, out)
	}
}

func TestABatchWithoutAPlaceForResultsStops(t *testing.T) {
	b, input, _ := running(t, strings.Repeat("no JSON\n", 1000))
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	_ = reader.Close() // the reader is gone
	if b.Results, err = OpenResults("", input, writer, nil); err != nil {
		t.Fatal(err)
	}
	ended := b.Run(context.Background(), input, func() error { return nil })
	if ended.Outcome != messages.Failed || ended.Err == nil || !strings.Contains(ended.Err.Error(), "write the results: ") {
		t.Errorf("%+v", ended)
	}
}
