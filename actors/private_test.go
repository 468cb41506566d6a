package actors_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// bound is a project with a private directory, and the server that the tests use.
type bound struct {
	dir, taxes string
	server     *modeltest.Server
	*actorstest.Tree
}

// peek reads a file of the working directory, like Marvin's own tools.
func peek() tools.Tool {
	return tools.New(tools.Def[sayArgs]{
		Name: "peek", Doc: "Reads.", Places: func(env tools.Env, in sayArgs) []tools.Place { return []tools.Place{env.PlaceAt(in.Text, false)} },
		Run: func(_ context.Context, env tools.Env, in sayArgs) (tools.Output, error) {
			data, err := os.ReadFile(filepath.Join(env.Dir, in.Text))
			if err != nil { // a directory: return all files in it with names, as a search does
				data = []byte("taxes/income:1: 4711-secretsum")
			}
			return tools.Output{Text: string(data)}, nil
		},
	})
}

func atTaxes(t *testing.T, setup actorstest.Setup, script func(modeltest.Request) modeltest.Step) bound {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := bound{dir: dir, taxes: filepath.Join(dir, "taxes"), server: modeltest.StartFunc(t, script)}
	for path, text := range map[string]string{"taxes/income": "4711-secretsum", "open": "hello"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if setup.Dir == "" {
		setup.Dir = dir
	} else {
		setup.Dir = b.taxes
	}
	setup.Server, setup.Tools = b.server, append(setup.Tools, peek())
	is, err := os.Stat(b.taxes)
	if err != nil {
		t.Fatal(err)
	}
	setup.Models.Private = []actors.PrivateRule{{Dir: b.taxes, Said: "~/taxes", To: []string{"home"}, Is: is}}
	b.Tree = actorstest.Start(t, setup)
	return b
}

func (b bound) noneHas(t *testing.T, words string) {
	t.Helper()
	for _, request := range b.server.Requests() {
		if strings.Contains(string(request.Raw), words) && !strings.Contains(request.Model, "home") {
			t.Errorf("%s was told: %s", request.Model, request.Raw)
		}
	}
}

func calling(path string) modeltest.Step {
	return modeltest.Calls(modeltest.Call{Name: "peek", Args: map[string]string{"text": path}})
}

func TestPrivateWordsStay(t *testing.T) {
	for name, path := range map[string]string{"a file": "taxes/income", "a way around": "./x/../taxes/income", "a search above it": "."} {
		t.Run(name, func(t *testing.T) {
			b := atTaxes(t, actorstest.Setup{}, func(request modeltest.Request) modeltest.Step {
				if request.N == 0 {
					return calling("open")
				}
				if request.Last().Result.Text == "hello" {
					return calling(path)
				}
				return modeltest.Text("I know it")
			})
			turn := b.Prompt("look")
			if turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "~/taxes") || !strings.Contains(turn.Ended.Err, "only home may get") {
				t.Errorf("ended %+v", turn.Ended)
			}
			if again := b.Prompt("and now?"); again.Ended.Outcome != messages.Failed {
				t.Errorf("a later turn %+v", again.Ended)
			}
			if n := len(b.server.Requests()); n != 2 {
				t.Errorf("%d requests", n)
			}
			b.Client.Send(messages.Clear{})
			actorstest.ReadUntil[messages.Cleared](b.Tree)
			if fresh := b.Prompt("hi"); fresh.Ended.Text != "I know it" {
				t.Errorf("a new conversation: %+v", fresh.Ended)
			}
			b.noneHas(t, "4711-secretsum")
		})
	}
}

// A second name of a private file, such as a hard link in the project, is private as well.
func TestASecondNameOfAPrivateFileStaysPrivate(t *testing.T) {
	b := atTaxes(t, actorstest.Setup{}, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("I know it")
		}
		return calling("numbers")
	})
	if err := os.Link(filepath.Join(b.taxes, "income"), filepath.Join(b.dir, "numbers")); err != nil {
		t.Skip("this disk has no hard links: ", err)
	}
	if turn := b.Prompt("look"); turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "~/taxes") {
		t.Errorf("ended %+v", turn.Ended)
	}
	b.noneHas(t, "4711-secretsum")
}

// A private directory that is renamed while Marvin runs stays private, for a call that reads in it
// and for a conversation that works in it.
func TestARenamedDirectoryStaysPrivate(t *testing.T) {
	b := atTaxes(t, actorstest.Setup{}, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("I know it")
		}
		return calling("renamed/income")
	})
	if err := os.Rename(b.taxes, filepath.Join(b.dir, "renamed")); err != nil {
		t.Fatal(err)
	}
	if turn := b.Prompt("look"); turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "~/taxes") {
		t.Errorf("ended %+v", turn.Ended)
	}
	b.Client.Send(messages.Clear{})
	actorstest.ReadUntil[messages.Cleared](b.Tree)
	b.Client.Send(messages.SetDir{Path: filepath.Join(b.dir, "renamed")})
	if turn := b.Prompt("my income is 4711-secretsum"); turn.Ended.Outcome != messages.Failed {
		t.Errorf("working in it: %+v", turn.Ended)
	}
	b.noneHas(t, "4711-secretsum")
}

func TestAConversationInAPrivateDirectory(t *testing.T) {
	b := atTaxes(t, actorstest.Setup{Dir: "in it", Models: actors.Models{Choose: func(string) (actors.Choice, error) { return actors.Choice{Provider: "home", Model: "home-model"}, nil }}},
		func(modeltest.Request) modeltest.Step { return modeltest.Text("fine") })
	if turn := b.Prompt("my income is 4711-secretsum"); turn.Ended.Outcome != messages.Failed || len(b.server.Requests()) != 0 {
		t.Fatalf("ended %+v after %d requests", turn.Ended, len(b.server.Requests()))
	}
	b.Client.Send(messages.SetModel{Provider: "home"})
	if turn := b.Prompt("and 4712"); turn.Ended.Text != "fine" {
		t.Errorf("where it may go: %+v", turn.Ended)
	}
	b.noneHas(t, "471")
}

func TestLadderSkipsForbiddenProviders(t *testing.T) {
	models := actors.Models{Role: func(name string) []actors.Choice {
		if name != "default" {
			return nil
		}
		return []actors.Choice{{Provider: "openai-compat", Model: "test-model"}, {Provider: "other", Model: "other-model"}, {Provider: "home", Model: "home-model"}}
	}}
	b := atTaxes(t, actorstest.Setup{Models: models}, func(request modeltest.Request) modeltest.Step {
		if request.N == 0 {
			return calling("taxes/income")
		}
		return modeltest.Text("kept at home")
	})
	if turn := b.Prompt("look"); turn.Ended.Text != "kept at home" {
		t.Errorf("ended %+v", turn.Ended)
	}
	b.noneHas(t, "4711-secretsum")
}

// Private text stays private when sub-agents read it, when a summary or a title contains it, and
// when the conversation is resumed. The history of the profile does not contain it.
func TestPrivateWordsFindNoWayOut(t *testing.T) {
	t.Run("sub-agents", func(t *testing.T) {
		hand := tools.New(tools.Def[sayArgs]{Name: "hand_out", Doc: "Hands out.", Pool: tools.Agent, Run: func(ctx context.Context, env tools.Env, _ sayArgs) (tools.Output, error) {
			reports := env.Agents(ctx, 1, []tools.Task{{Name: "a", Prompt: "look there", Model: "home/home-model"}})
			return tools.Output{Text: reports[0].Text}, nil
		}})
		models := actors.Models{SplitModel: func(text string) (actors.Choice, bool) {
			return actors.Choice{Provider: "home", Model: "home-model"}, text != ""
		}}
		b := atTaxes(t, actorstest.Setup{Tools: []tools.Tool{hand}, Models: models}, func(request modeltest.Request) modeltest.Step {
			switch {
			case request.Model == "home-model" && request.Last().Result.Text == "":
				return calling("taxes/income")
			case request.Model == "home-model":
				return modeltest.Text("it says 4711-secretsum")
			}
			return modeltest.Calls(modeltest.Call{Name: "hand_out", Args: map[string]string{"text": "x"}})
		})
		if turn := b.Prompt("look"); turn.Ended.Outcome != messages.Failed {
			t.Errorf("ended %+v", turn.Ended)
		}
		b.noneHas(t, "4711-secretsum")
	})
	t.Run("commands elsewhere that nothing holds", func(t *testing.T) {
		elsewhere := t.TempDir()
		shell := tools.New(tools.Def[sayArgs]{
			Name: "shell", Doc: "Runs a command.", Command: func(in sayArgs) string { return in.Text },
			Places: func(tools.Env, sayArgs) []tools.Place { return []tools.Place{{Path: elsewhere}} },
			Run: func(context.Context, tools.Env, sayArgs) (tools.Output, error) {
				return tools.Output{Text: "4711-secretsum"}, nil
			},
		})
		b := atTaxes(t, actorstest.Setup{Tools: []tools.Tool{shell}}, func(request modeltest.Request) modeltest.Step {
			if request.Last().Text == "look" {
				return modeltest.Calls(modeltest.Call{Name: "shell", Args: map[string]string{"text": "cat ~/taxes/income"}})
			}
			return modeltest.Text("ok")
		})
		if turn := b.Prompt("look"); turn.Ended.Outcome != messages.Failed {
			t.Errorf("ended %+v", turn.Ended)
		}
		b.noneHas(t, "4711-secretsum")
	})
	t.Run("summaries, and later", func(t *testing.T) {
		home := t.TempDir()
		filling := strings.Repeat("some more words ", 300)
		b := atTaxes(t, actorstest.Setup{Home: home, Keep: begins, Policy: &actors.Policy{Coding: true, Person: true, Persist: true}, Models: actors.Models{Choose: func(name string) (actors.Choice, error) {
			return actors.Choice{Provider: name, Model: name + "-model"}, nil
		}}}, func(request modeltest.Request) modeltest.Step {
			if request.Last().Text == "look" {
				return calling("taxes/income")
			}
			return modeltest.Text("it was 4711-secretsum. " + filling)
		})
		b.Client.Send(messages.SetModel{Provider: "home"})
		b.Prompt("look")
		for range 6 {
			b.Prompt("more")
		}
		b.Client.Send(messages.Compact{})
		b.Finish()
		b.Client.Send(messages.SetModel{Provider: "cloud"})
		if turn := b.Prompt("what was it?"); turn.Ended.Outcome != messages.Failed {
			t.Errorf("after a summary: %+v", turn.Ended)
		}
		if err := b.System.Stop(); err != nil {
			t.Fatal(err)
		}
		b.noneHas(t, "4711-secretsum")
		log, err := os.ReadFile(filepath.Join(home, ".config/marvin/profiles/default/chat_log.json"))
		if err != nil || strings.Contains(string(log), "4711-secretsum") || !strings.Contains(string(log), "kept private") {
			t.Errorf("the history has %s, %v", log, err)
		}
		list, err := sessions.New(persistence.Open(home, nil)).List()
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
	})
}

func TestSentFilesAreReportedByTurn(t *testing.T) {
	home := t.TempDir()
	b := atTaxes(t, actorstest.Setup{Home: home, Keep: begins, Models: actors.Models{Choose: func(name string) (actors.Choice, error) {
		return actors.Choice{Provider: name, Model: name + "-model"}, nil
	}, Host: func(provider string) string { return provider + ".example" }}}, func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "look" {
			return calling("open")
		}
		return modeltest.Text("ok")
	})
	b.Prompt("look")
	b.Prompt("again")
	b.Client.Send(messages.SetModel{Provider: "home"})
	b.Prompt("and you")
	b.Client.Send(messages.ListSent{})
	var told string
	for !strings.Contains(told, "1. look") {
		told = actorstest.ReadUntil[messages.Notice](b.Tree).Text
	}
	file := filepath.Join(b.dir, "open")
	if strings.Count(told, file) != 2 || !strings.Contains(told, "home/home-model, to home.example: 1 request,") || !strings.Contains(told, "openai-compat/test-model, to openai-compat.example: 2 requests") {
		t.Errorf("told %s", told)
	}
	if err := b.System.Stop(); err != nil {
		t.Fatal(err)
	}
	list, err := sessions.New(persistence.Open(home, nil)).List()
	if err != nil {
		t.Fatal(err)
	}
	turns, err := actors.ReadSent(persistence.Open(home, nil), list[0], &toolbox.Registry{})
	if err != nil || len(turns) != 3 || !slices.Contains(turns[0].Models[0].Files, file) || len(turns[1].Models[0].Files) != 0 || !slices.Contains(turns[2].Models[0].Files, file) {
		t.Errorf("%+v, %v", turns, err)
	}
}

func TestModelRequirementsOfSession(t *testing.T) {
	b := atTaxes(t, actorstest.Setup{}, func(request modeltest.Request) modeltest.Step {
		if request.N == 0 {
			return calling("open")
		}
		return modeltest.Text("I know it")
	})
	needs := func() messages.NeedsShown {
		b.Client.Send(messages.ShowNeeds{})
		return actorstest.ReadUntil[messages.NeedsShown](b.Tree)
	}
	if got := needs(); got.Tokens != 0 || got.Pictures != 0 || got.Bound != nil {
		t.Errorf("at the beginning %+v", got)
	}
	b.Client.Send(messages.Prompt{Text: "what is it?", Pictures: []messages.Picture{dot}})
	b.Finish()
	if got := needs(); got.Tokens == 0 || got.Pictures != 1 || got.Bound != nil {
		t.Errorf("after a picture %+v", got)
	}
	b.Client.Send(messages.SetDir{Path: b.taxes})
	actorstest.ReadUntil[messages.ModeChanged](b.Tree)
	if got := needs(); !slices.Equal(got.Bound, []string{b.taxes}) {
		t.Errorf("in a directory that is bound %+v", got)
	}
}
