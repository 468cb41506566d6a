package host

import (
	"context"
	"errors"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/live"
	"marvin/ui/command"
)

// OpenQuestions implements [command.Host].
func (h archives) OpenQuestions(ctx context.Context) (all []command.OpenQuestion, err error) {
	entries, err := cli.LiveSessions(ctx, h.parts.World.Quiet())
	list, wrong := live.InboxOf(h.parts.Config.Home, entries)
	err = errors.Join(err, wrong)
	for _, one := range list {
		all = append(all, command.OpenQuestion{Name: one.Name, Title: one.Title, Dir: one.Dir, Since: one.Since, Question: one.Question})
	}
	return all, err
}

// AnswerWaiting implements [command.Host].
func (h archives) AnswerWaiting(ctx context.Context, one command.OpenQuestion, word, text string) error {
	entries, err := cli.LiveSessions(ctx, h.parts.World.Quiet())
	if err != nil {
		return err
	}
	list, unread := live.InboxOf(h.parts.Config.Home, entries)
	waiting, err := live.FindWaiting(list, one.Name)
	if err != nil {
		return errors.Join(err, unread)
	}
	waiting.Digest, waiting.Question = one.Question.Fingerprint(), one.Question // use the question that the user saw
	ctx, cancel := context.WithTimeout(ctx, 2*cli.LiveTimeout)
	defer cancel()
	return waiting.Answer(ctx, "the inbox of "+cli.WindowName(h.parts.World), word, text)
}
