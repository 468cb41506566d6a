package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marvin/providers/modeltest"
)

// The released program on a terminal of 200×60, measured from outside. ui/tui measures the screen
// alone.

// theatre is the program on a terminal that accepts all output.
type theatre struct {
	b       *testing.B
	master  *os.File
	command *exec.Cmd
	begun   time.Time

	mu      sync.Mutex
	written int
	shown   strings.Builder // since the last look
}

// perform starts the program and waits for its first frame.
func perform(b *testing.B, binary, home, url string, args ...string) (*theatre, time.Duration) {
	b.Helper()
	master, slave := openPty(b)
	connection, err := master.SyscallConn()
	if err != nil {
		b.Fatal(err)
	}
	if err := connection.Control(func(fd uintptr) {
		_ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: 60, Col: 200})
	}); err != nil {
		b.Fatal(err)
	}
	command := exec.Command(binary, append([]string{"--provider", "openai-compat"}, args...)...)
	command.Dir = home
	command.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8",
		"OPENAI_COMPAT_URL=" + url, "OPENAI_COMPAT_API_KEY=key", "OPENAI_COMPAT_MODEL=model",
	}
	command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	t := &theatre{b: b, master: master, command: command, begun: time.Now()}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	slave.Close()
	go t.read()
	return t, t.sees("sk anything").Sub(t.begun) // of the placeholder, whose first letter has the cursor's colours
}

func (t *theatre) read() {
	piece := make([]byte, 64<<10)
	for {
		n, err := t.master.Read(piece)
		t.mu.Lock()
		t.written += n
		t.shown.Write(piece[:n])
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// sees waits until a text was written, and returns the time.
func (t *theatre) sees(text string) time.Time {
	t.b.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Microsecond) {
		t.mu.Lock()
		found := strings.Contains(t.shown.String(), text)
		if found {
			t.shown.Reset()
		}
		t.mu.Unlock()
		if found {
			return time.Now()
		}
	}
	t.b.Fatalf("never %s", text)
	return time.Time{}
}

func (t *theatre) press(keys string) {
	t.b.Helper()
	if _, err := io.WriteString(t.master, keys); err != nil {
		t.b.Fatal(err)
	}
}

func (t *theatre) bytes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// processor returns the time that all threads of the program ran, which the kernel counts in
// nanoseconds. Threads never end.
func (t *theatre) processor() (total time.Duration) {
	t.b.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", t.command.Process.Pid))
	if err != nil || len(threads) == 0 {
		t.b.Skip("this kernel does not count the time of threads")
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			t.b.Fatal(err)
		}
		ran, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
		if err != nil {
			t.b.Fatal(err)
		}
		total += time.Duration(ran)
	}
	return total
}

// resident returns the memory that the program uses, in MiB.
func (t *theatre) resident() float64 {
	t.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.command.Process.Pid))
	if err != nil {
		t.b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		t.b.Fatal(err)
	}
	return kib / 1024
}

func (t *theatre) end() {
	_ = t.command.Process.Kill()
	_ = t.command.Wait()
	t.master.Close()
}

// paced starts a model server that sends a token at each tick of a clock.
func paced(b *testing.B, every time.Duration, count int) (url string) {
	b.Helper()
	words := strings.Fields("the quick brown fox jumps over **a lazy** dog and `code` stands in the middle of what wraps")
	tokens := make([]string, count)
	for i := range tokens {
		if tokens[i] = words[i%len(words)] + " "; i%60 == 59 {
			tokens[i] += "\n\n"
		}
	}
	model := modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text(tokens...) })
	server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, request *http.Request) {
		clock := time.NewTicker(every)
		defer clock.Stop()
		model.ServeHTTP(ticking{to, clock}, request)
	}))
	b.Cleanup(server.Close)
	return server.URL + "/v1/chat/completions"
}

type ticking struct {
	http.ResponseWriter
	clock *time.Ticker
}

func (t ticking) Flush() {
	t.ResponseWriter.(http.Flusher).Flush()
	<-t.clock.C
}

// A token of an answer may cost at most 0.4 ms of CPU time and 60 bytes on its way from the socket
// to the terminal.
func BenchmarkScreenStream(b *testing.B) {
	for _, rate := range []int{60, 100, 300} {
		b.Run(fmt.Sprint(rate), func(b *testing.B) {
			const seconds = 8
			binary := filepath.Join(b.TempDir(), "marvin")
			release(b, binary, ".")
			for b.Loop() {
				t, _ := perform(b, binary, b.TempDir(), paced(b, time.Second/time.Duration(rate), (seconds+4)*rate))
				t.press("talk\r")
				t.sees("quick")
				time.Sleep(2 * time.Second)
				used, bytes := t.processor(), t.bytes()
				time.Sleep(seconds * time.Second)
				used, bytes = t.processor()-used, t.bytes()-bytes
				t.end()
				tokens := float64(seconds * rate)
				report(b, map[string]float64{"ms-cpu/token": ms(used) / tokens, "bytes/token": float64(bytes) / tokens})
			}
		})
	}
}

// The first frame must come within 30 ms, or within 50 ms with a chat log of 50 MB. At rest the
// program must use less than 35 MB and no CPU time.
func BenchmarkScreenStart(b *testing.B) {
	for _, size := range []int{0, 50 << 20} {
		b.Run(fmt.Sprintf("log-%dMB", size>>20), func(b *testing.B) {
			binary, home := filepath.Join(b.TempDir(), "marvin"), b.TempDir()
			release(b, binary, ".")
			url := paced(b, time.Millisecond, 1)
			writeLog(b, home, size)
			for b.Loop() {
				var frames []time.Duration
				for range 15 {
					t, took := perform(b, binary, home, url)
					frames = append(frames, took)
					t.end()
				}
				slices.Sort(frames)
				t, _ := perform(b, binary, home, url)
				time.Sleep(3 * time.Second) // what follows a start is over
				used, bytes := t.processor(), t.bytes()
				time.Sleep(3 * time.Second)
				report(b, map[string]float64{
					"ms-median": ms(frames[len(frames)/2]), "ms-worst": ms(frames[len(frames)-1]), "MiB-at-rest": t.resident(),
					"µs-cpu/s-at-rest": float64((t.processor() - used).Microseconds()) / 3, "bytes-at-rest": float64(t.bytes() - bytes),
				})
				t.end()
			}
		})
	}
}

// A conversation of 10,000 messages: what it costs in comparison with one of a hundred.
func BenchmarkScreenLong(b *testing.B) {
	const turns = 5000
	binary := filepath.Join(b.TempDir(), "marvin")
	release(b, binary, ".")
	served := make(chan struct{}, turns)
	model := modeltest.New(func(modeltest.Request) modeltest.Step {
		return modeltest.Text("An answer of some ", "words, as a model gives them ", "every day.")
	})
	server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, request *http.Request) {
		model.ServeHTTP(to, request)
		served <- struct{}{}
	}))
	defer server.Close()
	for b.Loop() {
		t, _ := perform(b, binary, b.TempDir(), server.URL+"/v1/chat/completions")
		few, begun := 0.0, time.Now()
		for turn := range turns {
			t.press("a question\r")
			<-served
			if turn == 50 {
				few = t.resident()
			}
		}
		took, busy := time.Since(begun), t.resident()
		time.Sleep(12 * time.Second) // it rests
		report(b, map[string]float64{"MiB-after-100": few, "MiB-after-10000": busy, "MiB-at-rest": t.resident(), "ms/turn": ms(took) / turns})
		t.end()
	}
}

// writeLog gives a home a chat log of about size bytes.
func writeLog(b *testing.B, home string, size int) {
	b.Helper()
	directory := filepath.Join(home, ".config", "marvin", "profiles", "default")
	if err := os.MkdirAll(directory, 0o700); err != nil {
		b.Fatal(err)
	}
	file, err := os.OpenFile(filepath.Join(directory, "chat_log.json"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	to := bufio.NewWriter(file)
	defer to.Flush()
	entry := fmt.Sprintf("  {\n    \"role\": \"assistant\",\n    \"text\": %q,\n    \"time\": \"03:04\"\n  }", strings.Repeat("what was said long ago ", 40))
	between := "[\n"
	for written := 0; written < size; written += len(entry) {
		fmt.Fprint(to, between, entry)
		between = ",\n"
	}
	fmt.Fprint(to, strings.TrimSuffix(between, ",\n"), "\n]\n")
}
