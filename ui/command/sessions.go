package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

// Conversation describes a stored conversation. Its strings can contain terminal sequences.
type Conversation struct {
	ID, Name, Called string
	Last             string // the last prompt
	Dir, Branch      string // working directory and git branch
	Model            string
	Updated          time.Time
	Turns            int
	Cost             float64       // US dollars
	Line             func() string // a line with all details; nil during [Stock.ForEach]
}

type sessions struct {
	*Env
	numbered *numbered
}

// mostSessions is the maximum number of listed conversations.
const mostSessions = 20

func (s sessions) rename(title string) {
	title = strings.Join(strings.Fields(title), " ")
	if title == "" {
		s.warn("Usage: /rename TITLE sets the title of this conversation in the list of stored conversations.")
		return
	}
	s.Talk.Title = title
	s.ask("rename the conversation", messages.Rename{Title: title})
}

func (s sessions) take(words string) {
	s.runOutside("list the conversations", func(ctx context.Context) func() {
		list, err := s.Host.Sessions(ctx, words)
		return s.reportOr(err, func() { s.list(list, words) })
	})
}

// list writes a numbered list of at most mostSessions conversations. The user can type these
// numbers after /resume.
func (s sessions) list(list []Conversation, words string) {
	switch {
	case len(list) == 0 && words != "":
		s.say("No conversation has this name or contains these words.")
		return
	case len(list) == 0:
		s.say("There is no stored conversation yet.")
		return
	}
	more := ""
	if len(list) > mostSessions {
		list, more = list[:mostSessions], "\nTo see them all, run marvin sessions list."
	}
	s.numbered.sessions = list
	var text strings.Builder
	for i, each := range list {
		fmt.Fprintf(&text, "%3d. %s\n", i+1, each.Line())
	}
	s.say("Stored conversations, the latest first:\n" + strings.TrimRight(text.String(), "\n") + more + "\nContinue one with /resume NUMBER, /resume ID or /resume WORDS.")
}

// resume continues another conversation. If the argument is empty, the method shows a list.
func (s sessions) resume(named string) {
	if named == "" {
		s.choose()
		return
	}
	if isNumber(named) && len(named) < 4 {
		at, err := pick(named, len(s.numbered.sessions))
		if err != nil {
			s.warn(err.Error() + "; /sessions lists them.")
			return
		}
		s.goOnWith(s.numbered.sessions[at].ID)
		return
	}
	s.find(named, s.goOnWith)
}

// find determines the ID of a conversation with [Host.Session] and passes the ID to the given
// function.
func (s sessions) find(named string, then func(id string)) {
	s.runOutside("find the conversation", func(ctx context.Context) func() {
		id, err := s.Host.Session(ctx, named)
		return s.reportOr(err, func() { then(id) })
	})
}

func (s sessions) goOnWith(id string) { s.ask("read the conversation", messages.Resume{ID: id}) }

// choose opens a list of all conversations. If the front end has no lists, it prints the most
// recent conversations.
func (s sessions) choose() {
	s.runOutside("list the conversations", func(context.Context) func() {
		all := s.Host.AllSessions()
		return func() {
			pick := Pick{List: view.List{Title: "Which conversation do you want to continue?"}, Source: storedList{all, s}}
			if all.Len() == 0 || !s.Front.Pick(pick) {
				s.take("")
			}
		}
	})
}

// storedList provides all conversations as items of a list.
type storedList struct {
	Stock
	sessions sessions
}

var _ LazyList = storedList{}

// Item implements [view.Source].
func (s storedList) Item(index int) view.Item { return s.At(index).item(s.sessions.Now()) }

// VisitItems implements [view.Source].
func (s storedList) VisitItems(visit func(index int, item view.Item) bool) {
	now := s.sessions.Now()
	s.Stock.ForEach(func(index int, one Conversation) bool { return visit(index, one.itemWithoutPreview(now)) })
}

// About implements [LazyList].
func (s storedList) About(ctx context.Context, query string) []int { return s.FindText(ctx, query) }

// Chosen implements [LazyList].
func (s storedList) Chosen(index int) { s.sessions.goOnWith(s.At(index).ID) }

// item returns the complete list item, including the preview.
func (c Conversation) item(now time.Time) view.Item {
	item := c.itemWithoutPreview(now)
	item.Preview = join("\n", c.ID+"  "+join(" · ", c.Model, c.Dir), "")
	if c.Last != "" && c.Last != c.Called {
		item.Preview = "last: " + c.Last + "\n" + item.Preview
	}
	return item
}

// itemWithoutPreview returns the list item without its preview. A list shows a preview only for the
// item under the cursor.
func (c Conversation) itemWithoutPreview(now time.Time) view.Item {
	called := c.Called
	if c.Name != "" {
		called = "[" + c.Name + "] " + called
	}
	place := c.Dir[strings.LastIndexAny(c.Dir, `/\`)+1:]
	note := join(" · ", place, c.Branch, messages.Counted(c.Turns, "turn"), dollars(c.Cost), ago(now, c.Updated))
	return view.Item{Text: called, Note: note, Words: join(" ", c.ID, c.Last, c.Model, c.Dir)}
}

func dollars(cost float64) string {
	if cost <= 0 {
		return ""
	}
	return fmt.Sprintf("$%.2f", cost)
}

// join concatenates parts as [strings.Join] does, but omits empty parts.
func join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

// ago formats an age, such as "5 min". An age of 30 days or more is replaced by the date.
func ago(now, at time.Time) string {
	past := now.Sub(at)
	days := int(past / (24 * time.Hour))
	switch {
	case past < time.Minute:
		return "now"
	case past < time.Hour:
		return fmt.Sprintf("%d min", int(past/time.Minute))
	case days < 1:
		return fmt.Sprintf("%d h", int(past/time.Hour))
	case days == 1:
		return "1 day"
	case days < 30:
		return fmt.Sprintf("%d days", days)
	}
	return at.Local().Format("2006-01-02")
}

// fork continues in a copy of the named conversation. If the argument is empty, fork copies the
// current conversation.
func (s sessions) fork(named string) {
	if named == "" {
		s.ask("copy the conversation", messages.Fork{})
		return
	}
	s.find(named, func(id string) { s.ask("copy the conversation", messages.Fork{ID: id}) })
}
