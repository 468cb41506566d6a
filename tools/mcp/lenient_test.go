package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"marvin/persistence/settings"
	"marvin/tools"
)

// odd contains the replies of a server that violates the protocol, by tool.
var odd = map[string]string{
	"nan":        `{"content":[{"type":"text","text":"count 0, NaN"}],"structuredContent":{"mean":NaN,"max":-Infinity}}`,
	"structured": `{"content":[{"type":"text","text":"see below"}],"structuredContent":{"fact":42}}`,
	"same":       `{"content":[{"type":"text","text":"{\"fact\":42}"}],"structuredContent":{"fact":42}}`,
	"hologram":   `{"content":[{"type":"hologram","data":"zzz"},{"type":"text","text":"behind it"}]}`,
	"picture":    `{"content":[{"type":"image","data":"***","mimeType":"image/png"},{"type":"text","text":"behind it"}]}`,
	"plain":      `{"content":"a string and no list"}`,
	"one":        `{"content":{"type":"text","text":"a part and no list"}}`,
	"null":       `{"content":null}`,
	"failed":     `{"content":[{"type":"text","text":"it broke"}],"isError":"true"}`,
	"broken":     `{"content":[{"type":"text","text":"cut off}]}`,
}

// oddTools returns a list of tools that also contains tools the library cannot read.
func oddTools() string {
	list := []string{
		`{"name":"hints","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"true","destructiveHint":false}}`,
		`{"name":"title","title":7,"inputSchema":{"type":"object"}}`, `{"inputSchema":{"type":"object"}}`, `{"name":"list","inputSchema":{"type":"object"},"annotations":[]}`,
	}
	for name := range odd {
		list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
	}
	return `{"tools":[` + strings.Join(list, ",") + `]}`
}

// answer returns the odd server's reply to a request, "" for a notification.
func answer(request []byte) string {
	var asked struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name    string `json:"name"`
			Version string `json:"protocolVersion"`
		} `json:"params"`
	}
	if json.Unmarshal(request, &asked) != nil || asked.ID == nil {
		return ""
	}
	result := `{}`
	switch asked.Method {
	case "initialize":
		result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}`, asked.Params.Version)
	case "tools/list":
		result = oddTools()
	case "tools/call":
		result = odd[asked.Params.Name]
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result)
}

// playOdd runs the odd server over standard streams.
func playOdd(in io.Reader, out io.Writer) {
	decoder := json.NewDecoder(in)
	for {
		var request json.RawMessage
		if decoder.Decode(&request) != nil {
			return
		}
		if said := answer(request); said != "" {
			fmt.Fprintln(out, said)
		}
	}
}

func TestLenientServerMessages(t *testing.T) {
	serve := func(kind string) settings.Server {
		at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			said := answer(body)
			switch {
			case r.Method != http.MethodPost:
				w.WriteHeader(http.StatusMethodNotAllowed)
			case said == "":
				w.WriteHeader(http.StatusAccepted)
			default:
				w.Header().Set("Content-Type", kind)
				if kind == "text/event-stream" {
					said = "event: message\ndata: " + said + "\n\n"
				}
				_, _ = io.WriteString(w, said)
			}
		}))
		t.Cleanup(at.Close)
		return settings.Server{URL: at.URL}
	}
	for name, server := range map[string]settings.Server{"program": played("odd answers"), "JSON": serve("application/json"), "events": serve("text/event-stream")} {
		t.Run(name, func(t *testing.T) {
			session := begun(t, server, ground(t))
			manifest, err := session.Tools(t.Context())
			if err != nil || len(manifest.Tools) != len(odd)+3 {
				t.Fatalf("%d tools, %v", len(manifest.Tools), err)
			}
			for tool, want := range map[string]string{
				"nan": `"mean": null`, "structured": `"fact": 42`, "same": `{"fact":42}`, "hologram": "behind it", "picture": "behind it", "plain": "a string and no list",
				"one": "a part and no list", "null": "(the server gave no text)", "failed": "it broke", "broken": "JSON",
			} {
				ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
				output, err := session.Call(ctx, tools.Env{}, tool, json.RawMessage(`{}`))
				stop()
				text := output.Text
				if err != nil {
					text = err.Error()
				}
				if !strings.Contains(text, want) && !(tool == "broken" && name != "program" && err != nil) || (err != nil) != (tool == "failed" || tool == "broken") {
					t.Errorf("%s: %q, %v; want %q", tool, text, err, want)
				}
				if tool == "same" && strings.Count(text, "fact") > 1 {
					t.Errorf("what the text says is said twice: %q", text)
				}
				if tool == "broken" {
					session = begun(t, server, ground(t)) // the library ends the connection after this
				}
			}
		})
	}
}

func TestAVariableMayHaveADefault(t *testing.T) {
	for text, want := range map[string]string{"${A:-x}": "x", "${B:-x}": "b", "$B ${A:-}": "b ", "${A:-http://h:1/}": "http://h:1/", "$$B": "$B"} {
		missing := false
		got := expand(text, func(name string, optional bool) string {
			missing = missing || name != "B" && !optional
			return map[string]string{"B": "b"}[name]
		})
		if got != want || missing {
			t.Errorf("%s: %q, missing %v", text, got, missing)
		}
	}
}
