package mcp

import (
	"context"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
)

// A server's request reaches the model only if the user agrees, and that model knows nothing and
// has no tools.
func TestAServerAsksTheModel(t *testing.T) {
	on := ground(t)
	on.Own = t.TempDir()
	session := begun(t, played("well"), on)
	var asked []tools.Inquiry
	var given []tools.Task
	reply := tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Values: map[string]any{"ask": true}}}
	report := tools.Report{Outcome: messages.Completed, Text: "Blue."}
	here := tools.Env{
		Person: true, Dir: on.Dir,
		Conversation: tools.Conversation{
			Ask: func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
				asked = append(asked, inquiry)
				return reply, nil
			},
			Agents: func(_ context.Context, _ int, tasks []tools.Task) []tools.Report {
				given = append(given, tasks...)
				return []tools.Report{report}
			},
		},
	}

	text, err := say(t, session, here, "sample")
	if err != nil || text != "said: endTurn Blue." || len(asked) != 1 || len(given) != 1 {
		t.Fatalf("%q, %v; asked %d times, the model %d times", text, err, len(asked), len(given))
	}
	if shown := asked[0].Detail; !strings.Contains(shown, "Which colour") || strings.Contains(shown, "\x1b") || !strings.Contains(asked[0].Title, "office") {
		t.Errorf("the person was asked %+v", asked[0])
	}
	if task := given[0]; task.Tools == nil || len(task.Tools) != 0 || !task.ReadOnly || task.Dir != on.Own || !task.Own || task.Brought == "" || !strings.HasPrefix(task.Prompt, "Answer in a word.\n\nWhich colour") {
		t.Errorf("the model was given %+v", task)
	}

	report.Text = "A very long answer"
	if text, err := say(t, session, here, "sample"); err != nil || text != "said: maxTokens A very l" {
		t.Errorf("a long answer: %q, %v", text, err)
	}
	report = tools.Report{Outcome: messages.Failed, Err: "the purse is empty"}
	refused(t, session, here, "sample", "the purse is empty")

	report, given = tools.Report{Outcome: messages.Completed, Text: "Blue."}, nil
	refused(t, session, here, "sample picture", "not pictures")
	refused(t, session, here, "sample much", "50")
	reply.Values = map[string]any{"ask": false}
	refused(t, session, here, "sample", "said no")
	reply.Values, reply.Unanswered = map[string]any{"ask": true}, "nobody answered"
	refused(t, session, here, "sample", "said no")
	here.Person = false
	refused(t, session, here, "sample", "there is no user")
	here.Agents = nil
	refused(t, session, here, "sample", "no model")
	if len(given) != 0 {
		t.Errorf("the model was asked %d times without a yes", len(given))
	}
}

// refused checks that a call fails with this reason.
func refused(t *testing.T, session *Session, env tools.Env, text, reason string) {
	t.Helper()
	if said, err := say(t, session, env, text); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%s: %q, %v; want the reason %q", text, said, err, reason)
	}
}
