package mcp

import (
	"context"
	"fmt"
	"slices"

	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// What a server wants beyond its profile is a question where a person is, and a refusal
// with the way on where none is. The system has refused it already when it is seen.

// wanted deals with what the server wanted during a call. again says that the call is to be
// made once more, because a person allowed it.
func (c caller) wanted(ctx context.Context, env tools.Env, session *Session, output tools.Output, failed error) (_ tools.Output, _ error, again bool) {
	wish := session.wants()
	if wish.Empty() { // guard: servers: what one wants is told
		return output, failed, false
	}
	allowed, err := c.askFor(ctx, env, wish)
	switch {
	case err != nil:
		return output, err, false
	case allowed:
		if err := c.sessions.Widen(c.server, wish, session); err != nil {
			return output, err, false
		}
		if c.reads {
			return output, failed, true
		}
		note := fmt.Sprintf("The user now allows the server %s to %s. If the call failed because of that, make it again.", c.server, wish.Wish())
		return noted(output, failed, note)
	}
	if err := Wish(session.ground.Home, c.server, wish); err != nil {
		return output, err, false
	}
	note := fmt.Sprintf("The server %s wanted to %s, which it was not seen to need before; it was refused. Do without, or tell the user: marvin mcp approve %[1]s allows it.", c.server, wish.Wish())
	return noted(output, failed, note)
}

// noted puts a note behind what came of a call.
func noted(output tools.Output, failed error, note string) (tools.Output, error, bool) {
	if failed != nil {
		return output, tools.Advise(failed, "%s", note), false
	}
	output.Text += "\n[" + note + "]"
	return output, nil, false
}

// askFor asks the person whether the server may do more. Where nobody is, it may not.
func (c caller) askFor(ctx context.Context, env tools.Env, wish Profile) (bool, error) {
	if env.Ask == nil || !env.Person {
		return false, nil
	}
	const yes, no = "allow it from now on", "do not allow it"
	reply, err := env.Ask(ctx, tools.Inquiry{
		Kind: messages.AskChoice, Title: fmt.Sprintf("The MCP server %s wants more than it was seen to need", c.server),
		Detail:    fmt.Sprintf("While %s ran, it wanted to %s. It was refused.", tools.Visible(c.tool.Name), tools.Visible(wish.Wish())),
		Questions: []messages.Question{{Text: "May it?", Options: []messages.Option{{Label: yes}, {Label: no}}, Default: []string{no}}},
	})
	if err != nil {
		return false, err
	}
	return reply.Unanswered == "" && reply.Choice == messages.Yes && len(reply.Chosen) > 0 && slices.Contains(reply.Chosen[0].Options, yes), nil
}

// Wish keeps what a server wants and may not, for a person to look at.
func Wish(home *persistence.Home, name string, wish Profile) error {
	return change(home, name, func(manifest *Manifest) { manifest.Wanted = manifest.Wanted.With(wish) })
}

// Widen lets a server do more from its next start on.
func Widen(home *persistence.Home, name string, wish Profile) error {
	return change(home, name, func(manifest *Manifest) {
		if manifest.Jail != nil {
			wider := manifest.Jail.With(wish)
			manifest.Jail, manifest.Wanted = &wider, manifest.Wanted.Without(wider)
		}
	})
}

// Widened keeps a person's yes to what a server wants, and lets a running one do it, if
// that can be: what it may open stays as it was when it was started. Else restart says that
// it has to be started again.
func Widened(home *persistence.Home, name string, wish Profile, session *Session) (restart bool, err error) {
	if err := Widen(home, name, wish); err != nil {
		return false, err
	}
	if len(wish.Read) > 0 || len(wish.Write) > 0 || wish.Network || session.hold.gate == nil {
		return true, nil
	}
	session.hold.gate.Allow(wish.Hosts)
	return false, nil
}
