package hooks

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Possible outputs of a program, and whether a gate opens after it succeeded.
var clearAnswers = []string{
	"", " \n\t", "{}", `{"decision":"allow"}`, `{"decision" : "allow", "reason":"fine"}`, `{"args":{"command":"ls"}}`,
	`{"context":"words"}`, "\n{\"decision\":\"allow\",\"args\":{}}\n", `{"decision":"ask","reason":"sure?"}`,
}

var unclearAnswers = []string{
	`{"decision":"deny"}`, `{"decision":"deny","reason":"no"}`, `{"decision":"allow","decision":"deny"}`, `{"decision":"deny","decision":"allow"}`,
	`{"Decision":"deny"}`, `{"decision":"Deny"}`, `{"decision":"block"}`, `{"decision":null}`, `{"decision":true}`, `{"decision":""}`, `{"decision":["deny"]}`,
	`{"decision":"allow"} {"decision":"deny"}`, `{"decision":"allow"`, `[{"decision":"deny"}]`, `"deny"`, "deny", "null", "true", "0", "{", "}", `{"decision":"allow"}x`,
	`{"permissionDecision":"deny"}`, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, `{"continue":false}`, `{"args":"ls"}`, `{"args":null}`, `{"args":[]}`,
	`{"reason":5}`, `{"context":{}}`, `{"result":"x"}`, "\x1b[31m{}", "\xff", "{\"decision\":\"allow\"}\x00", `{"decision":"allow","reason":"` + strings.Repeat("x", 10) + "\n\"}",
	`{"decision":"allow","":1}`, "banner\n{\"decision\":\"allow\"}", `{'decision':'allow'}`, `{"decision":"deny"},`, `{"dec` + "\u200b" + `ision":"deny"}`,
}

// Whatever a hook's end is, a gate opens after a clear yes only. 10,000 random ends, and
// each kind of end with each kind of answer at least once.
func TestNoBlockIsMissed(t *testing.T) {
	codes := []int{0, 0, 0, 1, 2, 3, 126, 127, 130, 137, 255}
	failures := []error{nil, nil, nil, nil, errors.New("it took longer than 5s"), errors.New("a signal ended it: killed"), errTooMuch, errors.New("it answers 500")}
	stderrs := []string{"", "a reason", "\x1b[2J"}
	try := func(gate Event, end ending, clear bool) {
		t.Helper()
		said, err := decide(read, gate, end)
		opens := clear && end.code == 0 && end.err == nil
		if opens != (said.Decision != No) {
			t.Fatalf("%s after %+v (%q): %+v, %v", gate, end, end.stdout, said, err)
		}
		if said.Decision == No && said.Reason == "" {
			t.Fatalf("%+v is refused without a reason", end)
		}
	}
	for _, code := range codes {
		for _, failure := range failures {
			for _, text := range clearAnswers {
				try(ToolBefore, ending{err: failure, code: code, stdout: []byte(text)}, true)
			}
			for _, text := range unclearAnswers {
				try(ToolBefore, ending{err: failure, code: code, stdout: []byte(text)}, false)
			}
		}
	}
	random := rand.New(rand.NewPCG(17, 6))
	blocks := 0
	for range 10_000 {
		end := ending{code: codes[random.IntN(len(codes))], err: failures[random.IntN(len(failures))], stderr: stderrs[random.IntN(len(stderrs))]}
		clear := random.IntN(2) == 0
		if clear {
			end.stdout = []byte(clearAnswers[random.IntN(len(clearAnswers))])
		} else {
			end.stdout = []byte(unclearAnswers[random.IntN(len(unclearAnswers))])
			if random.IntN(4) == 0 { // cut anywhere, or with a byte that is another one
				text := []byte(`{"decision":"deny","reason":"because"}`)
				end.stdout = text[:1+random.IntN(len(text)-1)]
			}
		}
		gate := gates[random.IntN(len(gates))]
		asks := strings.Contains(string(end.stdout), `"ask"`) || strings.Contains(string(end.stdout), `"args"`)
		if gate != ToolBefore && asks {
			clear = false // only a call can be asked about and has arguments
		}
		try(gate, end, clear)
		if !clear || end.code != 0 || end.err != nil {
			blocks++
		}
	}
	if blocks < 5000 {
		t.Fatalf("only %d of the random ends were blocks", blocks)
	}
}

// Behind what happened nothing is closed: a hook that fails is a problem, and says nothing.
func TestAfterIsOpen(t *testing.T) {
	for _, text := range unclearAnswers {
		for _, event := range []Event{ToolAfter, AgentStop, AgentEnd, SessionStart} {
			for _, code := range []int{0, 1, 255} {
				said, err := decide(read, event, ending{code: code, stdout: []byte(text), stderr: "e"})
				if err != nil && fmt.Sprint(said) != fmt.Sprint(answer{}) {
					t.Errorf("%s, %q, code %d: %+v beside %v", event, text, code, said, err)
				}
				if code == 1 && err == nil {
					t.Errorf("%s: exit code 1 is no problem", event)
				}
			}
		}
	}
}

func TestHookAnswer(t *testing.T) {
	said, err := decide(read, ToolBefore, ending{stdout: []byte(`{"decision":"ask","reason":"r","args":{"a":1},"context":"c"}`)})
	if err != nil || said.Decision != Ask || said.Reason != "r" || string(said.Args) != `{"a":1}` || said.Context != "c" {
		t.Errorf("%+v %v", said, err)
	}
	for text, want := range map[string]string{`{"result":"a\nb"}`: "a\nb", `{"result":{"a":1}}`: `{"a":1}`, `{"result":""}`: ""} {
		said, err := decide(read, ToolAfter, ending{stdout: []byte(text)})
		if err != nil || said.Result == nil || *said.Result != want {
			t.Errorf("%s: %+v %v", text, said, err)
		}
	}
	if said, _ := decide(read, ToolBefore, ending{code: 2, stderr: "because"}); said.Reason != "because" {
		t.Errorf("%+v", said)
	}
	if said, _ := decide(read, ToolBefore, ending{code: 2, stdout: []byte(`{"decision":"allow","reason":"hm"}`)}); said.Decision != No || said.Reason != "hm" {
		t.Errorf("%+v", said)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, text := range append(clearAnswers, unclearAnswers...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		said, err := decide(read, ToolBefore, ending{stdout: []byte(text)})
		if said.Decision != No && strings.Contains(text, `"deny"`) && !strings.Contains(text, `\`) && strings.Count(text, `"`) <= 4 {
			t.Errorf("%q passes: %+v %v", text, said, err)
		}
	})
}
