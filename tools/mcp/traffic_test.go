package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/artifacts"
	"marvin/persistence/settings"
	"marvin/tools"
)

// flooding is a server that sends far too many messages.
type flooding struct{ answers atomic.Int64 }

// hears replies to a message, line by line. Before it replies to a call, it sends 3,000 requests
// and as many notifications. Its list of tools never ends.
func (f *flooding) hears(message []byte, say func(string)) {
	var asked struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name    string `json:"name"`
			Version string `json:"protocolVersion"`
		} `json:"params"`
	}
	_ = json.Unmarshal(message, &asked)
	result := `{}`
	switch {
	case asked.Method == "" && asked.ID != nil:
		f.answers.Add(1)
		return
	case asked.ID == nil:
		return
	case asked.Method == "initialize":
		result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"flood","version":"1"}}`, asked.Params.Version)
	case asked.Method == "tools/list":
		result = `{"tools":[{"name":"t","inputSchema":{"type":"object"}}],"nextCursor":"again"}`
	case asked.Method == "prompts/list":
		result = `{"prompts":[{"name":"not to be typed"}],"nextCursor":"again"}`
	case asked.Method == "resources/list":
		result = `{"resources":[{"name":"r","uri":"x://r"}],"nextCursor":"again"}`
	case asked.Params.Name == "flood":
		for n := range 3_000 {
			say(fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","method":"ping"}`, n))
			say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
		}
		fallthrough
	case asked.Method == "tools/call":
		result = fmt.Sprintf(`{"content":[{"type":"text","text":"%d answers"}]}`, f.answers.Load())
	}
	say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result))
}

// playFlood runs the server over standard streams. It does not read while it sends.
func playFlood(in io.Reader, out io.Writer) {
	server, lines := &flooding{}, bufio.NewScanner(in)
	for lines.Scan() {
		to := bufio.NewWriter(out)
		server.hears(lines.Bytes(), func(line string) { fmt.Fprintln(to, line) })
		_ = to.Flush()
	}
}

func TestAServerThatSendsTooMuchIsBounded(t *testing.T) {
	far := &flooding{}
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		var said []string
		if far.hears(body, func(line string) { said = append(said, line) }); len(said) == 0 {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, line := range said { // each message as two lines, which the format of events allows
			_, _ = fmt.Fprintf(w, "event: message\ndata: %s,\ndata: %s\n\n", line[:len(`{"jsonrpc":"2.0"`)], line[len(`{"jsonrpc":"2.0",`):])
		}
	}))
	t.Cleanup(at.Close)
	for name, server := range map[string]settings.Server{"program": played("floods"), "address": {URL: at.URL}} {
		session := begun(t, server, ground(t))
		manifest, err := session.Tools(t.Context())
		if err != nil || len(manifest.Tools) != 1 || len(manifest.Left) != 5 || len(manifest.Prompts) != 0 {
			t.Errorf("%s: %+v, %v", name, manifest, err)
		}
		if resources, err := session.Resources(t.Context()); err != nil || len(resources) > 2 {
			t.Errorf("%s: %d resources, %v", name, len(resources), err)
		}
		if output, err := session.Call(t.Context(), tools.Env{}, "flood", nil); err != nil || !strings.HasSuffix(output.Text, " answers") {
			t.Errorf("%s: %q, %v", name, output.Text, err)
		}
		output, err := session.Call(t.Context(), tools.Env{}, "count", nil)
		var answers int
		if _, _ = fmt.Sscanf(output.Text, "%d answers", &answers); err != nil || answers == 0 || answers > mostRequests {
			t.Errorf("%s: %q, %v", name, output.Text, err)
		}
		if strings.Count(session.Log(), "sends too much") != 1 {
			t.Errorf("%s: the log is %q", name, session.Log())
		}
	}
}

// A page of a list, and a reply, may be very long or have very many parts.
func TestLongListsAndAnswersOfAServerAreCut(t *testing.T) {
	pages := 0
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		var asked struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.NewDecoder(r.Body).Decode(&asked)
		result := `{}`
		switch asked.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"long","version":"1"}}`
		case "prompts/list":
			pages++
			argument := `{"name":"a","description":"` + strings.Repeat("d", 1000) + `"}`
			result = fmt.Sprintf(`{"prompts":[{"name":"p%d","arguments":[%s%s]}],"nextCursor":"%[1]d"}`, pages, strings.Repeat(argument+",", 4000), argument)
		case "tools/list":
			result = `{"tools":[` + strings.Repeat(`{"name":"t","inputSchema":{"type":"object"}},`, 5000) + `{"name":"t"}]}`
		case "tools/call":
			pictures := ""
			for n := range 300 {
				pictures += fmt.Sprintf(`{"type":"image","mimeType":"image/png","data":"A%03d"},`, n)
			}
			result = `{"content":[` + pictures + strings.Repeat(`{"type":"text","text":"1"},`, 20_000) + `{"type":"text","text":"last"}]}`
		}
		if asked.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result)
	}))
	t.Cleanup(at.Close)
	session := begun(t, settings.Server{URL: at.URL}, ground(t))
	manifest, err := session.Tools(t.Context())
	if left := strings.Join(manifest.Left, "\n"); err != nil || pages > 6 || len(manifest.Tools) != 1 || !strings.Contains(left, "longer than 16 MB") || len(manifest.Left) > mostLines+3 {
		t.Errorf("%d pages, %d tools, %v, left %.2000q", pages, len(manifest.Tools), err, manifest.Left)
	}
	for _, prompt := range manifest.Prompts {
		if len(prompt.Args) > mostArgs {
			t.Errorf("%d arguments", len(prompt.Args))
		}
	}
	env := tools.Env{Artifacts: artifacts.New(persistence.Open(t.TempDir(), time.Now), "one")}
	output, err := session.Call(t.Context(), env, "t", nil)
	if err != nil || len(env.Artifacts.List()) != mostStored || !strings.Contains(output.Text, "20301 parts; only the first 10000") || strings.Contains(output.Text, "last") {
		t.Errorf("%d artifacts, %v, %.300q", len(env.Artifacts.List()), err, output.Text)
	}
}
