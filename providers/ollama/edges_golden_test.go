package ollama

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/providers"
)

// installedOn simulates a server with the named models and their abilities in a list; "-" is a
// model about which it sends no answer, "" one without abilities.
func installedOn(t *testing.T, abilities [][2]string, windows map[string]any) (server *httptest.Server, asked func() string) {
	t.Helper()
	var lock sync.Mutex
	var names []string
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/tags" {
			var list []map[string]string
			for _, one := range abilities {
				list = append(list, map[string]string{"name": one[0]})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"models": list})
			return
		}
		var request struct{ Model string }
		_ = json.NewDecoder(r.Body).Decode(&request)
		lock.Lock()
		names = append(names, request.Model)
		lock.Unlock()
		i := slices.IndexFunc(abilities, func(one [2]string) bool { return one[0] == request.Model })
		if i < 0 || abilities[i][1] == "-" {
			http.Error(w, `{"error":"no"}`, http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"capabilities": strings.Fields(abilities[i][1]), "model_info": windows})
	}))
	t.Cleanup(server.Close)
	return server, func() string {
		slices.Sort(names)
		text := strings.Join(names, " ")
		names = nil
		return text
	}
}

func TestEdgesOfOllama(t *testing.T) {
	var out strings.Builder
	tell := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for _, address := range []string{"", "x", "http://", "ftp://h", "http://h:1/", "https://h//", " http://h ", "http://h\x7f", "://h", "HTTP://h"} {
		m := New(Config{URL: address, Model: "m"})
		tell("address %q: %v, %v", address, m.base, m.invalid)
		if m.invalid != nil {
			window, widest := m.Window()
			_, err := m.Respond(t.Context(), providers.Question{}, nil)
			tell("  %d of %d, %v", window, widest, err)
		}
	}
	for _, address := range []string{"http://h\x7f", "http://127.0.0.1:0"} {
		names, err := Installed(t.Context(), address, http.DefaultClient)
		offers, failed := ListModels(t.Context(), address, http.DefaultClient)
		name, _, unpicked := Pick(t.Context(), address, http.DefaultClient, "")
		tell("at %q: %v %t; %v %t; %q %t; %t %t", address, names, err != nil, offers, failed != nil, name, unpicked != nil, CallsTools(t.Context(), address, http.DefaultClient, "m"), Reachable(t.Context(), address, http.DefaultClient))
	}
	for _, args := range []string{"", "{", "[1]", "{}", `{"b":1,"a":[2]}`} {
		m := New(Config{URL: "http://h", Model: "m"})
		wire, err := m.wireMessage(messages.Message{Role: messages.Assistant, Text: "t", Calls: []messages.ToolCall{{ID: "1", Name: "f", Args: json.RawMessage(args)}}})
		encoded, failed := json.Marshal(wire)
		tool, refused := wireTool(providers.ToolSpec{Name: "f", Doc: "d", Schema: json.RawMessage(args)})
		told, unsaid := json.Marshal(tool)
		tell("wire %s: %s %v %v; %s %v %v", args, encoded, err, failed, told, refused, unsaid)
	}
	for _, names := range [][]string{nil, {"a"}, {"a:latest"}, {"A:LATEST"}, {"a:1"}, {"b", "a"}} {
		tell("has %q: %t", names, Has(names, "a"))
	}
	for n := range 10 {
		tell("list %s", List(strings.Fields(strings.Repeat("m ", n))))
	}
	many := [][2]string{}
	for i := range 13 {
		many = append(many, [2]string{fmt.Sprintf("m%02d", i), "embedding"})
	}
	for _, abilities := range [][][2]string{
		nil,
		{{"a", ""}},
		{{"a", "-"}},
		{{"a", "embedding"}},
		{{"a", "completion"}},
		{{"a", "tools completion"}},
		{{"e", "embedding"}, {"a", "completion"}},
		{{"a", "completion"}, {"b", "completion tools"}},
		{{"a-cloud", "completion tools"}, {"b", "completion tools"}},
		{{"a-cloud", "completion tools"}},
		{{"usual", "completion"}, {"a", "completion tools"}},
		many, append(slices.Clone(many[:12]), [2]string{"last", "completion tools"}), append(slices.Clone(many[:11]), [2]string{"last", "completion"}),
	} {
		server, asked := installedOn(t, abilities, map[string]any{"x.context_length": 100})
		name, why, err := Pick(t.Context(), server.URL+"/", server.Client(), "usual")
		tell("pick of %v: %q, %q, %v; asked %s", abilities, name, why, err, asked())
		offers, err := ListModels(t.Context(), server.URL+"/", server.Client())
		for _, offer := range offers {
			told := ""
			for _, can := range []*bool{offer.Sees, offer.Tools, offer.Thinks} {
				if can != nil {
					told += fmt.Sprintf(" %t", *can)
				}
			}
			tell("  %s %d%s", offer.Name, offer.Window, told)
		}
		tell("  %v; asked %s; calls %t", err, asked(), CallsTools(t.Context(), server.URL, server.Client(), "a"))
	}
	for _, length := range []any{0, 1, "7", -1, 4096.0, 1 << 20} {
		server, _ := installedOn(t, [][2]string{{"m", "vision"}}, map[string]any{"x.context_length": length, "y": 5})
		m := New(Config{URL: server.URL, Model: "m", HTTP: server.Client()})
		window, widest := m.Window()
		offers, _ := ListModels(t.Context(), server.URL, server.Client())
		tell("length %v: %d of %d, %d; %+v", length, window, widest, offers[0].Window, m.facts())
	}
	for _, list := range []string{"", "num_ctx 511", "num_ctx 512", "num_ctx 4194304", "num_ctx 4194305", "num_ctx x", "num_ctx", "num_ctx 1 2", "a b\nnum_ctx   8192\nnum_ctx 4096", "num_ctx 1\nnum_ctx 1024"} {
		tell("parameters %q: %d", list, parameter(list))
	}
	cutPrompts(t, tell)
	goldentest.Assert(t, "edges.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// cutPrompts returns the prompts that were reported as cut.
func cutPrompts(t *testing.T, tell func(string, ...any)) {
	version := "0.17.4"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if version == "" {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, `{"version":%q}`, version)
	}))
	t.Cleanup(server.Close)
	for _, one := range []struct {
		read, sent, window, own int
		loaded                  time.Duration
		version                 string
	}{
		{0, 4000, 9000, 0, 0, "0.17.4"},
		{1, 4000, 9000, 0, 0, "0.17.4"},
		{1999, 4000, 9000, 0, 0, "0.17.4"},
		{2000, 4000, 9000, 0, 0, "0.17.4"},
		{2001, 4000, 9000, 0, 0, "0.17.4"},
		{500, 1500, 9000, 0, 0, "0.17.4"},
		{501, 1500, 9000, 0, 0, "0.17.4"},
		{500, 1499, 9000, 0, 0, "0.17.4"},
		{100, 20000, 9000, 9000, 0, "0.17.4"},
		{100, 20000, 9000, 9001, 0, "0.17.4"},
		{100, 20000, 9000, 8000, 0, "0.17.4"},
		{100, 20000, 9000, 0, 0, "0.2.0"},
		{100, 20000, 9000, 0, 0, "0.1.9"},
		{100, 20000, 9000, 0, 0, "1.0"},
		{100, 20000, 9000, 0, 0, "x"},
		{100, 20000, 9000, 0, 0, "2"},
		{100, 20000, 9000, 0, 0, ""},
		{100, 20000, 9000, 0, coldLoad, ""},
		{100, 20000, 9000, 0, coldLoad - 1, ""},
		{8100, 20000, 9000, 0, 0, ""},
		{8099, 20000, 9000, 0, 0, ""},
	} {
		m := New(Config{URL: server.URL, Model: "m", HTTP: server.Client()})
		m.facts = func() facts { return facts{window: one.window, own: one.own} }
		request := &api.ChatRequest{Messages: []api.Message{{Content: strings.Repeat("abc \n\td", one.sent)}}}
		answer, reply := &answer{loaded: one.loaded}, &providers.Reply{}
		version, answer.usage.Input = one.version, one.read
		for range 2 {
			m.checkPrompt(t.Context(), request, answer, reply)
		}
		tell("cut %+v of %d: %q", one, estimate(request), reply.Notices)
	}
}
