package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// The benchmarks run the released binary and a minimal client (testdata/minimal) in turn against
// the same local model server, and report medians and ratios. Run them with: make bench

// contestants are the two programs.
type contestants struct {
	marvin, minimal string
	lean            string // the minimal client, decoding nothing
	gauge           string // measures the peak of another program
	url, dir        string
	environ         []string // of the programs only
	provider        string   // that Marvin asks; openai-compat if empty

	mu            sync.Mutex
	arrived, last time.Time // of the last request, and of the last byte of an answer
	turnings      []time.Duration
}

func (c *contestants) note(at *time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*at = time.Now()
}

func compete(b *testing.B, answer func(modeltest.Request) modeltest.Step) *contestants {
	b.Helper()
	c := &contestants{dir: b.TempDir()}
	c.marvin, c.minimal = filepath.Join(c.dir, "marvin"), filepath.Join(c.dir, "minimal")
	c.gauge, c.lean = filepath.Join(c.dir, "peak"), filepath.Join(c.dir, "lean")
	for output, source := range map[string]string{c.marvin: ".", c.minimal: "./testdata/minimal", c.gauge: "./testdata/peak"} {
		release(b, output, source)
	}
	if err := os.Symlink(c.minimal, c.lean); err != nil {
		b.Fatal(err)
	}
	server := modeltest.New(func(request modeltest.Request) modeltest.Step {
		c.mu.Lock()
		if request.Last().Role == messages.Tool {
			c.turnings = append(c.turnings, c.arrived.Sub(c.last))
		}
		c.mu.Unlock()
		return answer(request)
	})
	listening := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, request *http.Request) {
		c.note(&c.arrived)
		server.ServeHTTP(to, request)
		c.note(&c.last)
	}))
	b.Cleanup(listening.Close)
	c.url = listening.URL + "/v1/chat/completions"
	return c
}

// release builds a program as it is handed out.
func release(b *testing.B, output, source string) {
	b.Helper()
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", output, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
}

// figures are what one run of a program cost.
type figures struct {
	wall, cpu, tail time.Duration // tail: from the server's last byte to the exit
}

func (c *contestants) command(program, prompt string) *exec.Cmd {
	args := []string{prompt}
	if program == c.marvin {
		args = []string{"--non-interactive", "--provider", cmp.Or(c.provider, "openai-compat"), "--prompt", prompt}
	}
	command := exec.Command(program, args...)
	command.Dir = c.dir
	command.Env = []string{"HOME=" + c.dir, "PATH=" + os.Getenv("PATH"), "OPENAI_COMPAT_URL=" + c.url, "OPENAI_COMPAT_API_KEY=key", "OPENAI_COMPAT_MODEL=qwen/qwen3-32b"}
	command.Env = append(command.Env, c.environ...)
	return command
}

// peak returns the highest resident memory of n runs of Marvin at once, in MiB.
func (c *contestants) peak(b *testing.B, n int) float64 {
	return c.peakOf(b, slices.Repeat([]string{"count"}, n)...)
}

// peakOf returns the highest memory use of one of these prompts, which all run at once.
func (c *contestants) peakOf(b *testing.B, prompts ...string) float64 {
	b.Helper()
	n := len(prompts)
	commands := make([]*exec.Cmd, n)
	for i := range commands {
		inner := c.command(c.marvin, prompts[i])
		commands[i] = exec.Command(c.gauge, append([]string{filepath.Join(c.dir, fmt.Sprint("peak", i))}, inner.Args...)...)
		commands[i].Dir, commands[i].Env = inner.Dir, inner.Env
		if err := commands[i].Start(); err != nil {
			b.Fatal(err)
		}
	}
	most := 0.0
	for i, command := range commands {
		if err := command.Wait(); err != nil {
			b.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(c.dir, fmt.Sprint("peak", i)))
		if err != nil {
			b.Fatal(err)
		}
		kib, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			b.Fatal(err)
		}
		most = max(most, kib/1024)
	}
	return most
}

func (c *contestants) run(b *testing.B, program, prompt string) figures {
	b.Helper()
	command := c.command(program, prompt)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	begun := time.Now()
	if err := command.Run(); err != nil {
		b.Fatalf("%s: %v: %s", filepath.Base(program), err, problems.String())
	}
	ended := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return figures{
		wall: ended.Sub(begun), cpu: command.ProcessState.UserTime() + command.ProcessState.SystemTime(),
		tail: ended.Sub(c.last),
	}
}

// duel runs both programs in turn and returns the medians.
func (c *contestants) duel(b *testing.B, rounds int, prompt string) (marvin, minimal figures) {
	b.Helper()
	all := c.contest(b, rounds, prompt, c.marvin, c.minimal)
	return all[0], all[1]
}

// contest runs programs in turn and returns the medians of each.
func (c *contestants) contest(b *testing.B, rounds int, prompt string, programs ...string) []figures {
	b.Helper()
	runs, found := make([][]figures, len(programs)), make([]figures, len(programs))
	for round := range rounds + 1 {
		for i, program := range programs {
			if one := c.run(b, program, prompt); round > 0 { // the first one warms the caches
				runs[i] = append(runs[i], one)
			}
		}
	}
	for i := range found {
		found[i] = medians(runs[i])
	}
	return found
}

func medians(all []figures) figures {
	pick := func(of func(figures) float64) float64 {
		values := make([]float64, len(all))
		for i, one := range all {
			values[i] = of(one)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return figures{
		wall: time.Duration(pick(func(f figures) float64 { return float64(f.wall) })),
		cpu:  time.Duration(pick(func(f figures) float64 { return float64(f.cpu) })),
		tail: time.Duration(pick(func(f figures) float64 { return float64(f.tail) })),
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// report reports values instead of the benchmark's own time, which has no meaning here.
func report(b *testing.B, values map[string]float64) {
	b.ReportMetric(0, "ns/op")
	for unit, value := range values {
		b.ReportMetric(value, unit)
	}
}

// One prompt, from start to exit: at most 5 times the minimal client, under 30 MB, and under 5 ms
// from the last byte to the exit.
func BenchmarkPlain(b *testing.B) {
	c := compete(b, func(modeltest.Request) modeltest.Step {
		return modeltest.Text("one ", "two ", "three ", "four ", "five ", "six ", "seven ", "eight")
	})
	for b.Loop() {
		marvin, minimal := c.duel(b, 21, "count to eight")
		report(b, map[string]float64{
			"marvin-ms": ms(marvin.wall), "minimal-ms": ms(minimal.wall), "x-wall": float64(marvin.wall) / float64(minimal.wall),
			"peak-MiB": c.peak(b, 1), "exit-ms": ms(marvin.tail),
		})
	}
}

// With five rounds of one tool, at most 1 ms more may pass between a result and the next request
// than with the minimal client, and at most 0.2 ms of that may be for the audit log.
func BenchmarkTurnaround(b *testing.B) {
	c := compete(b, func(request modeltest.Request) modeltest.Step {
		done := 0
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				done++
			}
		}
		if done == 5 {
			return modeltest.Text("read them all")
		}
		return modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]string{"path": fmt.Sprintf("f%d.txt", done)}})
	})
	for i := range 5 {
		if err := os.WriteFile(filepath.Join(c.dir, fmt.Sprintf("f%d.txt", i)), []byte("a\nb\nc\n"), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	turnaround := func(program string) time.Duration {
		c.turnings = nil
		for range 15 {
			c.run(b, program, "read the files")
		}
		slices.Sort(c.turnings)
		return c.turnings[len(c.turnings)/2]
	}
	for b.Loop() {
		marvin, minimal := turnaround(c.marvin), turnaround(c.minimal)
		c.environ = []string{"MARVIN_SUBAGENT_LOG=" + filepath.Join(c.dir, "audit.jsonl")}
		audited := turnaround(c.marvin)
		c.environ = nil
		report(b, map[string]float64{"marvin-ms": ms(marvin), "minimal-ms": ms(minimal), "more-ms": ms(marvin - minimal), "audit-ms": ms(audited - marvin)})
	}
}

// A stream of 20,000 tokens, each with its own event and flush and without pauses, may take at most
// 1.8 times the CPU of a client that decodes nothing.
func BenchmarkStream20k(b *testing.B) {
	tokens := strings.Split(strings.Repeat("token |", 20_000), "|")
	c := compete(b, func(modeltest.Request) modeltest.Step { return modeltest.Text(tokens...) })
	for b.Loop() {
		all := c.contest(b, 7, "talk", c.marvin, c.minimal, c.lean)
		marvin, minimal, lean := all[0], all[1], all[2]
		report(b, map[string]float64{
			"marvin-cpu-ms": ms(marvin.cpu), "minimal-cpu-ms": ms(minimal.cpu), "x-cpu": float64(marvin.cpu) / float64(minimal.cpu),
			"lean-cpu-ms": ms(lean.cpu), "x-lean": float64(marvin.cpu) / float64(lean.cpu),
			"marvin-ms": ms(marvin.wall), "minimal-ms": ms(minimal.wall), "peak-MiB": c.peak(b, 1), "exit-ms": ms(marvin.tail),
		})
	}
}

// 32 processes at once: at most 5 times the minimal client's wall-clock time, and under 25 MB each.
func BenchmarkThirtyTwoAtOnce(b *testing.B) {
	c := compete(b, func(modeltest.Request) modeltest.Step { return modeltest.Text("one ", "two ", "three") })
	atOnce := func(program string) time.Duration {
		var walls []time.Duration
		for range 7 {
			commands := make([]*exec.Cmd, 32)
			begun := time.Now()
			for i := range commands {
				commands[i] = c.command(program, "count")
				if err := commands[i].Start(); err != nil {
					b.Fatal(err)
				}
			}
			for _, command := range commands {
				if err := command.Wait(); err != nil {
					b.Fatal(err)
				}
			}
			walls = append(walls, time.Since(begun))
		}
		slices.Sort(walls)
		return walls[len(walls)/2]
	}
	for b.Loop() {
		marvin, minimal := atOnce(c.marvin), atOnce(c.minimal)
		report(b, map[string]float64{
			"marvin-ms": ms(marvin), "minimal-ms": ms(minimal), "x-wall": float64(marvin) / float64(minimal), "peak-MiB": c.peak(b, 32),
		})
	}
}
