package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/asking"
)

// Questions come one behind the other, and the next line is the answer: the number of a
// choice, or words.

// question is what is on the screen of the oldest open question.
type question struct {
	id    string        // "" for none
	sheet *asking.Sheet // what of it is filled in; nil for a decision
	shown time.Time     // when that was shown
	more  int           // lines of what it is about
	draft string        // what was being typed when it came
}

// asking shows the oldest open question, if that is not the one on the screen. Behind the
// last one the draft is back.
func (s *Screen) asking() {
	oldest := ""
	if len(s.talk.Asked) > 0 {
		oldest = s.talk.Asked[0].Ask
	}
	before := s.ask
	if oldest == before.id {
		return
	}
	s.ask = question{id: oldest, draft: before.draft}
	if before.id != "" {
		s.hide()
	} else {
		s.ask.draft = s.line.Text()
	}
	if oldest == "" {
		s.ask.draft = ""
		s.line.Reset()
		s.line.Insert(before.draft)
		return
	}
	s.question()
}

// settle goes on as if an answer had been heard already.
func (s *Screen) settle(answer messages.Answer) {
	s.Client.Send(answer)
	s.talk.Apply(messages.Envelope{Event: answer.Settled()})
	s.asking()
}

// question shows the oldest open question.
func (s *Screen) question() {
	asked := s.talk.Asked[0]
	s.ask.sheet = asking.New(asked)
	switch {
	case s.ask.sheet != nil:
		s.page()
	case asked.Kind == messages.AskPlan:
		s.say(asked.Title)
		s.say(asked.Detail)
		s.say("  1. yes: edits run, commands ask")
		s.say("  2. yes: ask about each change")
		s.say("  3. no")
		s.say("  n WORDS: what to change in it")
	default:
		s.decision(asked)
	}
	s.line.Reset()
	s.ask.shown = s.Now()
	if !s.Edits { // there, what is typed now waits in the draft
		dropTyped(s.Terminal)
	}
	if s.ended {
		s.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	}
}

// decision shows what is asked for consent, with numbered choices.
func (s *Screen) decision(asked messages.Asked) {
	s.say(asked.Heading())
	s.say(asked.Detail)
	for i, choice := range asked.Choices {
		line := fmt.Sprintf("  %d. %s", i+1, choice)
		if choice == messages.Always && asked.Always != "" {
			line += ": " + asked.Always
		}
		s.say(line)
	}
	if asked.Tool != "" {
		s.say("  n WORDS: no, and what to do instead")
	}
	if asked.More != "" {
		s.say("  v: show what it is about")
	}
}

// page shows the open page of what is filled in.
func (s *Screen) page() {
	asked, page := s.talk.Asked[0], s.ask.sheet.Page()
	heading := page.Text
	if count := len(s.ask.sheet.Pages); count > 1 {
		heading = fmt.Sprintf("%d of %d: %s", s.ask.sheet.At+1, count, heading)
	}
	if rest, same := strings.CutPrefix(asked.Title, page.Text); same {
		heading += rest
	} else if s.ask.sheet.At == 0 {
		heading = asked.Title + "\n" + heading
	}
	if about := s.ask.sheet.About(); about != "" && s.ask.sheet.At == 0 { // guard: questions: what they are about is said
		heading = asked.Title + "\n" + about + "\n" + strings.TrimPrefix(heading, asked.Title+"\n")
	}
	s.say(heading)
	if page.Doc != "" {
		s.say(page.Doc)
	}
	for i, option := range page.Options {
		line := fmt.Sprintf("  %d. %s", i+1, option.Label)
		if option.Recommended {
			line += " (recommended)"
		}
		if option.Reason != "" {
			line += ": " + option.Reason
		}
		s.say(line)
	}
	s.say("  " + s.how(page))
}

// how says what can be typed, and what holds without it, until when.
func (s *Screen) how(page *asking.Page) string {
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
	if until := s.talk.Asked[0].Deadline; !until.IsZero() {
		text += "; until " + until.Local().Format("15:04")
	}
	return text
}

// answer takes the line for the open question.
func (s *Screen) answer(line string) {
	asked := s.talk.Asked[0]
	switch {
	case s.ask.sheet != nil:
		s.fill(line)
		return
	case asked.More != "" && strings.EqualFold(line, "v"):
		s.more()
		return
	}
	answer := messages.Answer{Ask: asked.Ask, Choice: messages.No, Text: instead(line)}
	if asked.Kind == messages.AskPlan {
		if modes := map[string]messages.Approval{"1": messages.ApproveEdits, "2": messages.ApproveAsk}; modes[line] != "" {
			answer.Choice, answer.Mode = messages.Yes, modes[line]
		}
	} else {
		answer.Choice = chosen(asked, line)
	}
	s.settle(answer) // the next line is for the next one
}

// chosen is a number or the word; anything that is not clearly a yes is a no, which may
// say what to do instead.
func chosen(asked messages.Asked, line string) messages.Choice {
	for i, offered := range asked.Choices {
		if line == strconv.Itoa(i+1) || strings.EqualFold(line, string(offered)) {
			return offered
		}
	}
	return messages.No
}

// fill takes the line for the open page.
func (s *Screen) fill(line string) {
	asked, sheet := s.talk.Asked[0], s.ask.sheet
	err := sheet.Page().Take(line)
	if err == nil {
		err = sheet.Page().Done()
	}
	if err != nil {
		s.say(err.Error())
		return
	}
	if sheet.At+1 < len(sheet.Pages) {
		sheet.At++
		s.Client.Send(messages.Attend{Ask: asked.Ask})
		s.page()
		return
	}
	s.settle(sheet.Answer())
}

// attend gives a question its time anew that somebody is at, once half of it is over.
func (s *Screen) attend() {
	if s.ask.sheet == nil {
		return
	}
	until := s.talk.Asked[0].Deadline
	if !until.IsZero() && until.Sub(s.Now()) < until.Sub(s.ask.shown)/2 {
		s.ask.shown = s.Now()
		s.Client.Send(messages.Attend{Ask: s.talk.Asked[0].Ask})
	}
}

// instead is what stands behind a no.
func instead(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	if strings.EqualFold(word, "n") || strings.EqualFold(word, string(messages.No)) {
		return strings.TrimSpace(rest)
	}
	return ""
}

// pageRows is how much of what a question is about is shown at once.
const pageRows = 40

// more shows the next page of what the question is about, and begins again behind the end.
func (s *Screen) more() {
	rows := strings.Split(s.talk.Asked[0].More, "\n")
	if s.ask.more >= len(rows) {
		s.ask.more = 0
	}
	end := min(s.ask.more+pageRows, len(rows))
	s.say(strings.Join(rows[s.ask.more:end], "\n"))
	if s.ask.more = end; end < len(rows) {
		s.say(fmt.Sprintf("  … %d more lines; v goes on", len(rows)-end))
	}
}
