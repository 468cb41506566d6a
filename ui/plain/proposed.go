package plain

import (
	"strings"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/view"
)

// showSubject shows the subject of a question. Only a proposed change is colored.
func (q *questions) showSubject(asked messages.Asked) {
	why, change := command.SplitProposal(asked)
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
			q.out.sayRow(row, func(text string) string { return q.out.colours.proposed(text, words[i]) })
		} else {
			q.out.quote(row)
		}
	}
}

// edits is true if a question proposes a change that the user can edit.
func (q *questions) edits(asked messages.Asked) bool {
	_, change := command.SplitProposal(asked)
	return q.edit != nil && change != ""
}

// editProposed lets the user edit the proposed change.
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
		s.say("You made no edits; the question is still open.")
	default:
		s.ask.settle(answer)
	}
}
