package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/memory"
	"marvin/tools"
	"marvin/ui"
	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// Waiting is an open question of a running conversation, or the question of whether to remember a
// proposed fact.
type Waiting struct {
	Name     string         `json:"name"` // SESSION/QUESTION
	Session  string         `json:"session"`
	Title    string         `json:"session_title"`
	Dir      string         `json:"dir"`
	Since    time.Time      `json:"since"`
	Deadline time.Time      `json:"deadline,omitzero"`
	Digest   string         `json:"digest"`
	Question messages.Asked `json:"question"`
	Path     string         `json:"-"`

	settle func(yes bool) error // the function that accepts or refuses a proposed fact, or nil
}

// Inbox lists the open questions in all conversations. The conversation that has waited longest
// comes first.
func Inbox(all []door.Entry) []Waiting {
	list := []Waiting{}
	for _, one := range all {
		for _, asked := range one.Waits {
			list = append(list, Waiting{Name: one.ID + "/" + asked.Ask, Session: one.ID, Title: one.Title, Dir: one.Dir, Since: one.Asked, Deadline: asked.Deadline, Digest: asked.Digest, Question: asked, Path: one.Path})
		}
	}
	slices.SortStableFunc(list, func(a, b Waiting) int { return a.Since.Compare(b.Since) })
	return list
}

// InboxOf lists the open questions in all conversations, then the facts proposed for memory.
func InboxOf(home *persistence.Home, all []door.Entry) ([]Waiting, error) {
	list := Inbox(all)
	waiting, err := memory.Open(home).Proposals().List()
	for _, one := range waiting {
		list = append(list, fact(memory.Open(home).Proposals(), one))
	}
	return list, err
}

// fact builds the question about a memory proposal.
func fact(proposals memory.Proposals, one memory.Proposal) Waiting {
	detail := tools.Visible(one.Text)
	if one.Why != "" {
		detail += "\n(" + tools.Visible(one.Why) + ")"
	}
	asked := messages.Asked{Ask: one.ID, Kind: messages.AskConsent, Title: "Remember this?", Detail: detail, Choices: []messages.Choice{messages.Yes, messages.No}}
	return Waiting{
		Name: one.ID, Session: one.ID, Title: "memory", Dir: one.Of, Since: one.At, Digest: asked.Fingerprint(), Question: asked,
		settle: func(yes bool) error {
			if !yes {
				return proposals.Refuse(one.ID)
			}
			_, err := proposals.Accept(one.ID)
			return err
		},
	}
}

// Show returns the whole question, formatted for users.
func (w Waiting) Show(now time.Time) string {
	text := fmt.Sprintf("%s  waits %s  %s\n  %s\n", termsafe.Line(w.Name), age(w.Since, now), termsafe.Line(w.Dir), termsafe.Line(w.Question.Title))
	for line := range strings.Lines(strings.TrimRight(w.Question.Detail+"\n"+w.Question.More, "\n")) {
		text += "    " + termsafe.Line(strings.TrimRight(line, "\n")) + "\n"
	}
	if !w.Deadline.IsZero() {
		text += fmt.Sprintf("  if nobody answers, the default applies in %s\n", w.Deadline.Sub(now).Truncate(time.Second))
	}
	return text
}

// FindWaiting returns the question with the given name, which has the form SESSION/QUESTION.
// SESSION may be a prefix, and QUESTION may be missing. An ambiguous name is an error, because the
// answer must not go to the wrong question.
func FindWaiting(list []Waiting, name string) (Waiting, error) {
	session, question, _ := strings.Cut(name, "/")
	var found []Waiting
	for _, one := range list {
		if session != "" && strings.HasPrefix(one.Session, session) && (one.Question.Ask == question || question == "") {
			found = append(found, one)
		}
	}
	switch len(found) {
	case 0:
		return Waiting{}, fmt.Errorf("no question %q is waiting; to list the waiting questions, run marvin inbox", name)
	case 1:
		return found[0], nil
	}
	names := lists.Map(found, func(one Waiting) string { return termsafe.Line(one.Name) })
	return Waiting{}, fmt.Errorf("%d questions match %q; give the name of one: %s", len(found), name, strings.Join(names, ", "))
}

// Reply converts a word ("yes", "always" or "no") and the text after the word into an answer. If
// the question has options, the user can also give an option's label or any other text.
func (w Waiting) Reply(word, text string) (messages.Answer, error) {
	answer := messages.Answer{Ask: w.Question.Ask, Choice: messages.Choice(strings.ToLower(word)), Text: text, Digest: w.Digest}
	said := strings.TrimSpace(word + " " + text)
	if len(w.Question.Questions) > 0 {
		options := w.Question.Questions[0].Options
		at := slices.IndexFunc(options, func(option messages.Option) bool { return strings.EqualFold(option.Label, said) })
		switch {
		case at >= 0: // an option's label takes precedence over "yes" and "no"
			answer.Choice, answer.Text, answer.Chosen = messages.Yes, "", []messages.Chosen{{Options: []string{options[at].Label}}}
			return answer, nil
		case answer.Choice != messages.Yes && answer.Choice != messages.No:
			answer.Choice, answer.Text, answer.Chosen = messages.Yes, "", []messages.Chosen{{Text: said}}
			return answer, nil
		}
	}
	if offered := w.offered(); !slices.Contains(offered, string(answer.Choice)) {
		return answer, fmt.Errorf("%q is not an answer to %q; the question accepts %s", word, termsafe.Line(w.Question.Title), strings.Join(offered, ", "))
	}
	return answer, nil
}

func (w Waiting) offered() []string {
	words := []string{string(messages.Yes)}
	if slices.Contains(w.Question.Choices, messages.Always) && w.Question.Always != "" {
		words = append(words, string(messages.Always))
	}
	return append(words, string(messages.No))
}

// Answer answers the question and waits until the answer is accepted. For a question of a running
// conversation, Answer opens a window with the given name. The conversation refuses the answer if
// the question has changed.
func (w Waiting) Answer(ctx context.Context, name, word, text string) error {
	reply, err := w.Reply(word, text)
	if err != nil {
		return err
	}
	if w.settle != nil {
		return w.settle(reply.Choice == messages.Yes)
	}
	window, err := door.Dial(ctx, w.Path, name, messages.RoleAnswer)
	if err != nil {
		return err
	}
	defer window.Close()
	if err := Answer(ctx, window, reply); err != nil {
		return fmt.Errorf("%s is not answered: %w", w.Name, err)
	}
	return nil
}

// The IDs of the two requests that [Answer] sends.
const (
	answering = "inbox"   // the answer
	settling  = "settled" // a request that the session always refuses
)

// Answer sends an answer and waits until the session accepts the answer. Because an expired
// deadline also closes the question, Answer sends a second request after the question is closed.
// The session always refuses the second request, and refuses a late answer before that request.
func Answer(ctx context.Context, window ui.Client, answer messages.Answer) error {
	window.Send(messages.Request{ID: answering, Op: answer})
	for {
		batch, err := window.Next(ctx)
		if err != nil {
			return fmt.Errorf("the answer was not confirmed: %w", err)
		}
		for _, envelope := range batch {
			switch event := envelope.Event.(type) {
			case messages.Refused:
				if event.Request == settling {
					return nil
				}
				return errors.New(event.Err)
			case messages.Answered:
				if event.Ask == answer.Ask && event.By != "" {
					return fmt.Errorf("another window answered first: %s answered %s", event.By, event.Words())
				}
				if event.Ask == answer.Ask {
					// The session refuses this request, because the question is closed.
					window.Send(messages.Request{ID: settling, Op: messages.Attend{Ask: answer.Ask}})
				}
			case messages.Closed:
				return errors.New("the conversation ended before the answer was confirmed")
			default: // unrelated events
			}
		}
	}
}
