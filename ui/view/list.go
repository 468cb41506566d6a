package view

import (
	"fmt"
	"slices"
	"strings"

	"marvin/ui/termsafe"
)

// Item is a row of a [List]. Its strings may contain control characters, which the list removes.
type Item struct {
	Text    string // name of the item; searched first
	Note    string // searched after Text; shown at the end of the row
	Words   string // searched but not shown
	Group   string // heading above the first item of the group; not shown during a search
	Preview string // shown while the cursor is on the item
	Now     bool   // the current setting
	Off     string // why the item cannot be chosen, shown instead of Note; "" if it can be chosen
}

// List is a searchable list from which the user chooses an item. It is not safe for concurrent use.
type List struct {
	Title  string
	Items  []Item                 // in the order in which they are shown without a query
	Sample func(width int) []Line // optional; its rows appear below the preview if there is room

	source Source // if not nil, used instead of Items
	query  string
	all    []searchText // the text to search, built at the first search
	found  []int        // indices of the matching items, best first; nil means all items
	cursor int          // index into the matches
	top    int          // index of the first visible match
	page   int          // number of item rows when the list was last drawn
}

// Find filters the list by a query. An item matches if it contains every word of the query. In
// [Item.Text], other letters can separate the letters of a word. The cursor moves to the best
// match. An empty query moves the cursor to the current setting.
//
// If the list has a [Source], Find only stores a nonempty query. The matches change when the caller
// passes the result of [Matches] to [List.Attach].
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
		l.all = make([]searchText, len(l.Items))
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

// Attach replaces the items with those of a source. The list shows the items with the given
// indices, or all items if indices is nil.
func (l *List) Attach(source Source, indices []int) {
	l.source, l.Items, l.all, l.found, l.cursor, l.top = source, nil, nil, indices, 0, 0
}

// Replace sets new items and keeps the query. The cursor stays on its item if the first 1000
// matches include that item.
func (l *List) Replace(items []Item) {
	was := l.currentItem()
	l.Items, l.all, l.found = items, nil, nil
	top := l.top
	l.Find(l.query)
	l.backTo(was, top)
}

// currentItem returns the item at the cursor, or nil if no item matches.
func (l *List) currentItem() *Item {
	if l.Len() == 0 {
		return nil
	}
	item := l.item(l.indexOf(l.cursor))
	return &item
}

// backTo moves the cursor to the given item and restores the scroll position. It searches only the
// first 1000 matches.
func (l *List) backTo(was *Item, top int) {
	if was == nil {
		return
	}
	const most = 1000 // a source can read each item from disk
	for place := range min(l.Len(), most) {
		if item := l.item(l.indexOf(place)); item.Text == was.Text && item.Words == was.Words {
			l.cursor, l.top = place, top
			return
		}
	}
}

// AppendMatches appends the items with the given indices to the matches. The caller finds these
// items with a search of its own, such as a search of conversations.
func (l *List) AppendMatches(indices []int) {
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

// Query returns the query.
func (l *List) Query() string { return l.query }

// Len returns the number of matches.
func (l *List) Len() int {
	if l.found == nil {
		return l.count()
	}
	return len(l.found)
}

// count returns the total number of items.
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

func (l *List) indexOf(place int) int {
	if l.found == nil {
		return place
	}
	return l.found[place]
}

// Chosen returns the index, among all items, of the item at the cursor. ok is false if nothing
// matches or if the item at the cursor cannot be chosen.
func (l *List) Chosen() (index int, ok bool) {
	if l.Len() == 0 {
		return 0, false
	}
	index = l.indexOf(l.cursor)
	return index, l.item(index).Off == ""
}

// Move moves the cursor by the given number of rows. Only a move of one row wraps around.
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

// Page returns the number of rows by which a page key moves the cursor.
func (l *List) Page() int { return max(l.page-1, 1) }

// previewRows is the maximum number of rows of the preview.
const previewRows = 6

// Rows lays out the list in a rectangle: a heading, the items, a preview.
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
	for place, last := l.top, len(rows)+l.page; place < l.Len() && len(rows)+l.heightOf(place) <= last; place++ {
		if l.heightOf(place) > 1 {
			rows = append(rows, Line{{Role: Faint, Text: Cut(oneLine(l.item(l.indexOf(place)).Group), width)}})
		}
		rows = append(rows, l.row(l.item(l.indexOf(place)), place == l.cursor, width))
	}
	for len(rows)+len(preview) < height && len(preview) > 0 {
		rows = append(rows, nil)
	}
	return append(rows, preview...)
}

// scroll keeps the cursor visible and avoids empty rows after the last item.
func (l *List) scroll() {
	if l.source != nil || l.query != "" || !slices.ContainsFunc(l.Items, func(item Item) bool { return item.Group != "" }) {
		l.top = max(min(l.top, l.cursor, l.Len()-l.page), l.cursor-l.page+1, 0)
		return
	}
	// The result of first is the smallest l.top at which the given item is visible.
	first := func(last int) int {
		for rows := 0; last >= 0; last-- {
			if rows += l.heightOf(last); rows > l.page {
				break
			}
		}
		return last + 1
	}
	l.top = max(min(l.top, l.cursor, first(l.Len()-1)), min(first(l.cursor), l.cursor))
}

// heightOf returns the number of rows of an item, including the heading above it.
func (l *List) heightOf(place int) int {
	if l.source != nil || l.query != "" {
		return 1
	}
	group := l.item(l.indexOf(place)).Group
	if group == "" || place > 0 && l.item(l.indexOf(place-1)).Group == group || l.page < 2 {
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

// preview lays out the preview of the item at the cursor.
func (l *List) preview(width, height int) []Line {
	if l.Len() == 0 || height < 2 {
		return nil
	}
	text := strings.TrimSpace(l.item(l.indexOf(l.cursor)).Preview)
	if text == "" {
		return nil
	}
	rows := []Line{{{Role: Faint, Text: strings.Repeat("─", width)}}}
	for line := range strings.SplitSeq(termsafe.String(text), "\n") {
		for _, row := range WrapAligned(Span{Role: Plain, Text: strings.ReplaceAll(line, "\t", " ")}, width) {
			if len(rows) == height {
				return rows
			}
			rows = append(rows, row)
		}
	}
	return rows
}
