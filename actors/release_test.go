package actors_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
)

// A provider that is no longer used releases its connections, and Copilot its CLI: when the user
// chooses another provider, or at the end of the running turn.
func TestAProviderThatIsLeftIsClosed(t *testing.T) {
	left := make(chan bool, 1)
	gate := make(chan struct{})
	listen := func(answer func(modeltest.Request) modeltest.Step, closed func()) string {
		server := httptest.NewUnstartedServer(modeltest.New(answer))
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				closed()
			}
		}
		server.Start()
		t.Cleanup(server.Close)
		return server.URL
	}
	first := listen(func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "wait" {
			return modeltest.Pause(gate).Append(modeltest.Text("first"))
		}
		return modeltest.Text("first")
	}, func() { left <- true })
	second := listen(func(modeltest.Request) modeltest.Step { return modeltest.Text("second") }, func() {})
	tree := actorstest.Start(t, actorstest.Setup{
		Policy: &actors.Policy{Person: true},
		Models: actors.Models{Connect: func(choice actors.Choice) (providers.Model, error) {
			base := first
			if choice.Provider == "openai" {
				base = second
			}
			return openaichat.New(openaichat.Config{Provider: choice.Provider, Model: choice.Model, BaseURL: base + "/v1", Key: "k", HTTP: &http.Client{Transport: &http.Transport{}}}), nil
		}},
	})
	say := func(text, want string) {
		t.Helper()
		if turn := tree.Prompt(text); turn.Ended.Text != want {
			t.Fatalf("ended %+v", turn.Ended)
		}
	}
	isLeft := func() {
		t.Helper()
		select {
		case <-left:
		case <-time.After(actorstest.Patience):
			t.Fatal("its connection is kept")
		}
	}
	say("go", "first")
	tree.Client.Send(messages.SetModel{Provider: "openai"})
	isLeft()
	say("go", "second")

	tree.Client.Send(messages.SetModel{Provider: "openai-compat"})
	say("go", "first")
	tree.Client.Send(messages.Say("wait"))
	actorstest.ReadUntil[messages.TurnStarted](tree)
	tree.Client.Send(messages.SetModel{Provider: "openai"})
	actorstest.ReadUntil[messages.ModelChanged](tree)
	close(gate)
	if turn := tree.Finish(); turn.Ended.Text != "first" {
		t.Errorf("ended %+v", turn.Ended)
	}
	isLeft()

	// A question about the provider of one prompt must not release another: both stay.
	tree.Client.Send(messages.Prompt{Text: "go", Provider: "openai-compat"})
	if turn := tree.Finish(); turn.Ended.Text != "first" {
		t.Errorf("ended %+v", turn.Ended)
	}
	select {
	case <-left:
		t.Error("the provider of the last prompt is closed")
	default:
	}
}
