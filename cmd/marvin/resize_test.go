package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestResizesLeakNothing(t *testing.T) {
	limit := 2 * time.Second
	if text := os.Getenv("SOAK"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	p := openPane(t, 80, 24)
	p.press("marvin --provider offline", "Enter")
	p.sees("built-in · ")
	marvin := p.child()
	prompts := 0
	storm := func(until time.Time) (sizes int) {
		for ; time.Now().Before(until) || sizes < 20; sizes++ {
			p.tmux("resize-window", "-x", fmt.Sprint(1+rand.IntN(200)), "-y", fmt.Sprint(1+rand.IntN(60)))
			if sizes%10 == 0 {
				p.tmux("resize-window", "-x", "80", "-y", "24")
				p.press("convert 12 km to miles", "Enter")
				prompts++
				p.sees(fmt.Sprintf(" %d messages ", 2*prompts))
			}
		}
		p.tmux("resize-window", "-x", "80", "-y", "24")
		return sizes
	}
	storm(time.Now().Add(time.Second))
	p.sees("built-in · ", "7.456")
	files, memory := held(t, marvin)
	sizes := storm(time.Now().Add(limit))
	p.sees("built-in · ", "7.456")
	filesNow, memoryNow := held(t, marvin)
	for deadline := time.Now().Add(patience); filesNow > files+1 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		filesNow, memoryNow = held(t, marvin) // a file that is being written is open, and no leak
	}
	t.Logf("%d sizes: files %+d of %d, memory %+d of %d MB", sizes, filesNow-files, files, memoryNow-memory, memory)
	if filesNow > files+1 {
		t.Errorf("%d open files became %d", files, filesNow)
	}
	if memoryNow > memory+memory/2+32 { // what the race detector adds is not flat
		t.Errorf("%d MB became %d", memory, memoryNow)
	}
	p.press("C-c", "C-d")
	p.leaves()
}

// child is the program that runs in the shell of the pane.
func (p *pane) child() string {
	shell := p.tmux("display", "-p", "#{pane_pid}")
	children, err := os.ReadFile(filepath.Join("/proc", shell, "task", shell, "children"))
	if err != nil || len(strings.Fields(string(children))) != 1 {
		p.t.Skipf("this system does not tell the children of a process: %q, %v", children, err)
	}
	return strings.TrimSpace(string(children))
}

// held returns the number of open files of a process, and its memory in MB.
func held(t *testing.T, pid string) (files, memory int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/" + pid + "/fd")
	if err != nil {
		t.Skip(err) // only root may look into a Marvin
	}
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	return len(entries), atoi(t, strings.Fields(rest)[0]) >> 10
}
