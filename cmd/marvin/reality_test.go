package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/providers/modeltest/tinymodel"
)

// reality skips a test unless other programs are present, which `make reality` downloads. These
// tests take minutes, so no other target runs them.
func reality(t *testing.T, programs ...string) {
	t.Helper()
	if os.Getenv("REALITY") == "" {
		t.Skip("only with REALITY=1, as make reality does")
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("not tried: ", err)
		}
	}
}

// realOllama is a private server with two models: talker answers, caller makes a call first. Both
// get the tools.
type realOllama struct {
	address string
	log     locked
}

// locked is a buffer that a process writes while it is read.
type locked struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *locked) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// template gives everything to the model in order, like the templates of common models: the system
// text, then the tools, then the messages.
const template = `TEMPLATE """{{ if .System }}[system]{{ .System }}
{{ end }}{{ if .Tools }}[tools]{{ .Tools }}
{{ end }}{{ $last := "" }}{{ range .Messages }}{{ $last = .Role }}{{ if ne .Role "system" }}[{{ .Role }}]{{ .Content }}{{ range .ToolCalls }}<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>{{ end }}
{{ end }}{{ end }}{{ if eq $last "tool" }}<|told|>{{ else }}%s{{ end }}"""
`

func startOllama(t *testing.T) *realOllama {
	t.Helper()
	reality(t, "ollama")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &realOllama{address: listener.Addr().String()}
	listener.Close()
	dir := t.TempDir()
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "OLLAMA_HOST=" + o.address, "OLLAMA_MODELS=" + filepath.Join(dir, "models"), "OLLAMA_DEBUG=1"}
	serve := exec.Command("ollama", "serve")
	serve.Env, serve.Stdout, serve.Stderr = environ, &o.log, &o.log
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Signal(os.Interrupt) // then it ends its runners
		_ = serve.Wait()                       // with the signal as its status
	})
	for {
		response, err := http.Get("http://" + o.address + "/api/version")
		if err == nil {
			response.Body.Close()
			break
		}
		if time.Sleep(20 * time.Millisecond); t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	weights, err := os.Create(filepath.Join(dir, "tiny.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	err = tinymodel.Write(weights, tinymodel.Answers{
		"<|talk|>": {"Hello", " to you."},
		"<|call|>": {"<tool_call>\n" + `{"name": "read_note", "arguments": {"filename": "nothing"}}` + "\n</tool_call>"},
		"<|told|>": {"There is", " no such note."},
	})
	if err := cmpErr(err, weights.Close()); err != nil {
		t.Fatal(err)
	}
	for name, begins := range map[string]string{"talker": "<|talk|>", "caller": "<|call|>"} {
		file := filepath.Join(dir, name)
		text := "FROM " + weights.Name() + "\n" + fmt.Sprintf(template, begins)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		create := exec.Command("ollama", "create", name, "-f", file)
		create.Env = environ
		if out, err := create.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return o
}

func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// slots returns the server's own report for each prompt that it read: the number of its tokens, and
// how many of them came from the cache.
func (o *realOllama) slots(t *testing.T) (found []struct{ prompt, used int }) {
	t.Helper()
	line := regexp.MustCompile(`msg="loading cache slot" id=\d+ cache=\d+ prompt=(\d+) used=(\d+)`)
	for _, match := range line.FindAllStringSubmatch(o.log.String(), -1) {
		prompt, _ := strconv.Atoi(match[1])
		used, _ := strconv.Atoi(match[2])
		found = append(found, struct{ prompt, used int }{prompt, used})
	}
	return found
}

// talk begins a conversation with a model of the server.
func (o *realOllama) talk(t *testing.T, model string) *client {
	t.Helper()
	c := &client{t: t, command: process(t, nil)}
	c.command.Args = []string{"marvin", "rpc", "--provider", "ollama", "--model", model}
	c.command.Env = append(c.command.Env[:3:3], "OLLAMA_HOST="+o.address)
	c.begin(10 * time.Minute)
	c.until("opened")
	return c
}

// ask sends a prompt and returns the answer, and the time of its first token.
func (c *client) ask(prompt string) (answer string, first time.Duration) {
	c.t.Helper()
	begun := time.Now()
	c.send(fmt.Sprintf(`{"type":"prompt","op":{"text":%q}}`, prompt))
	for {
		switch line := c.next(); line.Type {
		case "text":
			if first == 0 {
				first = time.Since(begun)
			}
		case "turn_ended":
			if line.Event.Outcome != "completed" {
				c.t.Fatalf("ended %+v", line)
			}
			return line.Event.Text, first
		}
	}
}

// The second prompt of a conversation is read from the end of the first one. The real server
// reports the tokens from its cache, and the time to the first token confirms it.
func TestRealityOllamaKeepsWhatItRead(t *testing.T) {
	o := startOllama(t)
	c := o.talk(t, "talker")
	warm := o.talk(t, "talker") // loads the model, which is not what is measured
	if answer, _ := warm.ask("hi"); answer != "Hello to you." {
		t.Errorf("answered %q", answer)
	}
	long := strings.Repeat("A long beginning that nobody wants to be read twice. ", 60)
	_, first := c.ask(long)
	_, second := c.ask("and again")
	slots := o.slots(t)
	if len(slots) != 3 {
		t.Fatalf("the server read %d prompts:\n%s", len(slots), o.log.String())
	}
	before, after := slots[1], slots[2]
	t.Logf("first token after %s and %s; of %d tokens %d were kept", first.Round(time.Millisecond), second.Round(time.Millisecond), after.prompt, after.used)
	if second > first/10 {
		t.Errorf("the second prompt's first token came after %s, the first one's after %s", second, first)
	}
	if after.used < before.prompt*97/100 {
		t.Errorf("of %d tokens that were read %d were kept", before.prompt, after.used)
	}
}

// With calls, too, the server reads each token once in a conversation of 20 prompts.
func TestRealityOllamaKeepsWhatItReadWithCalls(t *testing.T) {
	o := startOllama(t)
	c := o.talk(t, "caller")
	for i := range 20 {
		if answer, _ := c.ask(fmt.Sprint("read it, ", i)); answer != "There is no such note." {
			t.Fatalf("answered %q", answer)
		}
	}
	slots := o.slots(t)
	if len(slots) != 40 {
		t.Fatalf("the server read %d prompts", len(slots))
	}
	least := 1.0
	for i := 1; i < len(slots); i++ {
		share := float64(slots[i].used) / float64(slots[i-1].prompt)
		least = min(least, share)
		if share < 0.97 {
			t.Errorf("prompt %d: of %d tokens that were read %d were kept", i, slots[i-1].prompt, slots[i].used)
		}
	}
	t.Logf("%d prompts, of each at least %.4f were kept; the last has %d tokens", len(slots), least, slots[len(slots)-1].prompt)
}
