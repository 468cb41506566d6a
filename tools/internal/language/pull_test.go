package language

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Problems are requested again as long as the server examines an older content, but not forever.
func TestAServerIsAskedUntilItKnowsThePresentContent(t *testing.T) {
	for _, one := range []struct {
		what    string
		refuses int // how often, with code
		code    int
		asked   int
		wrong   string
	}{
		{"at once", 0, 0, 1, ""},
		{"it changed", 2, codeContentModified, 3, ""},
		{"it was cancelled", 1, codeServerCancelled, 2, ""},
		{"another one cancelled it", 1, codeCancelled, 2, ""},
		{"it does not know how", 1, codeNoMethod, 1, "no (-32601)"},
		{"at the last time", 19, codeContentModified, 20, ""},
		{"never", 99, codeContentModified, 20, "a.txt changes faster than the language server can read it"},
	} {
		s, asked := &Session{held: *unread(t)}, 0
		peers(t, s, func(is message) message {
			if is.Method != "textDocument/diagnostic" {
				return message{}
			}
			if asked++; asked <= one.refuses {
				return message{ID: is.ID, Error: &rpcError{one.code, "no"}}
			}
			return message{ID: is.ID, Result: json.RawMessage(`{"items":[{"message":"bad"}]}`)}
		})
		path := put(t, s.ground.Root, "a.txt", "bad\n")
		if err := s.pull(t.Context(), path); err != nil || asked != 0 {
			t.Errorf("%s: of a file that it does not have: asked %d times, %v", one.what, asked, err)
		}
		doc, err := s.sync(path)
		if err != nil {
			t.Fatal(err)
		}
		err = s.pull(t.Context(), path)
		if asked != one.asked || (err != nil) != (one.wrong != "") || err != nil && err.Error() != one.wrong || doc.known != (err == nil) || doc.known && doc.proven[0].Message != "bad" {
			t.Errorf("%s: asked %d times, %v, known %v", one.what, asked, err, doc.known)
		}
		if err := s.drop(path); err != nil {
			t.Fatal(err)
		}
		asked = 0
		if err := s.pull(t.Context(), path); err != nil || asked != 0 {
			t.Errorf("%s: of a closed file: asked %d times, %v", one.what, asked, err)
		}
	}
}

func TestAnEndedQuestionIsLateAndNoMistake(t *testing.T) {
	s := &Session{held: *unread(t)}
	s.server.Exact = "pull"
	ctx, stop := context.WithCancel(t.Context())
	peers(t, s, func(one message) message {
		if one.Method == "textDocument/diagnostic" {
			stop()
			return message{ID: one.ID, Error: &rpcError{codeContentModified, "it changed"}}
		}
		return message{}
	})
	path := put(t, s.ground.Root, "a.txt", "bad\n")
	if _, err := s.sync(path); err != nil {
		t.Fatal(err)
	}
	if late, err := s.settle(ctx, []string{path}); !late || err != nil {
		t.Errorf("late %v, %v", late, err)
	}
	if err := ignoreEnd(t.Context(), errSlow); !errors.Is(err, errSlow) {
		t.Errorf("an error without an end: %v", err)
	}
}

func TestAQuestionThatFailsIsNoAnswer(t *testing.T) {
	for code, want := range map[int]string{-32603: "it broke", codeContentModified: "a.txt changes faster than the language server can read it"} {
		s := &Session{held: *unread(t)}
		s.server.Exact = "pull"
		peers(t, s, func(one message) message {
			if one.Method == "textDocument/diagnostic" {
				return message{ID: one.ID, Error: &rpcError{code, "it broke"}}
			}
			return message{}
		})
		path := put(t, s.ground.Root, "a.txt", "bad\n")
		if _, err := s.sync(path); err != nil {
			t.Fatal(err)
		}
		if late, err := s.settle(t.Context(), []string{path}); late || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: late %v, %v", code, late, err)
		}
	}
}

// tsserver counts from 1 and has words for severities.
func TestProblemsOfTypeScript(t *testing.T) {
	body := func(category string, line int) string {
		return fmt.Sprintf(`{"body":[{"start":{"line":%d,"offset":3},"end":{"line":%d,"offset":5},"text":"bad","code":2304,"category":%q}]}`, line, line+1, category)
	}
	s, broken := &Session{held: *unread(t)}, ""
	s.server.Exact = exactTS
	said := peers(t, s, func(one message) message {
		switch question := string(one.Params); {
		case len(one.ID) == 0:
			return message{}
		case broken != "" && strings.Contains(question, broken):
			return message{ID: one.ID, Error: &rpcError{codeNoMethod, "no " + broken}}
		case strings.Contains(question, "syntacticDiagnosticsSync"):
			return message{ID: one.ID, Result: json.RawMessage(body("error", 1))}
		case strings.Contains(question, `"suggestions"`):
			return message{}
		}
		return message{ID: one.ID, Result: json.RawMessage(strings.Replace(body("warning", 4), "}]}", `},{"text":"hint","category":"suggestion","start":{"line":1,"offset":1},"end":{"line":1,"offset":1}}]}`, 1))}
	})
	path := put(t, s.ground.Root, "a.txt", "bad\n")
	list, err := s.askProblems(t.Context(), path)
	want := "[{{{0 2} {1 4}} 1 2304 typescript bad} {{{3 2} {4 4}} 2 2304 typescript bad} {{{0 0} {0 0}} 4  typescript hint}]"
	var got []string
	for _, one := range list {
		got = append(got, fmt.Sprintf("{%v %d %s %s %s}", one.Range, one.Severity, one.Code, one.Source, one.Message))
	}
	if text := "[" + strings.Join(got, " ") + "]"; err != nil || text != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
	if asked := <-said; string(asked.Params) != `{"arguments":["syntacticDiagnosticsSync",{"file":"`+path+`"}],"command":"typescript.tsserverRequest"}` {
		t.Errorf("it was asked %s", asked.Params)
	}
	for _, broken = range []string{"syntacticDiagnosticsSync", "semanticDiagnosticsSync"} {
		if list, err := s.askProblems(t.Context(), path); err == nil || list != nil {
			t.Errorf("without %s: %+v, %v", broken, list, err)
		}
	}
}
