package question

import (
	"fmt"
	"strings"

	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// sheetLayout returns the rows of the panel: the heading, the part of the page around the cursor,
// and the keys.
func (q *Question) sheetLayout(width, height int) []view.Line {
	rows, cursor := q.sheetRows(width - 2)
	q.rows, q.fit = len(rows), max(min(len(rows), height-2), 1)
	if cursor.first < q.top {
		q.top = cursor.first
	} else if cursor.last >= q.top+q.fit {
		q.top = cursor.last - q.fit + 1
	}
	q.Scroll(0)
	q.read = true // reading to the end is optional, because a choice or form permits no tool call
	heading := q.sheetHeading()
	if q.rows > q.fit {
		heading += "  " + canvas.Position(min(q.top+q.fit, q.rows), q.rows)
	}
	lines := []view.Line{{{Role: view.System, Text: view.Cut(canvas.OneRow(termsafe.String(heading)), width)}}}
	for _, row := range rows[q.top:min(q.top+q.fit, q.rows)] {
		lines = append(lines, append(view.Line{{Role: view.System, Text: "│ "}}, row...))
	}
	return append(lines, q.sheetKeys(width))
}

// sheetHeading returns the question's title and, if there are several pages, the page number. If
// the title begins with the text of the only page, "A question" replaces that text.
func (q *Question) sheetHeading() string {
	sheet := q.sheet
	heading := q.Asked.Title // a page number can follow, so the question number is omitted
	if rest, same := strings.CutPrefix(heading, sheet.Pages[0].Text); same && len(sheet.Pages) == 1 {
		heading = "A question" + rest
	}
	if count := len(sheet.Pages); count > 1 {
		heading += fmt.Sprintf(" · %d of %d", sheet.At+1, count)
	}
	return heading
}

// extent is the row range of the option under the cursor.
type extent struct{ first, last int }

// sheetRows returns the question and its options.
func (q *Question) sheetRows(width int) (rows []view.Line, cursor extent) {
	page := q.sheet.Page()
	if about := q.sheet.About(); about != "" && q.sheet.At == 0 {
		rows = textRows(about, view.Plain, width)
	}
	rows = append(rows, textRows(page.Text, view.Strong, width)...)
	if page.Doc != "" {
		rows = append(rows, textRows(page.Doc, view.Plain, width)...)
	}
	add := func(i int, text string) {
		role, pointer := view.Plain, "  "
		if i == q.cursor && q.Instead == nil {
			role, pointer = view.Assistant, "▸ "
		}
		first := len(rows)
		rows = append(rows, view.WrapAligned(view.Span{Role: role, Text: pointer + canvas.OneRow(termsafe.String(text))}, width)...)
		if i == q.cursor {
			cursor = extent{first, len(rows) - 1}
		}
	}
	for i, option := range page.Options {
		text := fmt.Sprintf("%d %s", i+1, option.Label)
		if page.Several {
			text = fmt.Sprintf("%d [%s] %s", i+1, map[bool]string{true: "x", false: " "}[page.Marked[i]], option.Label)
		} else if page.Marked[i] {
			text += " ✓"
		}
		if option.Recommended {
			text += " (recommended)"
		}
		if option.Reason != "" {
			text += ": " + option.Reason
		}
		add(i, text)
	}
	if own := "in your own words"; page.Free && len(page.Options) > 0 {
		if page.Own != "" {
			own += ": " + page.Own
		}
		add(len(page.Options), own)
	}
	if page.Stated != "" {
		rows = append(rows, textRows("without an answer: "+page.Stated, view.Faint, width)...)
	}
	return rows, cursor
}

// sheetKeys returns the row that lists the keys for the current page. The row is faint while the
// question ignores keys.
func (q *Question) sheetKeys(width int) view.Line {
	page, role := q.sheet.Page(), view.Plain
	if !q.Armed {
		role = view.Faint
	}
	var keys []string
	if count := min(len(page.Options), 9); count > 0 {
		keys = append(keys, fmt.Sprintf("1–%d", count), "↑ ↓")
	}
	if page.Several {
		keys = append(keys, "Space marks", "Enter goes on")
	}
	if page.Free && len(page.Options) > 0 {
		keys = append(keys, "or just type")
	}
	if len(q.sheet.Pages) > 1 {
		keys = append(keys, "← → other questions")
	}
	return view.Fold(view.Line{{Role: role, Text: " " + strings.Join(keys, " · ")}}, width)[0]
}
