package sessionlog

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"marvin/messages"
	"marvin/persistence/sessions"
)

// Errors whose text is shown to the user.
var (
	ErrEmptyConversation = errors.New("nothing has been said in this conversation yet")
	ErrNoPrompt          = errors.New("there are fewer prompts than that before this point; /tree lists the prompts")
	ErrNoPlace           = errors.New("there is no such point in this conversation; /tree lists the points")
	ErrUnwritten         = errors.New("the last messages are not stored yet, because the disk did not accept them: free some space, then try again")
)

// GoTo makes the given entry the end of the current branch, and returns the conversation up to that
// entry. Entry 0 is the beginning. Later entries stay in the file.
func (l *Log) GoTo(entry int64) (*Content, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session == nil {
		return nil, ErrEmptyConversation
	}
	if l.hide != nil && l.add(true, l.hide, nil) != nil {
		return nil, ErrUnwritten
	}
	content, err := Read(l.sessions, l.session.Header().ID, entry)
	if err != nil {
		return nil, err
	}
	if err := l.session.Append(true, sessions.Entry{Kind: sessions.LeafEntry, Parent: entry}); err != nil {
		return nil, err
	}
	l.goOn(content)
	content.Info = l.session.Info()
	return content, nil
}

// Place returns the conversation's id and the current entry, or zero values before the first
// message. It never blocks, and ignores a record that is being written.
func (l *Log) Place() (id string, entry int64) {
	if at := l.at.Load(); at != nil {
		return at.id, at.leaf
	}
	return "", 0
}

// HasEntry reports whether the entry exists. Entries are numbered without gaps. HasEntry never
// blocks.
func (l *Log) HasEntry(entry int64) bool {
	at := l.at.Load()
	return at != nil && 0 < entry && entry <= at.last
}

// Content returns the conversation up to the current entry.
func (l *Log) Content() (*Content, error) {
	id, entry := l.Place()
	if id == "" {
		return nil, ErrEmptyConversation
	}
	content, err := Read(l.sessions, id, entry)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rememberPictures(content)
	content.Info = l.session.Info()
	return content, nil
}

// FindPrompt returns the nth prompt from the end, and the preceding entry. For n = 1, FindPrompt
// returns the last prompt.
func (l *Log) FindPrompt(n int) (entry int64, prompt messages.Prompt, err error) {
	id, leaf := l.Place()
	if id == "" {
		return 0, prompt, ErrEmptyConversation
	}
	if leaf == 0 {
		return 0, messages.Prompt{}, ErrNoPrompt
	}
	_, branch, err := l.sessions.Branch(id, leaf, func(entry sessions.Entry) bool {
		if beginsTurn(entry) {
			n--
		}
		return n == 0
	})
	switch {
	case err != nil:
		return 0, messages.Prompt{}, err
	case n > 0:
		return 0, messages.Prompt{}, ErrNoPrompt
	}
	var step Step
	if err := json.Unmarshal(branch[0].Body, &step); err != nil {
		return 0, messages.Prompt{}, err
	}
	if step.Prompt != nil {
		prompt.Text = step.prompt()
	}
	for _, message := range step.Messages {
		if message.Role == messages.User && message.Text == prompt.Text {
			prompt.Pictures = message.Pictures
		}
	}
	return branch[0].Parent, prompt, nil
}

// Tree returns the turns of the conversation, including all its branches.
func (l *Log) Tree() (messages.Tree, error) {
	id, leaf := l.Place()
	if id == "" {
		return messages.Tree{}, ErrEmptyConversation
	}
	return Tree(l.sessions, id, leaf)
}

// Tree reads the turns of a conversation, including all its branches. leaf is the current entry, or
// -1 to take the current entry from the file.
func Tree(store sessions.Store, id string, leaf int64) (messages.Tree, error) {
	var entries []slim
	err := store.Lines(id, func(entry, parent int64, line []byte) bool {
		entries = append(entries, slimOf(entry, parent, line))
		return true
	})
	if err != nil {
		return messages.Tree{}, err
	}
	slices.Reverse(entries)
	if leaf < 0 && len(entries) > 0 {
		if leaf = entries[len(entries)-1].id; entries[len(entries)-1].kind == sessions.LeafEntry {
			leaf = entries[len(entries)-1].parent
		}
	}
	grown := growing{of: map[int64]int{}}
	for _, entry := range entries {
		grown.take(entry)
	}
	return grown.tree(leaf), nil
}

// slim is an entry, reduced to the fields that a tree needs.
type slim struct {
	id, parent, of int64
	kind           string
	at             time.Time
	prompt         *string
	outcome        messages.Outcome
	label          string
}

func slimOf(id, parent int64, line []byte) slim {
	fields := gjson.GetManyBytes(line, "kind", "at")
	entry := slim{id: id, parent: parent, kind: fields[0].Str, at: fields[1].Time()}
	switch entry.kind {
	case stepKind:
		body := gjson.GetManyBytes(line, "body.prompt", "body.outcome")
		if body[0].Exists() {
			entry.prompt = &body[0].Str
		}
		entry.outcome = messages.Outcome(body[1].Str)
	case labelKind:
		body := gjson.GetManyBytes(line, "of", "body.text")
		entry.of, entry.label = body[0].Int(), body[1].Str
	}
	return entry
}

// growing is a tree of turns while entries are added to it in chronological order.
type growing struct {
	turns []messages.TreeTurn
	tips  []int64       // tips[i] is the end of the chain that starts with the prompt of turns[i]
	of    map[int64]int // turn number by entry ID; the first turn is 1, and earlier entries have 0
}

func (g *growing) take(entry slim) {
	at := g.of[entry.parent]
	switch {
	case entry.kind == sessions.LeafEntry:
		return
	case entry.kind == labelKind:
		if named := g.of[entry.of]; named > 0 {
			g.turns[named-1].Label = entry.label
		}
	case entry.prompt != nil:
		turn := messages.TreeTurn{Entry: entry.id, At: entry.at, Prompt: *entry.prompt}
		if at > 0 {
			turn.Parent = int64(at) // a turn number, which [growing.tree] converts to an entry ID
		}
		g.turns, g.tips = append(g.turns, turn), append(g.tips, entry.id)
		at = len(g.turns)
	}
	if g.of[entry.id] = at; at == 0 {
		return
	}
	turn := &g.turns[at-1]
	if g.tips[at-1] == entry.parent {
		g.tips[at-1] = entry.id
		if entry.kind != stateKind { // a state entry is not a starting point for branches
			turn.Entry = entry.id
		}
	}
	if entry.outcome != "" {
		turn.Outcome = entry.outcome
	}
}

// tree returns the turns, with Current set on the path to the leaf. Each Parent is converted from a
// turn number to an entry.
func (g *growing) tree(leaf int64) messages.Tree {
	for at := g.of[leaf]; at > 0; at = int(g.turns[at-1].Parent) {
		g.turns[at-1].Current = true
	}
	turns := slices.Clone(g.turns)
	for i := range turns {
		if parent := turns[i].Parent; parent > 0 {
			turns[i].Parent = g.turns[parent-1].Entry
		}
	}
	return messages.Tree{Turns: turns}
}
