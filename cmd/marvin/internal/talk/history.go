package talk

import (
	"fmt"

	"marvin/cmd/marvin/internal/app"
	"marvin/persistence/chat"
	"marvin/tools"
)

// The user's own data: typed prompts, and the clipboard.

// askedEntries is how far back in the chat log prompts are looked for.
const askedEntries = 400

// inputsOf is what was typed in a profile, oldest first; of a profile that has no such
// file yet, what was asked according to its chat log.
func inputsOf(p *app.App, profile string) []string {
	files := p.Config.Home.Profile(profile)
	typed, err := chat.Inputs(files)
	if err != nil {
		fmt.Fprintln(p.World.Stderr, "warning:", err)
	}
	if len(typed) > 0 {
		return typed
	}
	entries, _ := chat.Of(files).Tail(askedEntries) // the conversation reads it too, and says so
	for _, entry := range entries {
		if entry.Role == "you" {
			typed = append(typed, entry.Text)
		}
	}
	return typed
}

// addInput remembers a line, unless a key of the user's is in it.
func addInput(p *app.App, profile, text string) {
	if secrets := tools.SecretsOf(p.World.Environ, p.World.Home); secrets.Hide(text) != text {
		return
	}
	if err := chat.AddInput(p.Config.Home.Profile(profile), text); err != nil && p.Config.Home.State != "" {
		fmt.Fprintln(p.World.Stderr, "warning: the line was not added to the history:", err)
	}
}
