package host

import (
	"context"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/live"
	"marvin/ui/command"
)

// Waiting is part of [command.Host].
func (h archives) Waiting(ctx context.Context) (all []command.Waiting, err error) {
	entries, err := cli.LiveSessions(ctx, h.parts.World.Quiet())
	for _, one := range live.Inbox(entries) {
		all = append(all, command.Waiting{Name: one.Name, Title: one.Title, Dir: one.Dir, Since: one.Since, Question: one.Question})
	}
	return all, err
}

// AnswerWaiting is part of [command.Host].
func (h archives) AnswerWaiting(ctx context.Context, one command.Waiting, word, text string) error {
	entries, err := cli.LiveSessions(ctx, h.parts.World.Quiet())
	if err != nil {
		return err
	}
	waiting, err := live.FindWaiting(live.Inbox(entries), one.Name)
	if err != nil {
		return err
	}
	waiting.Digest, waiting.Question = one.Question.Fingerprint(), one.Question // as the user saw it
	ctx, cancel := context.WithTimeout(ctx, 2*cli.LiveTimeout)
	defer cancel()
	return waiting.Answered(ctx, "the inbox of "+cli.WindowName(h.parts.World), word, text)
}
