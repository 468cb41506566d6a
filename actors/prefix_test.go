package actors_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

// Over a conversation of 20 prompts with tools, each request begins with the bytes of the previous
// one, even if preferences, directory and jobs change: providers cache a prompt only as far as it
// is unchanged.
func TestARequestBeginsAsTheOneBefore(t *testing.T) {
	for _, wire := range []modeltest.Wire{modeltest.OpenAI, modeltest.Ollama, behindTheCLI} {
		t.Run(string(wire), func(t *testing.T) {
			home := t.TempDir()
			profile := persistence.Open(home, nil).Profile("default")
			setup := actorstest.Setup{
				Home: home, Wire: wire, Policy: &actors.Policy{Coding: true, Person: true, Persist: true},
			}
			var o workplace
			if wire == behindTheCLI {
				if testing.Short() {
					t.Skip("make reality tests the CLI")
				}
				setup.Models.Connect = withTheCLI(t, func() string { return o.server.URL })
			}
			o = atWork(t, setup)
			for i := range 20 {
				switch i {
				case 5:
					write(t, filepath.Join(profile.Dir, "preferences.yaml"), "notes: brief\n")
				case 10:
					o.Client.Send(messages.SetDir{Path: t.TempDir()})
				}
				o.call(t, modeltest.Call{Name: "run_command", Args: runArgs{Command: fmt.Sprint("echo ", i)}})
			}
			requests := o.server.Requests()
			if len(requests) != 40 {
				t.Fatalf("%d requests", len(requests))
			}
			least := 1.0
			for i := 1; i < len(requests); i++ {
				before, now := growing(t, requests[i-1].Raw), growing(t, requests[i].Raw)
				share := float64(common(before, now)) / float64(len(before))
				if least = min(least, share); share < 0.97 {
					t.Errorf("request %d has %.3f of the one before:\n%s\n%s", i, share, before, now)
				}
			}
			t.Logf("each has at least %.4f of the one before", least)
		})
	}
}

// behindTheCLI is OpenAI's protocol as the real Copilot CLI speaks it with the user's own key. The
// CLI stores the conversation itself.
const behindTheCLI modeltest.Wire = "copilot"

// withTheCLI connects the real CLI to the model server, whose address is known later.
func withTheCLI(t *testing.T, address func() string) func(actors.Choice) (providers.Model, error) {
	t.Helper()
	path, world := copilottest.Path(t), copilottest.Environ(t.TempDir())
	return func(choice actors.Choice) (providers.Model, error) {
		cli := startCLI(t, append(slices.Clip(world), copilottest.Asking(address())...), path, 0)
		return copilot.New(copilot.Config{CLI: cli, Model: choice.Model}), nil
	}
}

// growing returns the growing part of a request after the constant part. With Ollama, whose client
// orders the fields, servers read the tools first.
func growing(t *testing.T, raw []byte) []byte {
	t.Helper()
	var request struct{ Tools, Messages json.RawMessage }
	if err := json.Unmarshal(raw, &request); err != nil {
		t.Fatal(err)
	}
	if bytes.HasSuffix(raw, append(bytes.Clone(request.Messages), '}')) {
		return raw
	}
	return append(request.Tools, request.Messages...)
}

func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
