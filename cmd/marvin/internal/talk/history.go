package talk

import (
	"fmt"

	"marvin/cmd/marvin/internal/app"
	"marvin/persistence/chat"
	"marvin/tools"
)

// askedEntries is the maximum number of chat log entries that inputsOf reads.
const askedEntries = 400

// inputsOf returns the profile's input history, oldest first. If the history is empty, inputsOf
// returns the prompts from the profile's chat log.
func inputsOf(p *app.App, profile string) []string {
	files := p.Config.Home.Profile(profile)
	typed, err := chat.Inputs(files)
	if err != nil {
		fmt.Fprintln(p.World.Stderr, "warning:", err)
	}
	if len(typed) > 0 {
		return typed
	}
	entries, _ := chat.New(files).Tail(askedEntries) // Append will report a damaged log
	for _, entry := range entries {
		if entry.Role == "you" {
			typed = append(typed, entry.Text)
		}
	}
	return typed
}

// addInput adds a line to the history, unless the line contains a secret.
func addInput(p *app.App, profile, text string) {
	if secrets := tools.SecretsOf(p.World.Environ, p.World.Home); secrets.Hide(text) != text {
		return
	}
	if err := chat.AddInput(p.Config.Home.Profile(profile), text); err != nil && p.Config.Home.State != "" {
		fmt.Fprintln(p.World.Stderr, "warning: the line was not added to the history:", err)
	}
}
