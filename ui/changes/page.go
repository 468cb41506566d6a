package changes

import (
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/ui/lineedit"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// Page shows a conversation's changes on a screen, with the cursor at one part. Only the front
// end's loop may use a Page.
type Page struct {
	Remark  *lineedit.Editor // the remark that the user is typing about the current part, or nil
	all     messages.Changes
	parts   []part
	at      int // index of the part under the cursor
	top     int
	fit     int  // number of rows on the screen
	follows bool // the screen follows the cursor
	laid    []view.Line
	width   int
}

// part is the smallest piece of a change that the user can undo, with its rows on the page.
type part struct {
	file, hunk  int
	first, last int
}

// KeyResult tells the front end what to do after a key.
type KeyResult struct {
	Op     messages.Op      // nil for none
	Prompt *messages.Prompt // nil for none
	Closes bool
	Passes bool // the page does not handle this key
	Says   string
}

// New returns a page of changes.
func New(all messages.Changes) *Page {
	p := &Page{follows: true}
	p.Update(all)
	return p
}

// Update replaces the changes. The cursor keeps its position if possible.
func (p *Page) Update(all messages.Changes) {
	p.all, p.parts, p.laid, p.width = all, nil, nil, 0
	for i, file := range all.Files {
		for hunk := range file.Hunks {
			p.parts = append(p.parts, part{file: i, hunk: hunk})
		}
	}
	p.at = max(min(p.at, len(p.parts)-1), 0)
	p.follows = true
}

// Empty reports whether there are no changes.
func (p *Page) Empty() bool { return len(p.all.Files) == 0 }

// Rows returns the visible rows of the page for a screen of this size.
func (p *Page) Rows(width, height int) []view.Line {
	if p.laid == nil || p.width != width {
		p.layOut(width)
	}
	p.fit = height
	if p.follows && len(p.parts) > 0 {
		at := p.parts[p.at]
		if at.last >= p.top+height {
			p.top = at.last - height + 1
		}
		p.top = min(p.top, max(at.first-2, 0)) // the two rows above the part can contain the file name
	}
	p.top = max(min(p.top, len(p.laid)-height), 0)
	shown := make([]view.Line, 0, height)
	for i, row := range p.laid[p.top:min(p.top+height, len(p.laid))] {
		mark := view.Span{Role: view.Plain, Text: "  "}
		if len(p.parts) > 0 && p.top+i >= p.parts[p.at].first && p.top+i <= p.parts[p.at].last {
			mark = view.Span{Role: view.Assistant, Text: "▌ "}
		}
		shown = append(shown, append(view.Line{mark}, row...))
	}
	return shown
}

func (p *Page) layOut(width int) {
	inner := max(width-2, 1)
	p.width, p.laid = width, view.Wrap(view.Line{{Role: view.Heading, Text: "What this conversation changed: " + sum(p.all)}}, inner)
	next := 0
	for i, file := range p.all.Files {
		p.laid = append(p.laid, nil)
		p.laid = append(p.laid, view.Wrap(view.Line{{Role: view.Strong, Text: termsafe.Line(nameAndSize(file))}}, inner)...)
		if about := about(file); about != "" {
			p.laid = append(p.laid, view.Wrap(view.Line{{Role: view.Problem, Text: termsafe.Line(about)}}, inner)...)
		}
		for ; next < len(p.parts) && p.parts[next].file == i; next++ {
			if p.parts[next].hunk > 0 {
				p.laid = append(p.laid, view.Line{{Role: view.Faint, Text: "⋯"}})
			}
			p.parts[next].first = len(p.laid)
			p.laid = append(p.laid, partRows(file, file.Hunks[p.parts[next].hunk], inner)...)
			p.parts[next].last = len(p.laid) - 1
		}
	}
	for _, note := range p.all.Notes {
		p.laid = append(append(p.laid, nil), view.Wrap(view.Line{{Role: view.Faint, Text: termsafe.Line(note)}}, inner)...)
	}
}

// partRows returns the rows of one part. It omits the row with the file name, because the page
// shows the name above the file's parts.
func partRows(file messages.ChangedFile, text string, width int) []view.Line {
	if !strings.HasPrefix(text, "@@ ") {
		return view.Wrap(view.Line{{Role: view.Plain, Text: termsafe.Line(text)}}, width)
	}
	name := termsafe.Line(file.Name)
	return view.DiffRows("--- a/"+name+"\n+++ b/"+name+"\n"+text, width)[1:]
}

// Position describes where the cursor is and what the keys do.
func (p *Page) Position() string {
	if len(p.parts) == 0 {
		return "Esc closes"
	}
	return fmt.Sprintf("part %d of %d · ↑ ↓ · u undoes it · Enter adds a remark · Esc closes", p.at+1, len(p.parts))
}

// Scroll moves the page but not the cursor.
func (p *Page) Scroll(rows int) {
	p.follows = false
	p.top = max(min(p.top+rows, len(p.laid)-p.fit), 0)
}
