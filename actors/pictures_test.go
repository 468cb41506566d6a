package actors_test

import (
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

// dot is a picture of one pixel.
var dot = messages.Picture{
	Type: "image/gif", Name: "dot.gif", Path: "/pictures/dot.gif", Width: 1, Height: 1,
	Data: []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01D\x00;"),
}

func sees(yes bool) func(actors.Choice) providers.About {
	return func(choice actors.Choice) providers.About {
		answer := yes || choice.Model == "other-model"
		return providers.About{Sees: &answer}
	}
}

func TestPictureGoesToVisionModel(t *testing.T) {
	for name, test := range map[string]struct {
		about func(actors.Choice) providers.About
		roles map[string][]string
		model string
		shown int
		told  string
	}{
		"it sees":       {sees(true), nil, "test-model", 1, ""},
		"another sees":  {sees(false), map[string][]string{"vision": {"other-model"}}, "other-model", 1, "openai-compat/other-model answers this: test-model does not see pictures"},
		"nobody sees":   {sees(false), nil, "test-model", 1, "test-model cannot see pictures and gets only their names"},
		"none is known": {nil, nil, "test-model", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := modeltest.Start(t, modeltest.Text("a dot"), modeltest.Text("as I said"))
			models := roles(test.roles)
			models.Properties = test.about
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Models: models})
			tree.Client.Send(messages.Prompt{Text: "what is dot.gif?", Pictures: []messages.Picture{dot}})
			turn := tree.Finish()
			request := server.Requests()[0]
			if request.Model != test.model || len(request.Last().Pictures) != test.shown {
				t.Errorf("%s is asked with %d pictures", request.Model, len(request.Last().Pictures))
			}
			var told []string
			for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
				told = append(told, notice.Text)
			}
			if all := strings.Join(told, "\n"); test.told == "" && all != "" || !strings.Contains(all, test.told) {
				t.Errorf("people are told %q", all)
			}
			if began := actorstest.TurnEvents[messages.TurnStarted](turn); !slices.Equal(began[0].Pictures, []string{"[picture 1: dot.gif 1x1]"}) || len(began[0].Images) != 1 {
				t.Errorf("the turn begins with %q and %d pictures to draw", began[0].Pictures, len(began[0].Images))
			}
			tree.Prompt("and?")
			if second := server.Requests()[1]; second.Model != "test-model" {
				t.Errorf("%s is asked next", second.Model)
			}
		})
	}
}

// A prompt with pictures that is sent during a turn gets its own turn, and /retry sends the
// pictures again.
func TestPicturesStayWithTheirPrompt(t *testing.T) {
	release := make(chan struct{})
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.N == 1 {
			<-release
		}
		return modeltest.Text("seen")
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: t.TempDir(), Keep: begins, Policy: &actors.Policy{Person: true}})
	tree.Client.Send(messages.Say("go"))
	actorstest.ReadUntil[messages.TurnStarted](tree)
	tree.Client.Send(messages.Prompt{Text: "look", Steer: true, Pictures: []messages.Picture{dot}})
	close(release)
	tree.Finish()
	tree.Finish()
	tree.Client.Send(messages.Rewind{Prompts: 1, Again: true})
	actorstest.ReadUntil[messages.TurnStarted](tree)
	tree.Finish()
	for n, request := range server.Requests()[1:] {
		if last := request.Last(); last.Text != "look" || len(last.Pictures) != 1 {
			t.Errorf("request %d: %q with %d pictures", n+2, last.Text, len(last.Pictures))
		}
	}
}

func TestPicturesOfABoundDirectoryStay(t *testing.T) {
	server := modeltest.Start(t)
	models := roles(nil)
	models.Private = []actors.PrivateRule{{Dir: "/pictures", Said: "/pictures", To: []string{"ollama"}}}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Models: models})
	tree.Client.Send(messages.Prompt{Text: "what is it?", Pictures: []messages.Picture{dot}})
	if turn := tree.Finish(); turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "nothing was sent") {
		t.Errorf("%+v", turn.Ended)
	}
}

func TestChoosingHoldsNothingUp(t *testing.T) {
	release := make(chan struct{})
	server := modeltest.Start(t, modeltest.Text("hello"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Models: actors.Models{Choose: func(name string) (actors.Choice, error) {
		if name == "slow" {
			<-release
		}
		return actors.Choice{Provider: "openai-compat", Model: name}, nil
	}}})
	tree.Client.Send(messages.SetModel{Provider: "slow"})
	tree.Client.Send(messages.SetModel{Provider: "quick"})
	tree.Client.Send(messages.SetModel{Model: "last"})
	tree.Client.Send(messages.Say("hi"))
	tree.Client.Send(messages.ListGrants{})
	actorstest.ReadUntil[messages.Granted](tree) // sent while the first name is being resolved
	close(release)
	turn := tree.Finish()
	var models []string
	for _, envelope := range tree.Seen {
		if changed, ok := envelope.Event.(messages.ModelChanged); ok {
			models = append(models, changed.Model)
		}
	}
	if !slices.Equal(models, []string{"slow", "quick", "last"}) || turn.Ended.Text != "hello" || server.Requests()[0].Model != "last" {
		t.Errorf("changed to %q, asked %s: %+v", models, server.Requests()[0].Model, turn.Ended)
	}
}
