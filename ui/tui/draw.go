package tui

import (
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// The smallest screen that can show a conversation.
const (
	minWidth  = 20
	minHeight = 5
)

// longInput is the length, in code points, above which the screen shows the length of the input.
const longInput = 10_000

// inputRows is the maximum height of the input, in rows.
const inputRows = 10

// draw renders a complete frame. tcell sends only the changed cells to the terminal.
func (s *Screen) draw(now time.Time) {
	s.frame.Rows = make([]view.Line, s.frame.Height)
	beginPictures(s)
	defer func() { showPictures(s, s.frame.Flush()) }()
	if s.frame.Width < minWidth || s.frame.Height < minHeight {
		s.screen.HideCursor()
		s.frame.Bar = canvas.ScrollBar{}
		s.frame.Put(0, view.Line{{Role: view.Plain, Text: view.Cut("too small", s.frame.Width)}})
		return
	}
	s.status.draw()
	bottom := s.frame.Height
	if bottom >= canvas.FramedFrom {
		bottom--
		s.frame.Put(bottom, view.Line{{Role: view.Faint, Text: strings.Repeat("─", s.frame.Width)}})
	}
	bottom -= s.drawInput(bottom)
	bottom--
	rule := bottom
	s.drawRule(rule, now)
	bottom -= s.queue.draw(bottom)
	bottom -= s.plan.draw(bottom)
	bottom -= s.ask.Draw(bottom, now)
	bottom -= s.secret.draw(bottom)
	bottom -= s.offer.draw(bottom)
	bottom -= s.input.complete.draw(bottom)
	s.frame.Page = bottom - 1
	s.frame.Bar = canvas.ScrollBar{Page: s.frame.Page}
	switch {
	case s.help.open != nil:
		s.help.draw()
		s.drawRule(rule, now) // help.draw has changed the position that drawRule shows
		return
	case s.review.open != nil:
		s.frame.Put(1, s.review.open.Rows(s.frame.Width-1, s.frame.Page)...)
		s.drawRule(rule, now)
		return
	case s.picker.open != nil:
		s.frame.Put(1, s.picker.open.List.Rows(s.frame.Width-1, s.frame.Page)...)
		return
	}
	s.drawTranscript(now)
}

// drawInput draws the input above the given row and returns the number of rows drawn.
func (s *Screen) drawInput(bottom int) int {
	if s.input.past.search != nil {
		label := "search: "
		s.frame.Put(bottom-1, view.Line{{Role: view.System, Text: label + s.input.past.search.text}, {Role: view.Faint, Text: "  " + view.Cut(canvas.OneRow(s.input.past.search.found), max(s.frame.Width-30, 1))}})
		s.screen.ShowCursor(min(view.Width(label+s.input.past.search.text), s.frame.Width-1), bottom-1)
		return 1
	}
	if s.ask.Instead != nil {
		return s.ask.DrawInstead(bottom)
	}
	if s.review.open != nil && s.review.open.Remark != nil {
		return s.frame.PutTyped(bottom, "remark: ", s.review.open.Remark)
	}
	if s.secret.open != nil {
		return s.secret.drawInput(bottom)
	}
	if s.picker.open != nil {
		return s.frame.PutTyped(bottom, "search: ", &s.picker.open.query)
	}
	if s.look.finding != nil {
		return s.look.draw(bottom)
	}
	rows, row, column := s.input.Rows(s.frame.InputWidth())
	room := max(min(inputRows, s.frame.Height/3), 1)
	first := 0
	if len(rows) > room {
		first = max(min(row-room/2, len(rows)-room), 0)
		rows = rows[first : first+room]
	}
	for i, each := range rows {
		y := bottom - len(rows) + i
		mark := view.Span{Role: view.Assistant, Text: "  "}
		if first+i == 0 {
			mark.Text = "› "
			if s.engine.ShellMode() {
				mark.Text = "$ "
			}
		}
		s.frame.Put(y, view.Line{mark, {Role: view.Plain, Text: each.Text}})
		if s.input.Empty() {
			s.frame.Put(y, view.Line{mark, {Role: view.Faint, Text: view.Cut(placeholder(s), s.frame.InputWidth())}})
		}
	}
	s.screen.ShowCursor(min(column+2, s.frame.Width-1), bottom-len(rows)+row-first)
	return len(rows)
}

// placeholder returns the text that an empty input displays.
func placeholder(s *Screen) string {
	switch {
	case s.ask.ID != "" || s.leaving || s.look.on || s.frame.Width < 40:
		return ""
	case s.engine.ShellMode():
		return "a shell command · exit ends shell mode"
	case s.view.Turn.Running:
		return "Enter adds this to the running task · " + s.keys.First("later") + " queues it"
	}
	return "Ask anything · @ attaches a file · / commands · ! your shell"
}

// drawRule draws the line between the transcript and the input. The line shows hints, the current
// work, and the number of new rows below the visible ones.
func (s *Screen) drawRule(y int, now time.Time) {
	left, role := "", view.Faint
	turn := &s.view.Turn
	switch {
	case s.leaving:
		left = "leaving…"
	case s.hint.text != "":
		left, role = s.hint.text, view.System
	case s.ask.ID != "":
		left, role = s.ask.Hint(now), view.System
	case s.review.open != nil:
		left = s.review.open.Position()
	case s.secret.open != nil:
		left, role = "Enter tests the API key · Esc goes back", view.System
	case s.offer.open != nil:
		left, role = s.offer.hint(), view.System
	case s.help.open != nil:
		left = s.help.open.position(s.frame.Page)
	case !turn.Until.IsZero() && now.Before(turn.Until):
		left, role = "retrying in "+view.Elapsed(turn.Until.Sub(now).Round(time.Second))+" · "+cancelKeys(s)+" cancels", view.System
	case turn.Running:
		left = s.describeWork(now)
		if !turn.Quiet.IsZero() {
			role = view.System
		}
	case len(s.engine.Working()) > 0:
		left = canvas.OneRow(termsafe.String(s.engine.Working()[0])) + " · " + cancelKeys(s) + " cancels"
	case s.picker.open != nil:
		left = "type to search · ↑ ↓ move · Enter chooses · Esc closes"
	case s.look.on:
		left = "reading · " + s.look.position() + s.keys.First("fold") + " unfolds · " + s.keys.First("copy") + " copies · " + s.keys.First("find-here") + " finds · " + s.keys.First("stop-reading") + " ends"
	case s.view.Opened && s.view.Messages == 0 && s.window.Following():
		left = "/help lists the commands · " + s.keys.First("help") + " the keys"
	}
	right := ""
	if length := s.input.Length(); length > longInput {
		right = fmt.Sprintf("%d characters: a long prompt", length)
	}
	if !s.window.Following() {
		right = "reading back · End"
		if news := s.window.NewRows(); news > 0 {
			right = "↓ " + messages.Counted(news, "new line") + " · End"
		}
	}
	rule := "─"
	if left != "" {
		rule += " " + left + " "
	}
	if right != "" {
		right = " " + right + " ─"
	}
	rule = view.Cut(rule, max(s.frame.Width-view.Width(right), 0))
	fill := strings.Repeat("─", max(s.frame.Width-view.Width(rule)-view.Width(right), 0))
	s.frame.Put(y, view.Line{{Role: role, Text: rule}, {Role: view.Faint, Text: fill}, {Role: view.System, Text: right}})
}

// describeWork describes the running work and its duration.
func (s *Screen) describeWork(now time.Time) string {
	turn := &s.view.Turn
	line := termsafe.Line(turn.Doing) + " · " + view.Elapsed(now.Sub(turn.Began).Truncate(time.Second))
	if !turn.Quiet.IsZero() {
		line += " · no data for " + view.Elapsed(now.Sub(turn.Quiet).Truncate(time.Second))
	}
	line += " · " + cancelKeys(s) + " cancels"
	if also := s.engine.Working(); len(also) > 0 {
		line += " · also: " + canvas.OneRow(termsafe.String(also[0]))
	}
	return line
}
