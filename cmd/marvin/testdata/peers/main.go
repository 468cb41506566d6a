// Command peers has Marvin and other assistants do the same scripted task on one model
// server, and prints how many bytes each of them sent.
//
//	go run ./cmd/marvin/testdata/peers -marvin ./marvin -pi PATH -codex PATH -copilot PATH
//
// Each is the program of its npm package (@mariozechner/pi-coding-agent, @openai/codex,
// @github/copilot), called with its own tools in a throw-away home; those without a path are
// left out. The table of docs/expectations.md is from here.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/providers/modeltest"
)

// patience is how long one assistant may take for the task.
const patience = 5 * time.Minute

func main() {
	paths := map[string]*string{}
	for _, one := range peers {
		paths[one.name] = flag.String(one.name, "", "the program `"+one.name+"`")
	}
	little := flag.Bool("little", false, "a task in which each round brings three lines, and no more")
	show := flag.Bool("show", false, "print the first and the last request of each")
	flag.Parse()
	task := mending
	if *little {
		task = reading
	}
	fmt.Print("| | requests | first, bytes | tools | all, bytes | all, against pi | repeated from the request before |\n|---|---:|---:|---:|---:|---:|---:|\n")
	var rows []row
	for _, one := range peers {
		if *paths[one.name] == "" {
			continue
		}
		sent, err := one.run(*paths[one.name], task)
		if err != nil {
			fmt.Fprintf(os.Stderr, "peers: %s: %v\n", one.name, err)
			os.Exit(1)
		}
		if *show {
			fmt.Fprintf(os.Stderr, "%s\n\n%s\n\n", sent[0], sent[len(sent)-1])
		}
		rows = append(rows, measure(one.name, sent))
	}
	for _, one := range rows {
		fmt.Println(one.text(rows))
	}
}

// run has an assistant do the task, and returns all that it asked.
func (p peer) run(program string, task []step) ([][]byte, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(home) }()
	dir := filepath.Join(home, "project")
	if err := lay(dir); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = listener.Close() }()
	script := &script{peer: p, dir: dir, task: task}
	script.model = modeltest.New(script.answer).Forgetful()
	go func() { _ = http.Serve(listener, script) }() //nolint:gosec // loopback only
	url := "http://" + listener.Addr().String() + "/v1"
	if err := p.settle(home, url); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, program, p.args(url)...) //nolint:gosec // the programs that were named
	command.Args[0] = p.name                                     // the binary of the tests is Marvin under this name
	command.Dir, command.WaitDelay = dir, time.Second
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "TERM=dumb"}, p.environ(url)...)
	out, err := command.CombinedOutput()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w\n%s", err, out)
	case script.done != len(task):
		return nil, fmt.Errorf("it did %d rounds of %d\n%s", script.done, len(task), out)
	case !strings.Contains(string(out), answer):
		return nil, fmt.Errorf("it did not say the answer\n%s", out)
	}
	if err := mended(dir, task); err != nil {
		return nil, err
	}
	return script.sent, nil
}

// script answers the requests of one assistant, and keeps them as they were sent.
type script struct {
	peer  peer
	dir   string
	task  []step
	model *modeltest.Server

	mu   sync.Mutex
	sent [][]byte
	done int
}

// plain is what the model server gets of a request in the protocol of responses: Codex sends
// more fields than the reference has, which the server refuses, and no answer depends on them.
const plain = `{"model":"played","stream":true,"store":false,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}],
	"tools":[{"type":"function","name":"exec_command","description":"run","parameters":{"type":"object"},"strict":false}]}`

func (s *script) ServeHTTP(to http.ResponseWriter, request *http.Request) {
	if request.Method == http.MethodPost {
		raw, err := io.ReadAll(request.Body)
		if err != nil {
			return // it left
		}
		s.mu.Lock()
		s.sent = append(s.sent, raw)
		s.mu.Unlock()
		if strings.HasSuffix(request.URL.Path, "/responses") {
			raw = []byte(plain)
		}
		request.Body = io.NopCloser(bytes.NewReader(raw))
	}
	s.model.ServeHTTP(to, request)
}

func (s *script) answer(request modeltest.Request) modeltest.Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(request.Tools) == 0: // a title, say
		return modeltest.Text("Mend the ledger")
	case s.done == len(s.task):
		return modeltest.Text(answer)
	}
	s.done++
	return modeltest.Calls(s.peer.call(s.task[s.done-1], s.dir))
}

// row is what was measured of one assistant.
type row struct {
	name                        string
	requests, first, tools, all int
	same                        float64 // share of what the model reads that the request before began with
}

func measure(name string, sent [][]byte) row {
	r := row{name: name, requests: len(sent), first: len(sent[0])}
	var first struct{ Tools []json.RawMessage }
	if json.Unmarshal(sent[0], &first) == nil {
		r.tools = len(first.Tools)
	}
	var before []byte
	repeated, prompts := 0, 0
	for i, one := range sent {
		r.all += len(one)
		now := prompted(one)
		if i > 0 {
			repeated += common(before, now)
			prompts += len(now)
		}
		before = now
	}
	r.same = float64(repeated) / float64(max(prompts, 1))
	return r
}

// prompted is what a model reads of a request, in the order in which it does: the tools come
// first, wherever they stand in what was sent.
func prompted(raw []byte) []byte {
	var request struct{ Tools, Instructions, Messages, Input json.RawMessage }
	if err := json.Unmarshal(raw, &request); err != nil {
		return raw
	}
	// Without the brackets that close: what comes next stands in front of them.
	growing := bytes.TrimRight(append(request.Messages, request.Input...), "]")
	return slices.Concat(request.Tools, request.Instructions, growing)
}

func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func (r row) text(all []row) string {
	against := "–"
	for _, other := range all {
		if other.name == "pi" {
			against = fmt.Sprintf("%.2f", float64(r.all)/float64(other.all))
		}
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %.0f %% |", r.name, r.requests, r.first, r.tools, r.all, against, 100*r.same)
}

// mended says whether the files are what the edits of the task make of them.
func mended(dir string, task []step) error {
	var all error
	for _, one := range task {
		if one.old == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, one.path)) //nolint:gosec // below dir
		if err == nil && (strings.Contains(string(text), one.old) || !strings.Contains(string(text), one.text)) {
			err = fmt.Errorf("%s was not changed", one.path)
		}
		all = errors.Join(all, err)
	}
	return all
}
