package plain

import (
	"strings"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/view"
)

// A change that is asked about.

// about shows what is asked about. With colours a change has those of a change, and nothing else
// has any.
func (q *questions) about(asked messages.Asked) {
	why, change := command.Proposed(asked)
	if change == "" || q.out.colours == NoColours {
		q.out.quote(asked.Detail)
		return
	}
	if why != "" {
		q.out.quote(why)
	}
	words := view.ChangedWords(change)
	for i, row := range strings.Split(change, "\n") {
		if i < len(words) {
			q.out.sayIn(row, func(text string) string { return q.out.colours.proposed(text, words[i]) })
		} else {
			q.out.quote(row)
		}
	}
}

// edits says whether a person can edit what is asked about.
func (q *questions) edits(asked messages.Asked) bool {
	_, change := command.Proposed(asked)
	return q.edit != nil && change != ""
}

// editProposed has the person edit the change that is asked about.
func (s *Screen) editProposed(asked messages.Asked) {
	var answer messages.Answer
	var edited bool
	err := s.suspend(func() (err error) {
		answer, edited, err = command.EditProposed(s.engine, asked, s.Edit)
		return err
	})
	switch {
	case err != nil:
		s.say("[Error] " + err.Error())
	case !edited:
		s.say("You changed nothing: the question is as it was.")
	default:
		s.ask.settle(answer)
	}
}
