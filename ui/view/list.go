package view

import (
	"fmt"
	"slices"
	"strings"

	"marvin/ui/termsafe"
)

// Item is a row of a [List]. Nothing of it needs to be safe: the list makes it so.
type Item struct {
	Text    string // what it is called; searched first
	Note    string // at the end of the row, as far as there is room; searched too
	Words   string // searched, and not shown
	Group   string // a heading above the first of those that have it, as long as nothing is looked for
	Preview string // lines about it, shown while it is under the cursor
	Now     bool   // it is what holds at present
	Off     string // why it cannot be chosen, shown instead of the note; "" if it can
}

// List is a list that a person searches and chooses from. The zero value with Items is
// ready for use. Find narrows it, Move goes through it, Chosen is what the cursor is at,
// and Rows draws it. It belongs to one goroutine, and knows no keys and no screen.
type List struct {
	Title  string
	Items  []Item                 // in the order in which they stand as long as nothing is looked for
	Sample func(width int) []Line // below the previews, if there is room; may be nil

	source Source // has the items, if it is not nil
	query  string
	all    []searched // what is looked at, made with the first search
	found  []int      // indices of Items, the best first; nil for all
	cursor int        // in the matches
	top    int
	page   int // rows of items that were drawn last
}

// Find narrows the list to the items that contain each word of a query, possibly with letters in
// between. The cursor moves to the best one, or, without a query, to the current setting. For a
// [Source] the earlier matches stay until Attach sets those of [Matches].
func (l *List) Find(query string) {
	l.query = query
	words := strings.Fields(strings.ToLower(query))
	if l.source != nil && len(words) > 0 {
		return
	}
	l.cursor, l.top = 0, 0
	if len(words) == 0 {
		l.found = nil
		l.cursor = max(slices.IndexFunc(l.Items, func(item Item) bool { return item.Now }), 0)
		return
	}
	if len(l.all) != len(l.Items) {
		l.all = make([]searched, len(l.Items))
		for i, item := range l.Items {
			l.all[i] = searchedOf(item)
		}
	}
	var found matches
	for i, item := range l.all {
		found.add(i, item, words)
	}
	l.found = found.best()
}

// Attach replaces the items by a source and its matches, nil for all.
func (l *List) Attach(source Source, found []int) {
	l.source, l.Items, l.all, l.found, l.cursor, l.top = source, nil, nil, found, 0, 0
}

// Replace replaces the items. The query stays, and so does the cursor if its item is still there.
func (l *List) Replace(items []Item) {
	was := l.here()
	l.Items, l.all, l.found = items, nil, nil
	top := l.top
	l.Find(l.query)
	l.backTo(was, top)
}

// here is what the cursor is at, nil for nothing.
func (l *List) here() *Item {
	if l.Len() == 0 {
		return nil
	}
	item := l.item(l.at(l.cursor))
	return &item
}

// backTo has the cursor go to an item, if that is among the first of them.
func (l *List) backTo(was *Item, top int) {
	if was == nil {
		return
	}
	const most = 1000 // each may be read from a disk
	for place := range min(l.Len(), most) {
		if item := l.item(l.at(place)); item.Text == was.Text && item.Words == was.Words {
			l.cursor, l.top = place, top
			return
		}
	}
}

// Also adds items behind those that were found, which are about the query for reasons that
// the list does not know. The cursor stays where it is.
func (l *List) Also(indices []int) {
	if l.found == nil {
		return
	}
	there := make(map[int]bool, len(l.found))
	for _, index := range l.found {
		there[index] = true
	}
	for _, index := range indices {
		if !there[index] && index >= 0 && index < l.count() {
			l.found = append(l.found, index)
		}
	}
}

// Query is what is looked for.
func (l *List) Query() string { return l.query }

// Len is how many items were found.
func (l *List) Len() int {
	if l.found == nil {
		return l.count()
	}
	return len(l.found)
}

// count is how many there are to find.
func (l *List) count() int {
	if l.source != nil {
		return l.source.Len()
	}
	return len(l.Items)
}

func (l *List) item(index int) Item {
	if l.source != nil {
		return l.source.Item(index)
	}
	return l.Items[index]
}

func (l *List) at(place int) int {
	if l.found == nil {
		return place
	}
	return l.found[place]
}

// Chosen is the index in Items of the item at the cursor; ok is false without a match, or if it
// cannot be chosen.
func (l *List) Chosen() (index int, ok bool) {
	if l.Len() == 0 {
		return 0, false
	}
	index = l.at(l.cursor)
	return index, l.item(index).Off == ""
}

// Move moves the cursor by rows, and stays at the ends. By one row it goes round.
func (l *List) Move(rows int) {
	last := l.Len() - 1
	switch {
	case last < 0:
	case rows == 1 && l.cursor == last:
		l.cursor = 0
	case rows == -1 && l.cursor == 0:
		l.cursor = last
	default:
		l.cursor = max(min(l.cursor+rows, last), 0)
	}
}

// Page is how many rows a page is.
func (l *List) Page() int { return max(l.page-1, 1) }

// previewRows is how many rows the preview takes at most.
const previewRows = 6

// Rows draws the list into a rectangle: a heading, the items, a preview.
func (l *List) Rows(width, height int) []Line {
	heading := l.Title
	if count := l.Len(); count < l.count() {
		heading += fmt.Sprintf("  (%d of %d)", count, l.count())
	}
	rows := []Line{{{Role: Heading, Text: Cut(oneLine(heading), width)}}}
	preview := l.preview(width, min(previewRows, height/3))
	if l.Sample != nil {
		if rows := l.Sample(width); len(preview)+len(rows) <= height/2 {
			preview = append(preview, rows...)
		}
	}
	l.page = max(height-len(rows)-len(preview), 1)
	l.scroll()
	if l.Len() == 0 {
		return append(rows, Line{{Role: Faint, Text: "  nothing fits"}})
	}
	for place, last := l.top, len(rows)+l.page; place < l.Len() && len(rows)+l.takes(place) <= last; place++ {
		if l.takes(place) > 1 {
			rows = append(rows, Line{{Role: Faint, Text: Cut(oneLine(l.item(l.at(place)).Group), width)}})
		}
		rows = append(rows, l.row(l.item(l.at(place)), place == l.cursor, width))
	}
	for len(rows)+len(preview) < height && len(preview) > 0 {
		rows = append(rows, nil)
	}
	return append(rows, preview...)
}

// scroll keeps the cursor visible, and no empty rows after the last item.
func (l *List) scroll() {
	if l.source != nil || l.query != "" || !slices.ContainsFunc(l.Items, func(item Item) bool { return item.Group != "" }) {
		l.top = max(min(l.top, l.cursor, l.Len()-l.page), l.cursor-l.page+1, 0)
		return
	}
	first := func(last int) int { // the first item that is in sight with the last one
		for rows := 0; last >= 0; last-- {
			if rows += l.takes(last); rows > l.page {
				break
			}
		}
		return last + 1
	}
	l.top = max(min(l.top, l.cursor, first(l.Len()-1)), min(first(l.cursor), l.cursor))
}

// takes is how many rows an item takes with the heading above it.
func (l *List) takes(place int) int {
	if l.source != nil || l.query != "" {
		return 1
	}
	group := l.item(l.at(place)).Group
	if group == "" || place > 0 && l.item(l.at(place-1)).Group == group || l.page < 2 {
		return 1
	}
	return 2
}

func (l *List) row(item Item, here bool, width int) Line {
	pointer, role, note := Span{Role: Faint, Text: "  "}, Plain, oneLine(item.Note)
	if item.Now {
		pointer.Text = "• "
	}
	if item.Off != "" {
		role, note = Faint, oneLine(item.Off)
	}
	if here {
		pointer, role = Span{Role: Assistant, Text: "▸ "}, Assistant
	}
	room := max(width-2, 1)
	note = Cut(note, room/2)
	text := Cut(oneLine(item.Text), max(room-Width(note)-2, 1))
	gap := max(room-Width(text)-Width(note), 1)
	return Line{pointer, {Role: role, Text: text}, {Role: Faint, Text: strings.Repeat(" ", gap) + note}}
}

// preview is what is said of the item under the cursor.
func (l *List) preview(width, height int) []Line {
	if l.Len() == 0 || height < 2 {
		return nil
	}
	text := strings.TrimSpace(l.item(l.at(l.cursor)).Preview)
	if text == "" {
		return nil
	}
	rows := []Line{{{Role: Faint, Text: strings.Repeat("─", width)}}}
	for line := range strings.SplitSeq(termsafe.String(text), "\n") {
		for _, row := range Hang(Span{Role: Plain, Text: strings.ReplaceAll(line, "\t", " ")}, width) {
			if len(rows) == height {
				return rows
			}
			rows = append(rows, row)
		}
	}
	return rows
}
