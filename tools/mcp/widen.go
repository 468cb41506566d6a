package mcp

import (
	"context"
	"fmt"
	"slices"

	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// A server's wish beyond its profile is a question to the user, or without one a refusal with the
// next step. The system has already refused it.

// wanted handles a server's wishes during a call. again means that the call must be repeated,
// because the user agreed.
func (c caller) wanted(ctx context.Context, env tools.Env, session *Session, output tools.Output, failed error) (_ tools.Output, _ error, again bool) {
	wish := session.wants()
	if wish.Empty() {
		return output, failed, false
	}
	allowed, asked, err := c.askFor(ctx, env, wish.Without(session.hold.refused))
	if err != nil {
		return output, err, false
	}
	refused := wish.Without(allowed)
	if !refused.Empty() {
		if err := keepWish(session.ground.Home, c.server, refused, asked.Without(allowed)); err != nil {
			return output, err, false
		}
		output, failed = noted(output, failed, fmt.Sprintf("The server %s tried to %s, which it did not need before; Marvin refused. The user can allow it with: marvin mcp approve %[1]s", c.server, refused.Wish()))
	}
	if allowed.Empty() {
		return output, failed, false
	}
	if err := c.sessions.Widen(c.server, allowed, session); err != nil {
		return output, err, false
	}
	// A call that failed because of this is repeated. For a successful call it is unknown what it
	// did without.
	if refused.Empty() && (c.reads || failed != nil) {
		return output, failed, true
	}
	output, failed = noted(output, failed, fmt.Sprintf("The user now allows the server %s to %s. If the call failed because of that, make it again.", c.server, allowed.Wish()))
	return output, failed, false
}

// noted puts a note behind what came of a call.
func noted(output tools.Output, failed error, note string) (tools.Output, error) {
	if failed != nil {
		return output, tools.Advise(failed, "%s", note)
	}
	output.Text += "\n[" + note + "]"
	return output, nil
}

// askFor asks the user which wishes the server may have: one by one, since a folder says nothing
// about a host. Without a user it gets none. asked lists those the user answered.
func (c caller) askFor(ctx context.Context, env tools.Env, wish Profile) (allowed, asked Profile, _ error) {
	if env.Ask == nil || !env.Person || wish.Empty() {
		return Profile{}, Profile{}, nil
	}
	parts := wish.Parts()
	ask := parts[:min(len(parts), mostWishes)]
	reply, err := env.Ask(ctx, tools.Inquiry{
		Kind: messages.AskChoice, Title: fmt.Sprintf("The MCP server %s wants more access than before", c.server),
		Detail:    fmt.Sprintf("While %s ran, it tried to %s. Marvin refused.", tools.Visible(c.tool.Name), tools.Visible(wish.Wish())),
		Questions: []messages.Question{question(ask)},
	})
	if err != nil || reply.Unanswered != "" {
		return Profile{}, Profile{}, err
	}
	var chosen []string
	if reply.Choice == messages.Yes && len(reply.Chosen) > 0 && !slices.Contains(reply.Chosen[0].Options, refuse) {
		chosen = reply.Chosen[0].Options
	}
	for _, part := range ask {
		asked = asked.With(part)
		if slices.Contains(chosen, label(part, len(ask))) {
			allowed = allowed.With(part)
		}
	}
	return allowed, asked, nil
}

// mostWishes is how many are asked about at once; the others stay refused, and listed.
const mostWishes = 8

// The answers of a person about wishes.
const (
	allow  = "allow it from now on"
	refuse = "do not allow it"
)

// question asks about wishes: yes or no to a single one, else which of them.
func question(parts []Profile) messages.Question {
	q := messages.Question{Text: "May it?", Several: len(parts) > 1, Default: []string{refuse}}
	if q.Several {
		q.Text = "Which of these do you allow?"
	}
	for _, part := range parts {
		q.Options = append(q.Options, messages.Option{Label: label(part, len(parts))})
	}
	q.Options = append(q.Options, messages.Option{Label: refuse})
	return q
}

// label is how a person says yes to one of many wishes.
func label(part Profile, many int) string {
	if many == 1 {
		return allow
	}
	return tools.Visible(part.Wish())
}

// keepWish keeps what a server wants and may not, for a person to look at, and what of it one said
// no to: that is not asked again.
func keepWish(home *persistence.Home, name string, wish, refused Profile) error {
	return change(home, name, func(manifest *Manifest) {
		manifest.Wanted, manifest.Refused = manifest.Wanted.With(wish), manifest.Refused.With(refused)
	})
}

// widen extends a server's profile from its next start.
func widen(home *persistence.Home, name string, wish Profile) error {
	return change(home, name, func(manifest *Manifest) { manifest.allow(wish) })
}

// Widened keeps a person's yes to what a server wants, and lets a running one do it, if
// that can be: what it may open stays as it was when it was started. Else restart says that
// it has to be started again.
func Widened(home *persistence.Home, name string, wish Profile, session *Session) (restart bool, err error) {
	if err := widen(home, name, wish); err != nil {
		return false, err
	}
	if len(wish.Read) > 0 || len(wish.Write) > 0 || wish.Network || session.hold.gate == nil {
		return true, nil
	}
	session.hold.gate.Allow(wish.Hosts)
	return false, nil
}
