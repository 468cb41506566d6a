package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/sessions"
)

// This benchmark has thousands of saved sessions. It measures the list, a search, "-c" to its first
// frame, and the first page of the list on the screen. The limits are 50, 300, 60 and 50 ms with
// 10,000 sessions of 500 KB (STOCK=10000; this writes five gigabytes to the temporary directory).
// The second search is measured, because the first one reads all sessions once.
func BenchmarkSessionStock(b *testing.B) {
	count := 500
	if text := os.Getenv("STOCK"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	binary, home := filepath.Join(b.TempDir(), "marvin"), b.TempDir()
	release(b, binary, ".")
	stock(b, home, count)
	marvin := func(args ...string) (time.Duration, string) {
		command := exec.Command(binary, args...)
		command.Dir, command.Env = home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		begun := time.Now()
		out, err := command.Output()
		if err != nil {
			b.Fatalf("marvin %q: %v", args, err)
		}
		return time.Since(begun), string(out)
	}
	median := func(args ...string) float64 {
		var times []time.Duration
		for range 9 {
			took, _ := marvin(args...)
			times = append(times, took)
		}
		slices.Sort(times)
		return ms(times[len(times)/2])
	}
	for b.Loop() {
		begin, _ := marvin("--version")
		list, _ := marvin("sessions", "list")
		first, out := marvin("sessions", "search", "needle0042")
		if !strings.Contains(out, "needle0042") {
			b.Fatalf("it is not found:\n%s", out)
		}
		report(b, map[string]float64{
			"ms-start": ms(begin), "ms-first-list": ms(list), "ms-list": median("sessions", "list"), "ms-list-of-one-directory": median("sessions", "list", "--here"),
			"ms-first-search": ms(first), "ms-search-one": median("sessions", "search", "needle0042"), "ms-search-none": median("sessions", "search", "xylophonist"),
		})
		frame := func(args ...string) float64 {
			var frames []time.Duration
			for range 9 {
				t, took := perform(b, binary, home, paced(b, time.Millisecond, 1), args...)
				frames = append(frames, took)
				t.end()
			}
			slices.Sort(frames)
			return ms(frames[len(frames)/2])
		}
		report(b, map[string]float64{"ms-first-frame": frame(), "ms-go-on": frame("-c"), "ms-picker": pickers(b, binary, home)})
	}
}

// pickers returns the time from the key to the first page of all sessions.
func pickers(b *testing.B, binary, home string) float64 {
	b.Helper()
	var pages []time.Duration
	for range 9 {
		t, _ := perform(b, binary, home, paced(b, time.Millisecond, 1))
		time.Sleep(500 * time.Millisecond) // what a start leaves to do is done
		t.press("/resume")
		time.Sleep(500 * time.Millisecond) // as somebody types
		begun := time.Now()
		t.press("\r")
		pages = append(pages, t.sees("conversation?").Sub(begun))
		t.end()
	}
	slices.Sort(pages)
	return ms(pages[len(pages)/2])
}

// stock writes conversations as [sessions.Session] does, 500 KB each, most of it tool results.
func stock(b *testing.B, home string, count int) {
	b.Helper()
	var vocabulary []string // of a language: letters by chance have every triple of letters in a page
	for _, page := range []string{"guide", "tools", "configuration", "reliability", "fleet", "sandbox"} {
		text, err := os.ReadFile("../../docs/" + page + ".md")
		if err != nil {
			b.Fatal(err)
		}
		vocabulary = append(vocabulary, strings.Fields(string(text))...)
	}
	prose := func(words int) string {
		said := make([]string, words)
		for i := range said {
			said[i] = vocabulary[rand.IntN(len(vocabulary))]
		}
		return strings.Join(said, " ")
	}
	at := time.Now().Add(-time.Duration(count) * time.Hour)
	all := sessions.New(persistence.Open(home, func() time.Time { at = at.Add(time.Minute); return at }))
	result := prose(3000)
	for n := range count {
		dir := fmt.Sprint("/work/project", n%50)
		if n%50 == 0 {
			dir = home
		}
		session, err := all.Create(sessions.Header{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		for turn := range 10 {
			prompt := prose(20)
			if turn == 5 {
				prompt += fmt.Sprintf(" needle%04d", n)
			}
			steps := []map[string]any{
				{"turn": fmt.Sprint("t", turn+1), "prompt": prompt, "messages": []any{map[string]any{"role": "user", "text": prompt, "at": at, "origin": map[string]string{"from": "person"}}}},
				{"turn": fmt.Sprint("t", turn+1), "offset": 1, "messages": []any{
					map[string]any{"role": "assistant", "calls": []any{map[string]string{"id": "c", "name": "read_file", "args": "{}"}}},
					map[string]any{"role": "tool", "result": map[string]string{"call": "c", "name": "read_file", "text": result + result, "status": "ok"}},
				}},
				{"turn": fmt.Sprint("t", turn+1), "offset": 3, "messages": []any{map[string]any{"role": "assistant", "text": prose(150), "at": at, "origin": map[string]string{"from": "model"}}}},
			}
			for i, step := range steps {
				body, err := json.Marshal(step)
				if err != nil {
					b.Fatal(err)
				}
				entry := sessions.Entry{Kind: "step", Body: body}
				if i == 0 {
					entry.About = &sessions.About{First: prompt, Last: prompt, Model: "m1", Turns: 1}
				}
				if err := session.Append(false, entry); err != nil {
					b.Fatal(err)
				}
			}
		}
		if err := session.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
