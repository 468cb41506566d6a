package command

import (
	"context"
	"strings"

	"marvin/messages"
)

// mostSessions is how many conversations are listed at once.
const mostSessions = 20

func (e *Engine) rename(title string) {
	title = strings.Join(strings.Fields(title), " ")
	if title == "" {
		e.warn("Usage: /rename TITLE calls this conversation that in the list of those that are kept.")
		return
	}
	e.Talk.Title = title
	e.ask("rename the conversation", messages.Rename{Title: title})
}

// sessions lists the conversations that are kept.
func (e *Engine) sessions(words string) {
	e.beside("list the conversations", func(ctx context.Context) func() {
		lines, err := e.Host.Sessions(ctx, words)
		return func() {
			switch {
			case err != nil:
				e.fail(err)
			case len(lines) == 0 && words != "":
				e.say("No conversation is called that; marvin sessions search looks at what was said.")
			case len(lines) == 0:
				e.say("There is no conversation yet that was kept.")
			default:
				more := ""
				if len(lines) > mostSessions {
					lines, more = lines[:mostSessions], "\nmarvin sessions list has them all."
				}
				e.say("Conversations that are kept, the last one first:\n" + strings.Join(lines, "\n") + more + "\n/resume ID says how to go on with one.")
			}
		}
	})
}

// resume says how to go on with another conversation: a screen is that of one.
func (e *Engine) resume(named string) {
	if named == "" {
		e.sessions("")
		return
	}
	e.beside("find the conversation", func(ctx context.Context) func() {
		id, called, err := e.Host.Session(ctx, named)
		return func() {
			if err != nil {
				e.fail(err)
				return
			}
			e.say(called + "\nTo go on with it, leave (quit) and type: marvin -r " + id)
		}
	})
}
