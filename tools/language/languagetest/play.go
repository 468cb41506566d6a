// Package languagetest provides a language server for tests. A test program must first call [Main],
// which runs the server if LSP_PLAYS is set. The value of LSP_PLAYS selects the server's behavior.
// The server is a real process connected by real pipes.
package languagetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/persistence/settings"
)

// Played is a fake language server for *.txt files. It reports a problem in each line that contains
// "bad".
type Played struct {
	Environ []string // the environment variables that the conversation needs
	Own     map[string]settings.Language
	notes   string // directory for messages between the test and the server
}

// New returns a server with the given behavior. The server exits at once ("dies"), exits when it
// receives the first file ("dies later"), waits for [Played.Release] before it reports problems
// ("holds"), or works normally ("well").
func New(t *testing.T, how string) Played {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	notes := t.TempDir()
	return Played{
		Environ: append(os.Environ(), "LSP_PLAYS="+how, "LSP_NOTES="+notes, "MARVIN_PASS_ENV=LSP_PLAYS,LSP_NOTES"),
		Own:     map[string]settings.Language{"played": {Command: []string{program}, Files: []string{"*.txt"}}},
		notes:   notes,
	}
}

// Started returns the process IDs of all servers that have started, oldest first.
func (p Played) Started(t *testing.T) (pids []int) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(p.notes, "started"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(content)) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// Received reports whether the server has received a file. The server's behavior must be "holds".
func (p Played) Received() bool {
	_, err := os.Stat(filepath.Join(p.notes, "asked"))
	return err == nil
}

// Release unblocks a server whose behavior is "holds".
func (p Played) Release(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.notes, "let"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Main returns immediately if LSP_PLAYS is empty. Otherwise, Main runs the server and exits.
func Main() {
	if how := os.Getenv("LSP_PLAYS"); how != "" {
		play(how, os.Getenv("LSP_NOTES"))
		os.Exit(0)
	}
}

// message is a JSON-RPC message.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

func play(how, notes string) {
	if file, err := os.OpenFile(filepath.Join(notes, "started"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(file, os.Getpid())
		_ = file.Close()
	}
	if how == "dies" {
		fmt.Fprintln(os.Stderr, "no licence was found")
		os.Exit(3)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		one, err := read(in)
		if err != nil {
			return
		}
		switch {
		case one.Method == "initialize":
			say(message{ID: one.ID, Result: json.RawMessage(`{"capabilities":{"textDocumentSync":1}}`)})
		case one.Method == "exit":
			return
		case slices.Contains([]string{"textDocument/didOpen", "textDocument/didChange"}, one.Method):
			if how == "dies later" {
				os.Exit(4)
			}
			if how == "holds" {
				_ = os.WriteFile(filepath.Join(notes, "asked"), nil, 0o600)
				await(filepath.Join(notes, "let"))
			}
			publish(one.Params)
		case len(one.ID) > 0 && one.Method != "":
			say(message{ID: one.ID, Result: json.RawMessage("null")})
		}
	}
}

// await waits for a file to exist. If the parent process ends first, this process exits.
func await(file string) {
	for os.Getppid() > 1 {
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	os.Exit(1)
}

func publish(params json.RawMessage) {
	var changed struct {
		TextDocument struct {
			URI     string
			Version int
			Text    string
		}
		ContentChanges []struct{ Text string }
	}
	_ = json.Unmarshal(params, &changed)
	content := changed.TextDocument.Text
	if len(changed.ContentChanges) > 0 {
		content = changed.ContentChanges[0].Text
	}
	faults := []any{}
	for n, line := range strings.Split(content, "\n") {
		if strings.Contains(line, "bad") {
			at := map[string]int{"line": n}
			faults = append(faults, map[string]any{"range": map[string]any{"start": at, "end": at}, "severity": 1, "message": "line: " + line})
		}
	}
	encoded, _ := json.Marshal(map[string]any{"uri": changed.TextDocument.URI, "version": changed.TextDocument.Version, "diagnostics": faults})
	say(message{Method: "textDocument/publishDiagnostics", Params: encoded})
}

func say(one message) {
	one.Version = "2.0"
	body, _ := json.Marshal(one)
	fmt.Printf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func read(from *bufio.Reader) (one message, err error) {
	header, err := textproto.NewReader(from).ReadMIMEHeader()
	if err != nil {
		return one, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return one, err
	}
	body := make([]byte, length)
	if _, err = io.ReadFull(from, body); err != nil {
		return one, err
	}
	return one, json.Unmarshal(body, &one)
}
