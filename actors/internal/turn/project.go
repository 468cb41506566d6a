package turn

import (
	"fmt"
	"maps"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/material"
	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// The user must trust a directory's files before Marvin sends the files to the model.

// remembered contains the error, if any, from storing the user's answer.
type remembered struct{ err error }

// trustQuestion returns a request for the user's consent to the files. The Call field identifies
// the question, not a call.
func trustQuestion(s *material.Unapproved, turn string, round int) mail.AskUser {
	return mail.AskUser{Call: fmt.Sprintf("%s-project-%d", turn, round), Title: s.Title, Detail: s.Detail, More: s.More, Always: "this directory, even when its files change"}
}

// applyAnswer records whether the user trusts the files. The decision applies to the whole
// conversation.
func (p *preparation) applyAnswer(c actor.Context, message mail.Answered) step {
	files := p.unapproved
	if p.phase != preparing || p.missing&theFiles == 0 || files == nil {
		return step{} // the turn has been cancelled in the meantime
	}
	p.unapproved = nil
	if message.Choice != messages.Yes && message.Choice != messages.Always {
		p.trust(c, files.Refuse)
		p.note(c, messages.Info, files.Left)
		return p.finishFiles(c, remembered{})
	}
	p.parts = files.Parts
	p.trust(c, files.Trust)
	home := p.Config.Home
	task.Do(c, func() any {
		return remembered{err: material.Remember(home, files.Dir, files.Files, message.Choice)}
	}, func(panicked *task.Panicked) any { return remembered{err: panicked} })
	return step{}
}

// forgo terminates the wait for the user's consent. The session closes the question when the turn
// ends.
func (p *preparation) forgo() {
	if p.unapproved != nil {
		p.missing &^= theFiles
	}
}

// finishFiles ends the wait for the files. If the user's answer could not be stored, the user sees
// a warning.
func (p *preparation) finishFiles(c actor.Context, message remembered) step {
	if message.err != nil {
		p.note(c, messages.Warning, message.err.Error())
	}
	p.missing &^= theFiles
	return step{to: begins}
}

func (p *preparation) trust(c actor.Context, holds conv.Trust) {
	if maps.Equal(holds, p.conversation.Trust) {
		return
	}
	p.conversation.Trust = holds
	c.Send(p.input.Session, holds)
}

// forgottenAfter is the minimum number of bytes between two repetitions of the short rules.
const forgottenAfter = 24 << 10 // about 6,000 tokens

// remind repeats the short rules from time to time, because models follow recent text best.
func (p *preparation) remind() {
	if p.parts.Sticky == "" {
		return
	}
	since, rules := 0, prompt.Remember(p.parts.Sticky)
	all := p.turn.Messages()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Role == messages.System && strings.Contains(all[i].Text, rules) {
			break
		}
		since += len(all[i].Text) + len(all[i].Result.Text)
	}
	if since > forgottenAfter {
		p.turn.AddNews(p.messageFrom(messages.FromFile, rules), p.number > 0)
	}
}
