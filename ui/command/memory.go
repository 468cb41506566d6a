package command

import (
	"context"
	"strings"

	"marvin/ui/view"
)

type memory struct{ *Env }

// remember adds a fact that the user typed.
func (m memory) remember(text string) {
	if text == "" {
		m.warn("Usage: /remember TEXT remembers a fact, such as /remember my dog is called Rex; /memory lists them.")
		return
	}
	m.take("add " + text)
}

func (m memory) take(words string) {
	profile, dir := m.Talk.Profile, m.Talk.Dir
	m.runOutside("look at the memory", func(ctx context.Context) func() {
		return m.show(m.Host.Memory(ctx, words, profile, dir))
	})
}

// rules is the implementation of /rule, which adds a line to the project's AGENTS.md.
type rules struct {
	*Env
	shown *string // unconfirmed rule, as directory + "\n" + text
}

// proposeOrAdd shows a proposed line for AGENTS.md, or adds the line that the user has confirmed.
// If the front end cannot show lists, the user confirms the line by typing it again.
func (r rules) proposeOrAdd(text string) {
	if text == "" {
		r.warn("Usage: /rule TEXT, or #TEXT, adds a line to the project's AGENTS.md.")
		return
	}
	dir, again := r.Talk.Dir, *r.shown == r.Talk.Dir+"\n"+text
	*r.shown = ""
	r.runOutside("look at AGENTS.md", func(context.Context) func() {
		path, diff, err := r.Host.Rule(dir, text, again)
		if err != nil || again {
			return r.outcome(err, "Added to "+path+": "+text)
		}
		return func() { r.question(dir, text, path, diff) }
	})
}

// question sends the change to the front end and asks the user for confirmation.
func (r rules) question(dir, text, path, diff string) {
	r.say(strings.TrimRight(diff, "\n"))
	if r.Front.Pick(Pick{
		List: view.List{Title: "Add this line to " + path + "?", Items: []view.Item{{Text: "no"}, {Text: "yes, add it"}, {Text: "no, send the line to the model as a prompt"}}},
		Chosen: func(at int) {
			switch at {
			case 1:
				*r.shown = dir + "\n" + text
				r.proposeOrAdd(text)
			case 2:
				r.say("To send a line to the model instead, begin it with a space.")
			}
		},
	}) {
		return
	}
	*r.shown = dir + "\n" + text
	r.say("This line would be added to " + path + ". To add it, type the line again; to send the line to the model, begin it with a space.")
}
