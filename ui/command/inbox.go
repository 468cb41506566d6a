package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/slash"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// OpenQuestion is an open question of a running conversation.
type OpenQuestion struct {
	Name       string // ID that [Host.AnswerWaiting] uses to find the question
	Title, Dir string // title and directory of the conversation
	Since      time.Time
	Question   messages.Asked
}

// inbox runs /inbox. The user sees and answers the open questions of all running conversations.
type inbox struct {
	*Env
	numbered *numbered
}

const inboxUsage = "Usage: /inbox lists the questions that wait for you; to answer one, type /inbox NUMBER followed by \"yes\", \"always\", \"no\", \"no WORDS\" or an option."

// take executes /inbox. The command's argument is empty, or a question's number followed by an
// answer.
func (i inbox) take(text string) {
	number, answer := slash.CutWord(text)
	if number == "" {
		i.list()
		return
	}
	at, err := strconv.Atoi(number)
	if err != nil || at < 1 || at > len(i.numbered.waiting) || answer == "" {
		i.warn(inboxUsage)
		return
	}
	word, rest := slash.CutWord(answer)
	i.answer(i.numbered.waiting[at-1], word, rest)
}

// list lets the user choose a question. If the front end cannot show lists, the method prints the
// questions.
func (i inbox) list() {
	i.runOutside("list the questions that wait for an answer", func(ctx context.Context) func() {
		all, err := i.Host.OpenQuestions(ctx)
		return func() {
			i.numbered.waiting = all
			switch {
			case err != nil:
				i.fail(err)
			case len(all) == 0:
				i.say("No question waits.")
			case !i.choose(all):
				i.print(all)
			}
		}
	})
}

// print writes all questions in full.
func (i inbox) print(all []OpenQuestion) {
	var text strings.Builder
	for at, one := range all {
		fmt.Fprintf(&text, "%d. %s  (%s)\n", at+1, termsafe.Line(one.Question.Title), termsafe.Line(one.about(i.Now())))
		for _, line := range one.payload() {
			text.WriteString("   " + termsafe.Line(line) + "\n")
		}
	}
	i.say("Questions that wait for you:\n" + text.String() + "To answer one, type /inbox NUMBER followed by \"yes\", \"always\", \"no\", \"no WORDS\" or an option.")
}

// choose lets the user select one of the questions from a list. It returns false if the front end
// cannot show lists.
func (i inbox) choose(all []OpenQuestion) bool {
	items := make([]view.Item, len(all))
	for at, one := range all {
		items[at] = view.Item{Text: one.Question.Title, Note: one.about(i.Now()), Words: one.Dir, Preview: strings.Join(one.payload(), "\n")}
	}
	return i.Front.Pick(Pick{List: view.List{Title: fmt.Sprintf("Questions that wait for you (%d)", len(all)), Items: items}, Chosen: func(at int) { i.open(at, all[at]) }})
}

type choice struct{ word, text string }

// open asks the user to choose an answer. The full question is below the answers.
func (i inbox) open(number int, one OpenQuestion) {
	choices := one.choices()
	items := []view.Item{{Text: "Do not answer now", Group: "Answer"}}
	for _, choice := range choices {
		items = append(items, view.Item{Text: choice.text, Group: "Answer"})
	}
	group := "The question, in " + one.Title
	for _, line := range one.payload() {
		for _, row := range chunks(line) {
			items = append(items, view.Item{Text: row, Off: " ", Group: group})
		}
	}
	title := fmt.Sprintf("%s  (to say what to do instead, type /inbox %d no WORDS)", one.Question.Title, number+1)
	i.Front.Pick(Pick{List: view.List{Title: title, Items: items}, Chosen: func(at int) {
		if at > 0 {
			i.answer(one, choices[at-1].word, "")
		}
	}})
}

// answer submits an answer to a question. If that fails, it lists the questions again, because the
// question may have changed or closed.
func (i inbox) answer(one OpenQuestion, word, text string) {
	i.runOutside("answer "+one.Name, func(ctx context.Context) func() {
		err := i.Host.AnswerWaiting(ctx, one, word, text)
		return func() {
			if err != nil {
				i.fail(err)
				i.list()
				return
			}
			i.say(termsafe.Line("Answered: " + one.Question.Title))
		}
	})
}

// about describes a question by the conversation's title, the question's age and, if there is a
// deadline, the remaining time.
func (w OpenQuestion) about(now time.Time) string {
	deadline := ""
	if !w.Question.Deadline.IsZero() {
		deadline = "the default applies in " + w.Question.Deadline.Sub(now).Truncate(time.Second).String()
	}
	return join(" · ", w.Title, "waits "+now.Sub(w.Since).Truncate(time.Second).String(), deadline)
}

// payload returns all lines of a question.
func (w OpenQuestion) payload() []string {
	parts := []string{w.Question.Detail, w.Question.More}
	if w.Question.Detail == "" {
		parts = []string{messages.TextOf(w.Question.Questions), w.Question.More}
	}
	return strings.Split(strings.TrimRight(join("\n", parts...), "\n"), "\n")
}

// choices returns the answers that the user can choose from.
func (w OpenQuestion) choices() (all []choice) {
	asked := w.Question
	switch {
	case len(asked.Questions) == 1 && len(asked.Questions[0].Options) > 0:
		for _, option := range asked.Questions[0].Options {
			all = append(all, choice{option.Label, join(": ", option.Label, option.Reason)})
		}
	case len(asked.Questions)+len(asked.Fields) > 0:
		all = append(all, choice{string(messages.Yes), "Answer with the defaults"})
	default:
		all = append(all, choice{string(messages.Yes), "Yes"})
	}
	if asked.Always != "" {
		all = append(all, choice{string(messages.Always), "Always: " + asked.Always})
	}
	return append(all, choice{string(messages.No), "No"})
}

// rowWidth is the maximum number of characters in a row. Longer lines are split into several rows,
// so that a list shows them in full.
const rowWidth = 72

func chunks(line string) (rows []string) {
	letters := []rune(line)
	for len(letters) > rowWidth {
		rows = append(rows, string(letters[:rowWidth]))
		letters = letters[rowWidth:]
	}
	return append(rows, string(letters))
}
