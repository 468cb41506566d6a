package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/ask"
	"marvin/tools/shell"
	"marvin/ui/internal/beside"
	"marvin/ui/rpc"
)

// echo answers a prompt with its own words.
func echo(request modeltest.Request) modeltest.Step {
	return modeltest.Text("you said ", request.Last().Text)
}

// hang starts an answer and never ends it.
func hang(modeltest.Request) modeltest.Step { return modeltest.Text("half").Append(modeltest.Hang()) }

func TestTheFirstLineSaysWhatCanBeAsked(t *testing.T) {
	w, hello := serve(t, echo, nil)
	if hello.Type != "hello" || hello.WireVersion != messages.WireVersion || hello.Marvin != "1.2.3" || hello.Seq != 0 || !slices.Equal(hello.Types, append(messages.OpNames(), "line")) {
		t.Errorf("%+v", hello)
	}
	if opened := w.next(); opened.Type != "opened" || opened.Seq == 0 {
		t.Errorf("then comes %+v", opened)
	}
}

func TestPromptsAreAnsweredInTheirOrder(t *testing.T) {
	w, _ := serve(t, echo, nil)
	for i := range 5 { // all at once, so that they wait
		w.send(fmt.Sprintf(`{"id":"r%d","type":"prompt","op":{"text":"number %d"}}`, i, i))
	}
	for i := range 5 {
		said := ""
		for {
			read := w.next()
			said += read.Event.Chunk
			if read.Type != "turn_ended" {
				continue
			}
			if want := fmt.Sprintf("you said number %d", i); read.Event.Outcome != messages.Completed || read.Event.Text != want || said != want {
				t.Errorf("%d: %+v after %q", i, read.Event, said)
			}
			break
		}
	}
	w.send(`{"type":"quit"}`)
	w.until("closed")
	if err := w.ends(); err != nil {
		t.Error(err)
	}
}

func TestAQuestionIsAnsweredByAnOp(t *testing.T) {
	w, _ := serve(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			return modeltest.Text("it says ", last.Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "echo forty two | tr a-z A-Z"}})
	}, nil, shell.Tools()...)
	for _, one := range []struct {
		choice messages.Choice
		status messages.Status
	}{{messages.No, messages.Denied}, {messages.Yes, messages.OK}} {
		w.send(`{"type":"prompt","op":{"text":"go"}}`)
		ask := w.until("asked").Event.Ask
		w.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":%q}}`, ask, one.choice))
		if answered := w.until("answered").Event; answered.Ask != ask || answered.Choice != one.choice {
			t.Errorf("answered %+v", answered)
		}
		if ended := w.until("tool_ended").Event; ended.Status != one.status {
			t.Errorf("after %s: %+v", one.choice, ended)
		}
		if ended := w.until("turn_ended").Event; strings.Contains(ended.Text, "FORTY TWO") != (one.choice == messages.Yes) {
			t.Errorf("after %s: %+v", one.choice, ended)
		}
	}
}

func TestCommandLineForUser(t *testing.T) {
	w, _ := serve(t, echo, nil)
	w.send(`{"type":"line","op":{"text":"hello"}}`)
	if ended := w.until("turn_ended").Event; ended.Text != "you said hello" {
		t.Errorf("%+v", ended)
	}
	for text, want := range map[string]string{
		"/keys":    "There are no keyboard shortcuts here",
		"/copy":    "there is no clipboard here",
		"!echo hi": "hi",
	} {
		w.send(fmt.Sprintf(`{"type":"line","op":{"text":%q}}`, text))
		if said := w.until("said"); said.Seq != 0 || said.Version != messages.WireVersion || !strings.Contains(said.Text, want) {
			t.Errorf("%s says %+v", text, said)
		}
	}
	w.beside("echo hi")
	w.send(`{"type":"line","op":{"text":"quit"}}`)
	w.until("closed")
	if err := w.ends(); err != nil {
		t.Error(err)
	}
}

func TestACancelEndsTheTurnAndWhatRunsBesideIt(t *testing.T) {
	w, _ := serve(t, hang, nil)
	w.send(`{"type":"line","op":{"text":"!sleep 300"}}`, `{"type":"prompt","op":{"text":"go"}}`)
	w.until("text")
	w.send(`{"type":"cancel"}`)
	ended, said := line{}, line{}
	for ended.Type == "" || said.Type == "" { // in any order
		switch read := w.next(); read.Type {
		case "turn_ended":
			ended = read
		case "said":
			said = read
		case "error":
			t.Fatalf("refused: %+v", read)
		}
	}
	if ended.Event.Outcome != messages.Cancelled || ended.Event.Text != "half" || !strings.Contains(said.Text, "cancelled") {
		t.Errorf("%+v, %q", ended.Event, said.Text)
	}
	w.beside("sleep 300")
	w.send(`{"type":"clear"}`) // the server continues
	w.until("cleared")
}

func TestRequestsAreAnswered(t *testing.T) {
	w, _ := serve(t, hang, nil)
	for _, one := range []struct{ line, id, want string }{
		{`{"id":"c1","type":"cancel"}`, "c1", "no turn is running"},
		{`{"type":"cancel","op":{"turn":"t4"}}`, "", "no turn is running"},
		{`{"id":"a1","type":"answer","op":{"ask":"x","choice":"yes"}}`, "a1", `no question "x" is waiting for an answer`},
	} {
		w.send(one.line)
		if refused := w.until("refused"); refused.Seq == 0 || refused.Event.Request != one.id || !strings.Contains(refused.Event.Error, one.want) {
			t.Errorf("%s: %+v", one.line, refused)
		}
	}
	w.send(`{"id":"p1","type":"line","op":{"text":"one"}}`, `{"id":"p2","type":"prompt","op":{"text":"two"}}`)
	if began := w.until("turn_started").Event; began.Request != "p1" {
		t.Errorf("%+v", began)
	}
	w.send(`{"id":"c2","type":"cancel","op":{"request":"p2"}}`)
	if gone := w.until("withdrawn").Event; gone.Request != "p2" || gone.Prompt != "two" {
		t.Errorf("%+v", gone)
	}
	w.send(`{"type":"line","op":{"text":"!sleep 300"}}`, `{"type":"cancel","op":{"request":"p1"}}`)
	if ended := w.until("turn_ended").Event; ended.Outcome != messages.Cancelled {
		t.Errorf("%+v", ended)
	}
	w.send(`{"type":"cancel"}`) // cancels the command, so it is not refused
	w.until("said")
	w.beside("sleep 300")
}

// However the server ends, it cancels and reports a running turn, and completes the last line.
func TestItEndsInOrder(t *testing.T) {
	for name, end := range map[string]func(*wire){
		"end of input":            func(w *wire) { w.in.Close() },
		"quit":                    func(w *wire) { w.send(`{"type":"quit"}`) },
		"quit without line break": func(w *wire) { _, _ = w.in.WriteString(`{"type":"quit"}`); w.in.Close() },
		"end of the context":      func(w *wire) { w.stop() },
		"the conversation's own":  func(w *wire) { w.tree.Client.Send(messages.Quit{}) },
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := serve(t, hang, nil)
			w.send(`{"type":"line","op":{"text":"!sleep 300"}}`, `{"type":"prompt","op":{"text":"go"}}`)
			w.until("text")
			end(w)
			if ended := w.until("turn_ended").Event; ended.Outcome != messages.Cancelled || ended.Text != "half" {
				t.Errorf("%+v", ended)
			}
			w.until("closed")
			if err := w.ends(); err != nil {
				t.Error(err)
			}
			w.beside("sleep 300")
		})
	}
}

func TestAClientThatWentAwayEndsIt(t *testing.T) {
	w, _ := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.EndlessText() }, nil)
	w.send(`{"type":"prompt","op":{"text":"go"}}`)
	w.until("text")
	w.out.Close()
	if err := w.ends(); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("it ended with %v", err)
	}
	w.isClosed()
}

func TestAClientThatNeitherReadsNorLeavesIsLeft(t *testing.T) {
	for name, end := range map[string]func(*wire){
		"end of input":       func(w *wire) { w.in.Close() },
		"end of the context": func(w *wire) { w.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			full, filled := context.WithCancel(t.Context())
			w, _ := serve(t, func(modeltest.Request) modeltest.Step { return modeltest.EndlessText() }, func(server *rpc.Server) {
				server.Grace = 50 * time.Millisecond
				server.Out = &pipe{out: server.Out, filled: filled}
			})
			w.send(`{"type":"prompt","op":{"text":"go"}}`)
			<-full.Done()
			end(w)
			select {
			case err := <-w.over:
				if !errors.Is(err, beside.ErrStuck) {
					t.Errorf("it ended with %v", err)
				}
			case <-time.After(patience):
				t.Fatal("it waits for the client")
			}
		})
	}
}

func TestQuestionsOverTheWire(t *testing.T) {
	answer := func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			return modeltest.Text(last.Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "ask_user", Args: map[string]any{"questions": []map[string]any{{"question": "Where?", "options": []string{"here", "there"}, "default": []string{"here"}}}}})
	}
	w, _ := serve(t, answer, nil, ask.Tools()...)
	for _, one := range []struct{ op, text string }{
		{`"choice":"yes","chosen":[{"options":["there"]}]`, "Where? → there"},
		{`"choice":"yes"`, "Where? → here"},
		{`"choice":"no"`, "did not answer"},
		{`"choice":"no","text":"wait"`, "but wrote this instead: wait"},
	} {
		w.send(`{"type":"prompt","op":{"text":"go"}}`)
		asked := w.until("asked").Event
		if asked.Kind != messages.AskChoice || asked.Deadline.IsZero() || asked.Questions[0].Options[1].Label != "there" {
			t.Errorf("%+v", asked)
		}
		w.send(fmt.Sprintf(`{"id":"odd","type":"answer","op":{"ask":%q,"choice":"yes","chosen":[{"options":["nowhere"]}]}}`, asked.Ask))
		if refused := w.until("refused").Event; refused.Request != "odd" || !strings.Contains(refused.Error, "nowhere") {
			t.Errorf("%+v", refused)
		}
		w.send(fmt.Sprintf(`{"type":"attend","op":{"ask":%q}}`, asked.Ask))
		if again := w.until("asked").Event; again.Ask != asked.Ask || !again.Deadline.After(asked.Deadline) {
			t.Errorf("%+v", again)
		}
		w.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,%s}}`, asked.Ask, one.op))
		if ended := w.until("turn_ended").Event; !strings.Contains(ended.Text, one.text) {
			t.Errorf("%s: %q", one.op, ended.Text)
		}
	}
}
