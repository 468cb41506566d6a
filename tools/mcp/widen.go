package mcp

import (
	"context"
	"fmt"
	"slices"

	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// If a server attempts something that its profile does not allow, the sandbox blocks the attempt,
// and Marvin asks the user. The result of the call names the command that grants refused rights.

// handleWish asks the user for the additional rights that a server needed during a call. The last
// result reports whether the caller must repeat the call.
func (c caller) handleWish(ctx context.Context, env tools.Env, session *Session, output tools.Output, failed error) (_ tools.Output, _ error, again bool) {
	wish := session.newWishes()
	if wish.Empty() {
		return output, failed, false
	}
	allowed, asked, err := c.askFor(ctx, env, wish.Minus(session.hold.refused))
	if err != nil {
		return output, err, false
	}
	refused := wish.Minus(allowed)
	if !refused.Empty() {
		if err := keepWish(session.ground.Home, c.server, refused, asked.Minus(allowed)); err != nil {
			return output, err, false
		}
		output, failed = addNote(output, failed, fmt.Sprintf("The server %s tried to %s. Earlier, it did not need this permission, so Marvin refused. The user can grant it with: marvin mcp approve %[1]s", c.server, refused.Wish()))
	}
	if allowed.Empty() {
		return output, failed, false
	}
	if err := c.sessions.Widen(c.server, allowed, session); err != nil {
		return output, err, false
	}
	// If the user granted every right, a failed or read-only call is repeated. Any other call
	// might already have taken effect.
	if refused.Empty() && (c.reads || failed != nil) {
		return output, failed, true
	}
	output, failed = addNote(output, failed, fmt.Sprintf("The user now allows the server %s to %s. If the call failed because this permission was missing, repeat the call.", c.server, allowed.Wish()))
	return output, failed, false
}

func addNote(output tools.Output, failed error, note string) (tools.Output, error) {
	if failed != nil {
		return output, tools.Advise(failed, "%s", note)
	}
	output.Text += "\n[" + note + "]"
	return output, nil
}

// askFor asks the user which of the wanted rights to grant. The user decides on each right
// separately, because consent to a directory says nothing about a host. Without a user, askFor
// grants no right.
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
		asked = asked.Union(part)
		if slices.Contains(chosen, label(part, len(ask))) {
			allowed = allowed.Union(part)
		}
	}
	return allowed, asked, nil
}

// mostWishes is the maximum number of rights that one question offers. The remaining rights are not
// granted, only stored for a later review.
const mostWishes = 8

// Options in a question about rights.
const (
	allow  = "allow it from now on"
	refuse = "do not allow it"
)

// question returns a question that offers each right as an option. The last option is a refusal.
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

// label returns the label of the option that grants one of the requested rights.
func label(part Profile, many int) string {
	if many == 1 {
		return allow
	}
	return tools.Visible(part.Wish())
}

// keepWish stores the rights that a server requested, for a later review by the user. It also
// stores the rights that the user refused, so that Marvin does not ask again.
func keepWish(home *persistence.Home, name string, wish, refused Profile) error {
	return change(home, name, func(manifest *Manifest) {
		manifest.Wanted, manifest.Refused = manifest.Wanted.Union(wish), manifest.Refused.Union(refused)
	})
}

// widen adds rights to a server's stored profile. The rights apply from the server's next start.
func widen(home *persistence.Home, name string, wish Profile) error {
	return change(home, name, func(manifest *Manifest) { manifest.allow(wish) })
}

// Widen stores the user's consent to the requested rights. If restart is true, the rights apply
// only after the server restarts; otherwise, they apply at once.
func Widen(home *persistence.Home, name string, wish Profile, session *Session) (restart bool, err error) {
	if err := widen(home, name, wish); err != nil {
		return false, err
	}
	if len(wish.Read) > 0 || len(wish.Write) > 0 || wish.Network || session.hold.gate == nil {
		return true, nil
	}
	session.hold.gate.Allow(wish.Hosts)
	return false, nil
}
