//go:build unix

package language

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain acts as a language server if LSP_PLAYS describes its behavior: a real process behind
// real pipes. It also acts as the guard of tools/internal/proc.
func TestMain(m *testing.M) {
	if how := os.Getenv("LSP_PLAYS"); how != "" {
		(&played{how: how, versions: map[string]int{}, texts: map[string]string{}}).run()
		os.Exit(0)
	}
	flag.Parse()
	// Parallel tests wait for servers; one test per core at a time would take 70 s.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// played is a server that reports each line that says "bad", with all faults that LSP_PLAYS names.
type played struct {
	how      string
	mu       sync.Mutex
	out      sync.Mutex
	versions map[string]int
	texts    map[string]string
	pushes   int
	late     []message // replies that are sent after the next change
}

func (p *played) does(what string) bool { return strings.Contains(p.how, what) }

func (p *played) say(one message) {
	text, _ := frame(one)
	p.out.Lock()
	defer p.out.Unlock()
	_, _ = os.Stdout.Write(text)
}

func (p *played) notify(method string, params any) {
	encoded, _ := json.Marshal(params)
	p.say(message{Method: method, Params: encoded})
}

func (p *played) run() {
	switch {
	case p.does("hangs"):
		time.Sleep(time.Hour)
	case p.does("refuses"):
		fmt.Fprintln(os.Stderr, "no licence was found")
		os.Exit(3)
	case p.does("forks"):
		away := exec.Command(os.Args[0])
		away.Env, away.SysProcAttr = append(os.Environ(), "LSP_PLAYS=hangs"), &syscall.SysProcAttr{Setsid: true}
		if away.Start() == nil {
			_ = os.WriteFile(os.Getenv("PID_FILE"), []byte(strconv.Itoa(away.Process.Pid)), 0o600)
		}
	}
	in := bufio.NewReader(os.Stdin)
	for {
		one, err := readMessage(in)
		if err != nil {
			return
		}
		p.heard(one)
	}
}

func (p *played) heard(one message) {
	switch one.Method {
	case "initialize":
		able := `{"capabilities":{"textDocumentSync":1,"definitionProvider":true,"renameProvider":true,"codeActionProvider":true}}`
		if p.does("pull") {
			able = strings.Replace(able, `"rename`, `"diagnosticProvider":{},"rename`, 1)
		}
		if p.does("formats") {
			able = strings.Replace(able, `"rename`, `"documentFormattingProvider":true,"rename`, 1)
		}
		if p.does("utf-8") {
			able = strings.Replace(able, `"rename`, `"positionEncoding":"utf-8","rename`, 1)
		}
		if p.does("resolves") {
			able = strings.Replace(able, `"codeActionProvider":true`, `"codeActionProvider":{"resolveProvider":true}`, 1)
		}
		begun := map[string]json.RawMessage{}
		_ = json.Unmarshal(one.Params, &begun)
		delete(begun, "capabilities")
		told, _ := json.Marshal(begun)
		p.notify("window/logMessage", map[string]string{"message": "began with " + string(told)})
		p.say(message{ID: one.ID, Result: json.RawMessage(able)})
		if p.does("floods") {
			p.flood()
		}
	case "textDocument/didOpen", "textDocument/didChange":
		p.changed(one)
	case "workspace/didChangeWatchedFiles":
		p.notify("window/logMessage", map[string]string{"message": "watched " + string(one.Params)})
	case "textDocument/diagnostic":
		p.pulled(one)
	case "textDocument/rename":
		p.say(message{ID: one.ID, Result: json.RawMessage(os.Getenv("LSP_EDIT"))})
	case "textDocument/definition":
		p.say(message{ID: one.ID, Result: json.RawMessage(os.Getenv("LSP_PLACES"))})
	case "textDocument/formatting":
		p.formats(one)
	case "workspace/didChangeConfiguration":
		p.notify("window/logMessage", map[string]string{"message": "configured " + string(one.Params)})
	case "exit":
		_ = os.WriteFile(os.Getenv("PID_FILE"), []byte("it was asked to end"), 0o600)
		os.Exit(0)
	default:
		if len(one.ID) > 0 && one.Method != "" {
			p.say(message{ID: one.ID, Result: json.RawMessage("null")})
		}
	}
}

func (p *played) changed(one message) {
	var params struct {
		TextDocument struct {
			URI     string
			Version int
			Text    string
		}
		ContentChanges []struct{ Text string }
	}
	_ = json.Unmarshal(one.Params, &params)
	content := params.TextDocument.Text
	if len(params.ContentChanges) > 0 {
		content = params.ContentChanges[0].Text
	}
	uri, version := params.TextDocument.URI, params.TextDocument.Version
	p.mu.Lock()
	p.versions[uri], p.texts[uri] = version, content
	p.pushes++
	push, late := p.pushes, p.late
	p.late = nil
	p.mu.Unlock()
	for _, one := range late {
		p.say(message{ID: one.ID, Result: json.RawMessage("[]")})
	}
	if p.does("dies") && rand.IntN(12) == 0 || p.does("diesonce") && push == 2 {
		os.Exit(4)
	}
	if p.does("applies") {
		p.say(message{ID: json.RawMessage(`"a1"`), Method: "workspace/applyEdit", Params: json.RawMessage(os.Getenv("LSP_EDIT"))})
	}
	if p.does("outside") {
		p.notify("textDocument/publishDiagnostics", publishParams{URI: "file:///etc/passwd", Diagnostics: faults("bad")})
		p.notify("textDocument/publishDiagnostics", publishParams{URI: "https://example.org/x", Diagnostics: faults("bad")})
	}
	if p.does("works") {
		p.works(push, "begin")
	}
	if p.does("silent") {
		return
	}
	publish := func() {
		params := map[string]any{"uri": uri, "diagnostics": faults(content)}
		if !p.does("versionless") {
			params["version"] = version
		}
		p.notify("textDocument/publishDiagnostics", params)
	}
	if !p.does("delays") {
		publish()
		return
	}
	for range 1 + rand.IntN(2) { // late, in any order, and sometimes twice
		time.AfterFunc(p.delay(60), publish)
	}
}

// delay returns up to most milliseconds, and occasionally, if it lags, up to eight seconds, when
// the files have had many other contents.
func (p *played) delay(most int) time.Duration {
	if p.does("lags") && rand.IntN(8) == 0 {
		most = 8000
	}
	return time.Duration(rand.IntN(most)) * time.Millisecond
}

func (p *played) pulled(one message) {
	var params struct{ TextDocument struct{ URI string } }
	_ = json.Unmarshal(one.Params, &params)
	p.mu.Lock()
	content := p.texts[params.TextDocument.URI]
	p.mu.Unlock()
	encoded, _ := json.Marshal(map[string]any{"kind": "full", "items": faults(content)})
	if p.does("delays") {
		time.AfterFunc(p.delay(30), func() { p.say(message{ID: one.ID, Result: encoded}) })
		return
	}
	p.mu.Lock()
	push := p.pushes
	p.mu.Unlock()
	p.say(message{ID: one.ID, Result: encoded})
	if p.does("leaves") {
		os.Exit(6)
	}
	if p.does("works") && !p.does("works on") { // longer than Marvin waits for a server that reports no work
		time.AfterFunc(4*othersWait, func() {
			root, _ := os.Getwd()
			p.notify("textDocument/publishDiagnostics", publishParams{URI: uriOf(root + "/other.txt"), Diagnostics: faults("bad")})
			p.works(push, "end")
		})
	}
}

// works reports work, as gopls does with verboseWorkDoneProgress.
func (p *played) works(token int, kind string) {
	p.notify("$/progress", map[string]any{"token": token, "value": map[string]string{"kind": kind, "title": "looking at files"}})
}

// formats removes trailing spaces according to the options.
func (p *played) formats(one message) {
	var params struct{ TextDocument struct{ URI string } }
	_ = json.Unmarshal(one.Params, &params)
	p.mu.Lock()
	content := p.texts[params.TextDocument.URI]
	p.mu.Unlock()
	edits := []textEdit{}
	for n, line := range strings.Split(content, "\n") {
		if bare := strings.TrimRight(line, " "); bare != line {
			edits = append(edits, textEdit{Range: span{position{n, units(line, len(bare))}, position{n, units(line, len(line))}}})
		}
	}
	switch {
	case p.does("formats never"):
		return
	case p.does("formats late"):
		p.mu.Lock()
		p.late = append(p.late, one)
		p.mu.Unlock()
		return
	case p.does("formats badly"):
		p.say(message{ID: one.ID, Error: &rpcError{Code: -32603, Message: "it cannot be read"}})
		return
	case p.does("formats dying"):
		os.Exit(5)
	case p.does("formats twice"):
		edits = append(edits, edits...)
		for i := range edits {
			edits[i].Range.Start.Character = 0
		}
	case p.does("formats away"):
		edits = []textEdit{{Range: span{End: position{1 << 20, 0}}}}
	}
	encoded, _ := json.Marshal(edits)
	p.say(message{ID: one.ID, Result: encoded})
}

// flood writes 130 MB: one message of 60 MB and many ordinary ones, each for another file. The
// common part is built once; building it for each message took two thirds of the test's time.
func (p *played) flood() {
	p.notify("window/logMessage", map[string]string{"message": strings.Repeat("x", 60<<20)})
	root, _ := os.Getwd()
	first := uriOf(root + "/flooded00")
	params, _ := json.Marshal(publishParams{URI: first, Diagnostics: faults(strings.Repeat("bad "+strings.Repeat("y", 1000)+"\n", 1000))})
	text, _ := frame(message{Method: "textDocument/publishDiagnostics", Params: params})
	before, after, _ := bytes.Cut(text, []byte(first))
	p.out.Lock()
	defer p.out.Unlock()
	for n := range 70 {
		_, _ = fmt.Fprintf(os.Stdout, "%s%s%02d", before, strings.TrimSuffix(first, "00"), n)
		_, _ = os.Stdout.Write(after)
	}
}

// faults returns the problems of a content: each names its line.
func faults(content string) []diagnostic {
	list := []diagnostic{}
	for n, line := range strings.Split(content, "\n") {
		if strings.Contains(line, "bad") {
			list = append(list, diagnostic{Range: span{position{n, 0}, position{n, 3}}, Severity: 1, Source: "played", Message: "line: " + line})
		}
	}
	return list
}
