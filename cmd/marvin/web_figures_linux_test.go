package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// measures skips the test unless this is a measuring run on a quiet machine.
func measures(t *testing.T) {
	t.Helper()
	if os.Getenv("MARVIN_FIGURES") == "" {
		t.Skip("it measures: MARVIN_FIGURES=1, on a machine without other work")
	}
}

// The median time between the first word of an answer in the terminal and on a page is at most 20
// ms.
func TestFigureOfTheFirstWordOnAPage(t *testing.T) {
	measures(t)
	gate := make(chan struct{})
	s := serve(t, func(request modeltest.Request) modeltest.Step {
		if len(request.Tools) == 0 {
			return modeltest.Text("A title")
		}
		return modeltest.Text("first"+strings.TrimPrefix(request.Last().Text, "say ")+" ").Append(modeltest.Pause(gate), modeltest.Text("rest\n\n"))
	})
	s.enter()
	id := s.begin("say 0")
	page := s.follow("/c/" + id + "/events")
	page.until("first0")
	window := s.household.marvin("attach", "--plain", "--role", "see", id)
	if _, err := window.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, _ := piped(t, window)
	t.Cleanup(func() { _ = window.Process.Kill(); _ = window.Wait() })
	terminal := bufio.NewReader(out)
	sees := func(word string) time.Time { // words come without the end of a line
		for text := ""; ; {
			letter, err := terminal.ReadByte()
			if err != nil {
				t.Fatal(err)
			}
			if text += string(letter); strings.HasSuffix(text, word) {
				return time.Now()
			}
		}
	}
	sees("first0")
	gate <- struct{}{}
	page.until("rest")
	var behind []time.Duration
	for turn := 1; turn <= 25; turn++ {
		word := fmt.Sprintf("first%d ", turn)
		body, _ := json.Marshal(map[string]string{"stream": page.stream(), "op": "line", "text": fmt.Sprint("say ", turn)}) // texts can be encoded
		if reply, text := s.send("POST", "/c/"+id+"/op", string(body), nil); reply.StatusCode != 200 {
			t.Fatal(text)
		}
		shown := make(chan time.Time, 1)
		go func() {
			page.until(strings.TrimSpace(word))
			shown <- time.Now()
		}()
		typed := sees(strings.TrimSpace(word))
		behind = append(behind, (<-shown).Sub(typed))
		gate <- struct{}{}
		page.until(strings.TrimSpace(word) + ` rest`)
	}
	slices.Sort(behind)
	t.Logf("behind the terminal: median %v, from %v to %v", behind[len(behind)/2], behind[0], behind[len(behind)-1])
	if behind[len(behind)/2] > 20*time.Millisecond {
		t.Error("the page is too late")
	}
}

// 200 idle pages cost at most 30 MiB and no CPU time.
func TestFigureOfIdlePages(t *testing.T) {
	measures(t)
	s := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("Well.") })
	s.enter()
	id := s.begin("hello")
	s.until("/c/"+id+"/events", "Well.")
	processes := []int{s.command.Process.Pid}
	for _, one := range s.live() {
		processes = append(processes, one.Process)
	}
	before, alone := memoryOf(t, processes), memoryOf(t, processes[:1])
	address := strings.TrimPrefix(s.base, "http://")
	for range 200 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "GET /c/%s/events HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", id, address, s.cookie)
		for lines := bufio.NewReaderSize(conn, 512); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, "Well.") {
				break
			}
		}
	}
	var all []messages.Live
	if all = s.live(); len(all) != 1 || all[0].Windows < 200 {
		t.Fatalf("%+v", all)
	}
	after, begun := memoryOf(t, processes), timeOf(t, processes)
	<-time.After(20 * time.Second) // with a beat of each page
	used := timeOf(t, processes) - begun
	t.Logf("200 pages take %d KiB, %d of them in the process of the page, and %v of processor time in 20 s", after-before, memoryOf(t, processes[:1])-alone, used)
	if after-before > 30<<10 || used > 400*time.Millisecond {
		t.Error("idle pages cost too much")
	}
}

// memoryOf returns the memory that only these processes use, in KiB.
func memoryOf(t *testing.T, processes []int) (sum int) {
	t.Helper()
	for _, process := range processes {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(status)) {
			if rest, is := strings.CutPrefix(line, "RssAnon:"); is {
				size, _ := strconv.Atoi(strings.Fields(rest)[0]) // it is a number
				sum += size
			}
		}
	}
	return sum
}

// timeOf returns the CPU time that processes used, in ticks of 10 ms.
func timeOf(t *testing.T, processes []int) (sum time.Duration) {
	t.Helper()
	for _, process := range processes {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		for _, field := range fields[11:13] {
			ticks, _ := strconv.Atoi(field) // it is a number
			sum += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return sum
}
