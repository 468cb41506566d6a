//go:build unix

package tui_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/tui"
)

// This command measures the full screen, on a terminal of 200×60 cells that only counts bytes:
//
//	go test -run '^$' -bench Screen -benchtime 1x ./ui/tui

// stream is a conversation that merges unread events, as the real one does.
type stream struct {
	mutex  sync.Mutex
	batch  []messages.Envelope
	ready  chan struct{}
	closed bool
}

func newStream() *stream { return &stream{ready: make(chan struct{}, 1)} }

func (s *stream) say(event messages.Event) {
	s.mutex.Lock()
	last := len(s.batch) - 1
	if text, ok := event.(messages.Text); ok && last >= 0 {
		if before, ok := s.batch[last].Event.(messages.Text); ok {
			s.batch[last].Event, event = messages.Text{Chunk: before.Chunk + text.Chunk}, nil
		}
	}
	if event != nil {
		s.batch = append(s.batch, messages.Envelope{At: time.Now(), Event: event})
	}
	s.mutex.Unlock()
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

func (s *stream) Send(op messages.Op) {
	if _, quit := op.(messages.Quit); quit {
		s.say(messages.Closed{})
	}
}

func (s *stream) Next(ctx context.Context) ([]messages.Envelope, error) {
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	batch := s.batch
	s.batch = nil
	if s.closed {
		return nil, io.EOF
	}
	return batch, nil
}

// meter is a terminal that counts the written bytes, and reports when a text was written.
type meter struct {
	*wire
	mutex sync.Mutex
	bytes int
	want  []byte
	seen  chan time.Time
}

func (m *meter) Write(data []byte) (int, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.bytes += len(data)
	if m.want != nil && bytes.Contains(data, m.want) {
		m.want = nil
		m.seen <- time.Now()
	}
	return len(data), nil
}

func (m *meter) written() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.bytes
}

// until calls the function do and returns the time until a text that follows from it is on the
// screen.
func (m *meter) until(text string, do func()) time.Duration {
	m.mutex.Lock()
	m.want = []byte(text)
	m.mutex.Unlock()
	begun := time.Now()
	do()
	return (<-m.seen).Sub(begun)
}

// measure opens a screen with this number of messages.
func measure(b *testing.B, messageCount int, changes ...func(*tui.Config)) (*stream, *meter) {
	b.Helper()
	info, err := tcell.LookupTerminfo("xterm-256color")
	if err != nil {
		b.Fatal(err)
	}
	line := &meter{wire: newWire(200, 60), seen: make(chan time.Time, 1)}
	screen, err := tcell.NewTerminfoScreenFromTtyTerminfo(line, info)
	if err != nil {
		b.Fatal(err)
	}
	if err := screen.Init(); err != nil {
		b.Fatal(err)
	}
	talk := newStream()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	config := tui.Config{Client: talk, Now: time.Now, Scroll: true}
	for _, change := range changes {
		change(&config)
	}
	go func() { ended <- tui.On(screen).Run(ctx, config) }()
	b.Cleanup(func() { stop(); <-ended })
	talk.say(opened)
	line.until("ready", func() {
		for i := range messageCount / 2 {
			talk.say(messages.TurnStarted{Prompt: fmt.Sprintf("question %d", i)})
			talk.say(messages.Text{Chunk: paragraph(i)})
			talk.say(messages.TurnEnded{Outcome: messages.Completed, Text: "x"})
		}
		talk.say(messages.Notice{Text: "ready"})
	})
	return talk, line
}

// paragraph returns an answer of about 500 bytes.
func paragraph(i int) string {
	return fmt.Sprintf("Answer **%d**, with `code` and a list:\n\n", i) + strings.Repeat("- an item that says a few words more than it should have to\n", 6) + "\n```go\nfunc main() { println(1) }\n```\nThat is all.\n"
}

// tokens streams a number of words per second until it is stopped.
func tokens(talk *stream, rate int, stop <-chan struct{}) (sent func() int) {
	words := strings.SplitAfter(strings.Repeat("some words of an answer that goes on and on, as they do when nobody asks them to be brief. ", 4)+"\n\n", " ")
	count, ended := 0, make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second / time.Duration(rate))
		defer tick.Stop()
		for ; ; count++ {
			select {
			case <-tick.C:
				talk.say(messages.Text{Chunk: words[count%len(words)]})
			case <-stop:
				return
			}
		}
	}()
	return func() int { <-ended; return count }
}

func percentile(times []time.Duration, percent int) float64 {
	slices.Sort(times)
	return float64(times[(len(times)-1)*percent/100].Microseconds()) / 1000
}

func pressKeys(line *meter, count int) []time.Duration {
	var took []time.Duration
	for range count {
		took = append(took, line.until("~", func() { line.chunks <- []byte("~") }))
		line.chunks <- []byte{'U' & 0x1f}
		time.Sleep(30 * time.Millisecond)
	}
	return took
}

func BenchmarkScreenKeyAtRest(b *testing.B) {
	_, line := measure(b, 100)
	took := pressKeys(line, 100)
	b.ReportMetric(percentile(took, 50), "ms-median")
	b.ReportMetric(percentile(took, 99), "ms-p99")
}

func BenchmarkScreenKeyWhileStreaming(b *testing.B) {
	talk, line := measure(b, 10_000)
	stop := make(chan struct{})
	talk.say(messages.TurnStarted{Prompt: "go"})
	sent := tokens(talk, 1000, stop)
	took := pressKeys(line, 200)
	close(stop)
	sent()
	b.ReportMetric(percentile(took, 50), "ms-median")
	b.ReportMetric(percentile(took, 99), "ms-p99")
}

func BenchmarkScreenToken(b *testing.B) {
	for _, rate := range []int{60, 300, 1000} {
		b.Run(fmt.Sprint(rate), func(b *testing.B) {
			talk, line := measure(b, 1000)
			talk.say(messages.TurnStarted{Prompt: "go"})
			time.Sleep(100 * time.Millisecond)
			stop := make(chan struct{})
			bytes, used := line.written(), processorTime()
			sent := tokens(talk, rate, stop)
			time.Sleep(4 * time.Second)
			close(stop)
			count := float64(sent())
			time.Sleep(50 * time.Millisecond)
			b.ReportMetric(float64(line.written()-bytes)/count, "bytes/token")
			b.ReportMetric(float64((processorTime()-used).Microseconds())/1000/count, "ms-cpu/token")
			b.ReportMetric(count/4, "tokens/s")
		})
	}
}

func BenchmarkScreenAtRest(b *testing.B) {
	_, line := measure(b, 100)
	time.Sleep(3 * time.Second) // the clock of the regular expressions stops by itself
	bytes, used := line.written(), processorTime()
	time.Sleep(3 * time.Second)
	b.ReportMetric(float64((processorTime()-used).Microseconds())/3, "µs-cpu/s")
	b.ReportMetric(float64(line.written()-bytes), "bytes")
}

func BenchmarkScreenMemory(b *testing.B) {
	used := func() float64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return float64(stats.HeapAlloc)
	}
	measure(b, 1000)
	few := used()
	_, line := measure(b, 11_000)
	for range 100 {
		line.chunks <- []byte("\x1b[5~")
	}
	time.Sleep(200 * time.Millisecond)
	text := float64(len(paragraph(0))+len("question 0")) / 2
	b.ReportMetric((used()-few)/11_000-text, "bytes/message-beside-text")
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
