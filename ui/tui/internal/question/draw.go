package question

import (
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// layout returns the rows of the panel: the title, the visible part of the detail, and the choices.
func (q *Question) layout(heading string, width, height int) []view.Line {
	if q.sheet != nil {
		return q.sheetLayout(width, height)
	}
	detail := q.body(width - 2)
	q.rows, q.fit = len(detail), max(min(len(detail), height-2), 1)
	q.Scroll(0)
	end := min(q.top+q.fit, q.rows)
	q.read = q.read || end >= q.rows && !q.more
	title := termsafe.String(heading)
	if q.rows > q.fit {
		title += "  " + canvas.Position(end, q.rows)
	}
	lines := []view.Line{{{Role: view.System, Text: view.Cut(canvas.OneRow(title), width)}}}
	for _, row := range detail[q.top:end] {
		lines = append(lines, append(view.Line{{Role: view.System, Text: "│ "}}, row...))
	}
	if q.Asked.Kind == messages.AskPlan {
		return append(lines, q.planChoices(width))
	}
	return append(lines, q.choices(width))
}

// body returns the rows that the user must see: the subject of the question and the scope of
// "always". While the additional information is open, body returns only the rows of the additional
// information.
func (q *Question) body(width int) []view.Line {
	if q.more {
		return textRows(q.Asked.More, view.Plain, width)
	}
	rows := q.detail(width)
	if q.Asked.Always != "" {
		rows = append(rows, textRows("always: "+q.Asked.Always, view.Plain, width)...)
	}
	return rows
}

// detail returns the rows of the question's detail. If the detail contains a diff, the reason for
// the change is above the diff.
func (q *Question) detail(width int) []view.Line {
	if q.Asked.Kind == messages.AskPlan {
		return view.Markdown(termsafe.String(q.Asked.Detail), width)
	}
	why, change := command.SplitProposal(q.Asked)
	if change == "" {
		return q.plainDetail(width)
	}
	var rows []view.Line
	if why != "" {
		rows = textRows(why, view.Strong, width)
	}
	return append(rows, view.DiffRows(change, width)...)
}

// plainDetail returns the rows of a detail that contains no diff. The last line is faint if it
// names a command's directory.
func (q *Question) plainDetail(width int) []view.Line {
	at := strings.LastIndexByte(q.Asked.Detail, '\n')
	if q.Asked.Tool != "run_command" || at < 0 || !strings.HasPrefix(q.Asked.Detail[at+1:], "in /") {
		return textRows(q.Asked.Detail, view.Strong, width)
	}
	return append(textRows(q.Asked.Detail[:at], view.Strong, width), textRows(q.Asked.Detail[at+1:], view.Faint, width)...)
}

// letters returns the keys of the choices as text, such as "y, n or a".
func (q *Question) letters() string {
	var keys []string
	for _, choice := range q.Asked.Choices {
		keys = append(keys, string(choice[0]))
	}
	if len(keys) < 2 {
		return strings.Join(keys, "")
	}
	return strings.Join(keys[:len(keys)-1], ", ") + " or " + keys[len(keys)-1]
}

func textRows(text string, role view.Role, width int) []view.Line {
	var rows []view.Line
	for line := range strings.SplitSeq(termsafe.String(text), "\n") {
		rows = append(rows, view.Break(view.Line{{Role: role, Text: line}}, width)...)
	}
	return rows
}

// choices returns the row that lists the choices and their keys. The row is faint while the
// question ignores keys.
func (q *Question) choices(width int) view.Line {
	role := view.Plain
	if !q.Armed {
		role = view.Faint
	}
	var line view.Line
	for i, choice := range q.Asked.Choices {
		text := "[" + string(choice[0]) + "]" + string(choice[1:])
		if i == q.chosen {
			line = append(line, view.Span{Role: view.Assistant, Text: "▸" + text + " "})
		} else {
			line = append(line, view.Span{Role: role, Text: " " + text + " "})
		}
	}
	for _, also := range []struct {
		text string
		on   bool
	}{{"[i]nstead", q.Asked.Tool != ""}, {"[e]dit", q.Asked.Diff && q.edits}, {"[v]iew", q.Asked.More != "" && !q.more}, {"[v]iew the question", q.more}} {
		if also.on {
			line = append(line, view.Span{Role: role, Text: " " + also.text + " "})
		}
	}
	if !q.read && !q.more {
		line = append(line, view.Span{Role: view.Faint, Text: " Read to the end first: PgDn"})
	}
	return view.Fold(line, width)[0]
}

// Draw draws the panel with its last row at bottom-1, and returns the number of rows used.
func (q *Panel) Draw(bottom int, now time.Time) int {
	if q.ID == "" {
		return 0
	}
	panel := q.layout(q.View.Question(), q.Frame.Width, max(bottom-1, 3))
	top := max(bottom-len(panel), 1)
	q.Frame.Put(top, panel...)
	if q.shown.IsZero() {
		q.shown = now
	}
	if q.Armed && q.Instead == nil {
		q.Frame.Screen.ShowCursor(0, bottom-1)
	}
	if q.Frame.Height >= canvas.FramedFrom && top > 2 {
		return len(panel) + 1 // an empty row above the question
	}
	return len(panel)
}
