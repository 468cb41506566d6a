package actors_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// sentNotice asks which data left the machine, and waits until the answer contains has.
func sentNotice(t *actorstest.Tree, has string) string {
	for {
		t.Client.Send(messages.ListSent{})
		for {
			told := actorstest.ReadUntil[messages.Notice](t).Text
			if strings.Contains(told, has) {
				return told
			}
			if strings.Contains(told, "Nothing was sent yet") || strings.Contains(told, "Each file is listed only once") {
				break // it was not logged yet
			}
		}
	}
}

// sentAbroad sets up two providers; sub-agents and small requests use the second one.
func sentAbroad(begun *actorstest.Setup) {
	other := actors.Choice{Provider: "other", Model: "other-model"}
	begun.Models = actors.Models{
		Choose: func(name string) (actors.Choice, error) {
			return actors.Choice{Provider: name, Model: name + "-model"}, nil
		},
		Host:       func(provider string) string { return provider + ".example" },
		SplitModel: func(text string) (actors.Choice, bool) { return other, text != "" },
		Role: func(name string) []actors.Choice {
			if name == "small" {
				return []actors.Choice{other}
			}
			return nil
		},
	}
}

func TestFilesSentBySubAgentsAreReported(t *testing.T) {
	asking := tools.New(tools.Def[sayArgs]{
		Name: "ask_web", Doc: "Asks.", Brings: tools.Strangers, Service: "the web",
		Run: func(context.Context, tools.Env, sayArgs) (tools.Output, error) {
			return tools.Output{Text: "it is so"}, nil
		},
	})
	for name, keep := range map[string]func(*persistence.Home) *actors.StoredSession{"kept": begins, "not kept": nil} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			hand := delegate(2, 1, func(task *tools.Task) { task.Model = "other/other-model" })
			setup := actorstest.Setup{Home: home, Keep: keep, Tools: []tools.Tool{hand, asking}}
			sentAbroad(&setup)
			b := atTaxes(t, setup, delegating(func(request modeltest.Request) modeltest.Step {
				switch {
				case request.Last().Result.Text == "":
					return calling("open")
				case request.Last().Result.Text == "hello" && strings.HasSuffix(prompted(request), "2"):
					return modeltest.Calls(modeltest.Call{Name: "ask_web", Args: sayArgs{Text: "https://pages.example/x"}})
				}
				return modeltest.Text("done")
			}))
			b.Prompt("go")
			told := sentNotice(b.Tree, "(sub-agent agent 2)")
			file := filepath.Join(b.dir, "open")
			for _, want := range []string{
				"1. go\n", "openai-compat/test-model, to openai-compat.example: 2 requests, ",
				"other/other-model, to other.example: 2 requests, ", "(sub-agent agent 1)\n     " + file,
				"other/other-model, to other.example: 3 requests, ", "ask_web asked pages.example",
			} {
				if !strings.Contains(told, want) {
					t.Errorf("%q is not in %s", want, told)
				}
			}
			if n := strings.Count(told, file+"\n"); n != 1 {
				t.Errorf("the file is named %d times: %s", n, told)
			}
			b.noneHas(t, "secretsum")
		})
	}
}

func TestSideRequestsAreReportedWithTheirPurpose(t *testing.T) {
	setup := actorstest.Setup{Home: t.TempDir(), Keep: begins, Policy: &actors.Policy{Coding: true, Person: true}}
	sentAbroad(&setup)
	b := atTaxes(t, setup, func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "look" {
			return calling("open")
		}
		return modeltest.Text("fine. " + strings.Repeat("some more words ", 300))
	})
	b.Client.Send(messages.SideQuestion{Text: "what is this?"})
	b.Finish()
	if told := sentNotice(b.Tree, "before the first prompt"); !strings.Contains(told, ": 1 request, ") || !strings.Contains(told, "tokens (beside the conversation)") {
		t.Errorf("before the first prompt: %s", told)
	}
	b.Prompt("look")
	told := sentNotice(b.Tree, "(a title)")
	if !strings.Contains(told, "other/other-model, to other.example: 1 request, ") {
		t.Errorf("the title: %s", told)
	}
	b.Client.Send(messages.SideQuestion{Text: "and that?"})
	b.Finish()
	for range 4 {
		b.Prompt("more")
	}
	b.Client.Send(messages.Compact{})
	b.Finish()
	told = sentNotice(b.Tree, "(a summary)")
	if !strings.Contains(told, "and that?\n   openai-compat/test-model, to openai-compat.example: 1 request, ") || strings.Count(told, "(beside the conversation)") != 2 {
		t.Errorf("beside: %s", told)
	}
}

func TestTheHostIsTheOneThatWasAsked(t *testing.T) {
	setup := actorstest.Setup{Home: t.TempDir(), Keep: begins, Server: modeltest.Start(t, modeltest.Text("fine"))}
	sentAbroad(&setup)
	tree := actorstest.Start(t, setup)
	tree.Prompt("hello")
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	home := persistence.Open(setup.Home, time.Now)
	list, err := sessions.New(home).List()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	told := func() string {
		turns, err := actors.ReadSent(home, list[0], &toolbox.Registry{})
		if err != nil {
			t.Fatal(err)
		}
		return actors.SentTable(turns)
	}
	if now := told(); !strings.Contains(now, "test-model, to openai-compat.example: 1 request") {
		t.Error(now)
	}
	file, err := os.ReadFile(list[0].Path)
	if err == nil {
		err = os.WriteFile(list[0].Path, bytes.ReplaceAll(file, []byte(`"host":"openai-compat.example",`), nil), 0o600)
	}
	if now := told(); err != nil || !strings.Contains(now, "test-model, host not recorded: 1 request") {
		t.Error(now, err)
	}
}
