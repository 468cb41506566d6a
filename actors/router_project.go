package actors

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// How a turn asks its person about the files that a directory brings, before the first
// request that has them.

// remembered says that the answer is written down, or why not.
type remembered struct{ err error }

// question is put to the session as that of a call is.
func (s *unapproved) question(turn string, round int) askUser {
	return askUser{call: fmt.Sprintf("%s-project-%d", turn, round), title: s.title, detail: s.detail, more: s.more, always: "this directory, also what its files say later"}
}

// acquainted takes the answer. What was answered holds for the conversation.
func (r *router) acquainted(c actor.Context, message granted) {
	files := r.unapproved
	if r.phase != preparing || r.filesReady || files == nil {
		return // cancelled meanwhile
	}
	r.unapproved = nil
	if message.choice != messages.Yes && message.choice != messages.Always {
		r.trust(c, files.refuse)
		c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: files.left})
		r.remembered(c, remembered{})
		return
	}
	r.parts = files.parts
	r.trust(c, files.trust)
	home := r.config.Home
	task.Do(c, func() any {
		return remembered{err: remember(home, files.dir, files.files, message.choice)}
	}, func(panicked *task.Panicked) any { return remembered{err: panicked} })
}

func (r *router) trust(c actor.Context, holds trust) {
	if maps.Equal(holds, r.conversation.trust) {
		return
	}
	r.conversation.trust = holds
	c.Send(r.brief.session, holds)
}

// touch notes files that calls were about: directories that they are in may have
// instructions of their own, and rules may be about them, which the model is told behind
// the results. What was touched before is not looked at again.
func (r *router) touch(paths []string) {
	if !r.mode.Coding {
		return
	}
	for _, path := range paths {
		if path != r.conversation.Dir && !slices.Contains(r.touched, path) {
			r.touched, r.moved = append(r.touched, path), true
		}
	}
}

// Short rules are told again when this much was said since, in bytes: about 6,000 tokens.
const forgottenAfter = 24 << 10

// remind tells the short rules again in a long conversation, near its end, where models
// heed them. What was said stays as it is.
func (r *router) remind() {
	if r.parts.Sticky == "" {
		return
	}
	since, rules := 0, prompt.Remember(r.parts.Sticky)
	all := r.turn.Messages()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Role == messages.System && strings.Contains(all[i].Text, rules) {
			break
		}
		since += len(all[i].Text) + len(all[i].Result.Text)
	}
	if since > forgottenAfter { // guard: short rules are told again
		r.turn.AddNews(r.words(messages.FromFile, rules), r.number > 0)
	}
}

func (r *router) remembered(c actor.Context, message remembered) {
	if message.err != nil {
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: message.err.Error()})
	}
	r.filesReady = true
	r.begin(c)
}
