package language

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestQuestionsOfAServer(t *testing.T) {
	s := &Session{held: *unread(t)}
	s.ground.Root = "/p/project"
	s.server.Settings = map[string]any{"python": map[string]any{"analysis": map[string]any{"strict": true}}, "top": 1}
	for _, one := range []struct{ method, params, want string }{
		{
			"workspace/configuration", `{"items":[{"section":"python.analysis"},{"section":"top"},{"section":""},{"section":"none"},{"section":"top.deeper"},{"section":".top."}]}`,
			`[{"strict":true},1,{"python":{"analysis":{"strict":true}},"top":1},null,null,1]`,
		},
		{"workspace/configuration", `{"items":[` + strings.Repeat(`{"section":"top"},`, 100) + `{"section":"top"}]}`, "[" + strings.Repeat("1,", 99) + "1]"},
		{"workspace/configuration", `[]`, `[]`},
		{"workspace/applyEdit", `{}`, `{"applied":false,"failureReason":"only Marvin changes files"}`},
		{"workspace/workspaceFolders", `null`, `[{"name":"project","uri":"file:///p/project"}]`},
		{"window/showDocument", `{}`, `{"success":false}`},
		{"client/registerCapability", `{}`, `null`},
		{"workspace/diagnostic/refresh", `null`, `null`},
		{"workspace/other", `{}`, `there is no workspace/other (-32601)`},
		{strings.Repeat("x", 61), `{}`, `there is no ` + strings.Repeat("x", 60) + `… (-32601)`},
	} {
		answer, err := s.handleRequest(one.method, json.RawMessage(one.params))
		got, wrong := json.Marshal(answer)
		if wrong != nil {
			t.Fatal(wrong)
		}
		if text := string(got); err != nil && (err.Error() != one.want || text != "null") || err == nil && text != one.want {
			t.Errorf("%s %.60s: %s, %v", one.method, one.params, got, err)
		}
	}
	if s.said == nil || s.said[0] != "[the server tried to change files itself, which Marvin does not allow]" || len(s.said) != 1 {
		t.Errorf("its log: %q", s.said)
	}
}

func TestASectionOfTheSettings(t *testing.T) {
	init := json.RawMessage(`{"a":1}`)
	for _, one := range []struct {
		server Server
		name   string
		want   string
	}{
		{Server{Name: "gopls", Init: init}, "gopls", `{"a":1}`},
		{Server{Name: "gopls", Init: init}, "other", `null`},
		{Server{Name: "gopls"}, "gopls", `null`},
		{Server{Name: "gopls", Init: init, Settings: map[string]any{"gopls": "mine"}}, "gopls", `"mine"`},
		{Server{Name: "gopls", Settings: map[string]any{"gopls": map[string]any{"b": 2}}}, "gopls", `{"b":2}`},
		{Server{Name: "gopls", Init: init, Settings: map[string]any{}}, "gopls", `null`},
		{Server{Name: "gopls", Init: init, Settings: map[string]any{"b": 2}}, "gopls", `{"b":2}`},
		{Server{Name: "gopls", Init: init, Settings: map[string]any{"b": 2}}, "other", `null`},
	} {
		got, err := json.Marshal(section(one.server, one.name))
		if err != nil || string(got) != one.want {
			t.Errorf("%+v asks for %s: %s, %v", one.server, one.name, got, err)
		}
	}
}

func TestServerNotifications(t *testing.T) {
	s := &Session{held: *unread(t)}
	uri := uriOf(s.ground.Root + "/a.txt")
	for _, one := range []struct{ method, params string }{
		{"window/logMessage", `{"message":" one\n line "}`},
		{"window/showMessage", `{"message":"shown"}`},
		{"window/showMessage", `7`},
		{"$/tooLong", ``},
		{"$/progress", `{}`},
		{"textDocument/publishDiagnostics", `{"uri":"` + uri + `","diagnostics":[{"message":"bad"}]}`},
		{"textDocument/publishDiagnostics", `{"uri":"` + uri + `x","diagnostics":7}`},
	} {
		s.hear(one.method, json.RawMessage(one.params))
	}
	if got := strings.Join(s.said, "|"); got != "one line|shown|[a message of more than 8 MiB was skipped]" {
		t.Errorf("its log: %s", got)
	}
	if len(s.loose) != 1 || s.loose[s.ground.Root+"/a.txt"][0].Message != "bad" {
		t.Errorf("%+v", s.loose)
	}
}

func TestTheLogOfAServerIsBounded(t *testing.T) {
	s := unread(t)
	for n := range 200 {
		s.note(fmt.Sprint(n))
	}
	if len(s.said) != 200 {
		t.Errorf("of 200 lines there are %d", len(s.said))
	}
	s.note("200")
	if len(s.said) != 150 || s.said[0] != "0" || s.said[49] != "49" || s.said[50] != "101" || s.said[149] != "200" {
		t.Errorf("of 201 lines there are %d: %q", len(s.said), s.said)
	}
	s.note(strings.Repeat("x", 1001))
	if last := s.said[len(s.said)-1]; last != strings.Repeat("x", 1000)+"…" {
		t.Errorf("a long line is %d bytes", len(last))
	}
}
