package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/asking"
	"marvin/ui/conversation"
)

// Questions appear one at a time. The next input line is the answer: a choice's number, or free
// text.

// question holds the state of the currently displayed question.
type question struct {
	id    string        // "" if no question is open
	sheet *asking.Sheet // the form with the answers so far; nil if the question is not a form
	shown time.Time     // when the question appeared, or when attend() last reset the time limit
	more  int           // number of lines of Asked.More shown so far
	draft string        // the unsent input when the question appeared
}

// questions displays the conversation's open questions, oldest first.
type questions struct {
	client ui.Client
	now    func() time.Time
	talk   *conversation.State
	out    *output
	line   *line

	open question
	edit func(messages.Asked) // function that opens a proposed change in an editor, or nil

	over bool // the input has ended, so no user can answer
}

// updateQuestion shows the oldest open question if necessary. When no question remains,
// updateQuestion restores the draft.
func (q *questions) updateQuestion() {
	oldest := ""
	if len(q.talk.Asked) > 0 {
		oldest = q.talk.Asked[0].Ask
	}
	before := q.open
	if oldest == before.id {
		return
	}
	q.open = question{id: oldest, draft: before.draft}
	if before.id != "" {
		q.out.hide()
	} else {
		q.open.draft = q.line.Text()
	}
	if oldest == "" {
		q.open.draft = ""
		q.line.Reset()
		q.line.Insert(before.draft)
		return
	}
	q.show()
}

// settle sends an answer and shows the next question, without waiting for the conversation to
// accept the answer.
func (q *questions) settle(answer messages.Answer) {
	q.client.Send(answer)
	q.talk.Apply(messages.Envelope{Event: answer.ToEvent()})
	q.updateQuestion()
}

// show writes the oldest open question.
func (q *questions) show() {
	asked := q.talk.Asked[0]
	q.open.sheet = asking.New(asked)
	switch {
	case q.open.sheet != nil:
		q.page()
	case asked.Kind == messages.AskPlan:
		q.out.quote(asked.Title)
		q.plan(asked.Detail)
		q.out.say("  1. yes: edit without asking")
		q.out.say("  2. yes: ask about each change")
		q.out.say("  3. no")
		q.out.say("  n WORDS: no; WORDS tell Marvin what to change in the plan")
	default:
		q.decision(asked)
	}
	q.line.Reset()
	q.open.shown = q.now()
	if !q.out.edits { // text typed before the question is not an answer
		dropTyped(q.out.terminal)
	}
	if q.over {
		q.client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	}
}

// plan writes a plan to the output. On a terminal, the plan is formatted as Markdown.
func (q *questions) plan(text string) {
	if q.out.terminal == nil {
		q.out.quote(text)
		return
	}
	q.out.hide()
	q.out.showFormatted(text)
	q.out.settle()
}

// decision displays a consent question and its numbered choices.
func (q *questions) decision(asked messages.Asked) {
	q.out.quote(q.talk.Question())
	q.showSubject(asked)
	for i, choice := range asked.Choices {
		line := fmt.Sprintf("  %d. %s", i+1, choice)
		if choice == messages.Always && asked.Always != "" {
			line += ": " + asked.Always
		}
		q.out.say(line)
	}
	if asked.Tool != "" {
		q.out.say("  n WORDS: no; WORDS tell Marvin what to do instead")
	}
	if q.edits(asked) {
		q.out.say("  e: edit the change before it is made")
	}
	if asked.More != "" {
		q.out.say("  v: show the details")
	}
}

// page writes the open page of a form to the output.
func (q *questions) page() {
	asked, page := q.talk.Asked[0], q.open.sheet.Page()
	heading := page.Text
	if count := len(q.open.sheet.Pages); count > 1 {
		heading = fmt.Sprintf("%d of %d: %s", q.open.sheet.At+1, count, heading)
	}
	if rest, same := strings.CutPrefix(asked.Title, page.Text); same {
		heading += rest
	} else if q.open.sheet.At == 0 {
		heading = asked.Title + "\n" + heading
	}
	if about := q.open.sheet.About(); about != "" && q.open.sheet.At == 0 {
		heading = asked.Title + "\n" + about + "\n" + strings.TrimPrefix(heading, asked.Title+"\n")
	}
	q.out.quote(heading)
	if page.Doc != "" {
		q.out.quote(page.Doc)
	}
	for i, option := range page.Options {
		line := fmt.Sprintf("  %d. %s", i+1, option.Label)
		if option.Recommended {
			line += " (recommended)"
		}
		if option.Reason != "" {
			line += ": " + option.Reason
		}
		q.out.say(line)
	}
	q.out.say("  " + q.describeInput(page))
}

// describeInput describes the possible input, the default and the deadline.
func (q *questions) describeInput(page *asking.Page) string {
	var ways []string
	switch {
	case page.Several:
		ways = append(ways, "numbers, such as 1,2")
	case len(page.Options) > 0:
		ways = append(ways, "a number")
	}
	if page.Free {
		ways = append(ways, "your own words")
	}
	text := strings.Join(ways, ", or ")
	if page.Stated != "" {
		text += "; Enter: " + page.Stated
	} else {
		text += "; Enter: no answer"
	}
	if until := q.talk.Asked[0].Deadline; !until.IsZero() {
		text += "; until " + until.Local().Format("15:04")
	}
	return text
}

// answer interprets an input line while a question is open.
func (q *questions) answer(line string) {
	asked := q.talk.Asked[0]
	switch {
	case q.open.sheet != nil:
		q.fill(line)
		return
	case asked.More != "" && strings.EqualFold(line, "v"):
		q.showMore()
		return
	case q.edits(asked) && strings.EqualFold(line, "e"):
		q.edit(asked)
		return
	}
	answer := messages.Answer{Ask: asked.Ask, Choice: messages.No, Text: textAfterNo(line)}
	if asked.Kind == messages.AskPlan {
		if modes := map[string]messages.Approval{"1": messages.ApproveEdits, "2": messages.ApproveAsk}; modes[line] != "" {
			answer.Choice, answer.Mode = messages.Yes, modes[line]
		}
	} else {
		answer.Choice = chosen(asked, line)
	}
	q.settle(answer) // the next line answers the next question
}

// chosen returns the choice whose number, word or first letter the user typed. Any other input
// counts as "no".
func chosen(asked messages.Asked, line string) messages.Choice {
	for i, offered := range asked.Choices {
		word := string(offered)
		if line == strconv.Itoa(i+1) || strings.EqualFold(line, word) || line != "" && strings.EqualFold(line, word[:min(1, len(word))]) {
			return offered
		}
	}
	return messages.No
}

// fill accepts a line as the answer to the open page. After the last page, it sends all answers.
func (q *questions) fill(line string) {
	asked, sheet := q.talk.Asked[0], q.open.sheet
	err := sheet.Page().Take(line)
	if err == nil {
		err = sheet.Page().CheckRequired()
	}
	if err != nil {
		q.out.say(err.Error())
		return
	}
	if sheet.At+1 < len(sheet.Pages) {
		sheet.At++
		q.client.Send(messages.Attend{Ask: asked.Ask})
		q.page()
		return
	}
	q.settle(sheet.Answer())
}

// attend restarts the time limit of the open form if less than half of the time remains.
func (q *questions) attend() {
	if q.open.sheet == nil {
		return
	}
	until := q.talk.Asked[0].Deadline
	if !until.IsZero() && until.Sub(q.now()) < until.Sub(q.open.shown)/2 {
		q.open.shown = q.now()
		q.client.Send(messages.Attend{Ask: q.talk.Asked[0].Ask})
	}
}

// textAfterNo returns the text after a leading "no" or "n", or "" for any other line. The text says
// what Marvin should do instead.
func textAfterNo(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	if strings.EqualFold(word, "n") || strings.EqualFold(word, string(messages.No)) {
		return strings.TrimSpace(rest)
	}
	return ""
}

// pageRows is the maximum number of lines that showMore shows at a time.
const pageRows = 40

// showMore shows the next lines of a question's details. When no lines remain, showMore starts
// again at the first line.
func (q *questions) showMore() {
	rows := strings.Split(q.talk.Asked[0].More, "\n")
	if q.open.more >= len(rows) {
		q.open.more = 0
	}
	end := min(q.open.more+pageRows, len(rows))
	q.out.quote(strings.Join(rows[q.open.more:end], "\n"))
	if q.open.more = end; end < len(rows) {
		q.out.say(fmt.Sprintf("  … %d more lines; v shows more", len(rows)-end))
	}
}
