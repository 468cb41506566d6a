// Package transcript holds the messages of a turn and makes sure that every call has its result.
package transcript

import (
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// Turn holds the conversation so far and the messages that the current turn adds. New messages are
// normally appended, so that each request begins with the whole previous request. A Turn belongs to
// one actor. A slice that a method returns never changes later.
type Turn struct {
	all   []messages.Message
	base  int  // the index at which this turn begins
	news  int  // the number of messages that this turn added before base
	told  bool // the messages before this turn were replaced
	taken int  // the offset for the next call to Take
	whole bool // Take has reported the replacement
	seen  map[string]bool
	made  int
	name  string
}

// New begins a turn with the user's prompt. The turn's name is part of the ids that [Turn.Name]
// gives to calls.
func New(history []messages.Message, name string, prompt messages.Message) *Turn {
	prompt.Role = messages.User
	turn := &Turn{
		all:  append(history[:len(history):len(history)], prompt),
		base: len(history), seen: map[string]bool{}, name: name,
	}
	for _, message := range history {
		for _, call := range message.Calls {
			turn.seen[call.ID] = true
		}
	}
	return turn
}

// Resume begins a turn without a prompt.
func Resume(history []messages.Message, name string) *Turn {
	turn := New(history, name, messages.Message{})
	turn.all = turn.all[:turn.base:turn.base]
	return turn
}

// Messages returns the conversation so far.
func (t *Turn) Messages() []messages.Message { return t.all[:len(t.all):len(t.all)] }

// Name gives a new id to each call whose id is empty or already used.
func (t *Turn) Name(calls []messages.ToolCall) []messages.ToolCall {
	named := make([]messages.ToolCall, len(calls))
	for i, call := range calls {
		for call.ID == "" || t.seen[call.ID] {
			t.made++
			call.ID = fmt.Sprintf("call_%s_%d", t.name, t.made)
		}
		t.seen[call.ID] = true
		named[i] = call
	}
	return named
}

// AddRound appends an answer with calls, and then the results in the order of the calls. It adds
// the answer and the results in one step, so that every call has a result. It panics if the number
// of results differs from the number of calls.
func (t *Turn) AddRound(answer messages.Message, results []messages.Message) {
	if len(answer.Calls) != len(results) {
		panic(fmt.Sprintf("transcript: %d calls with %d results", len(answer.Calls), len(results)))
	}
	t.add(messages.Assistant, answer)
	for _, result := range results {
		t.add(messages.Tool, result)
	}
}

// AddAnswer appends an answer but not its calls.
func (t *Turn) AddAnswer(answer messages.Message) {
	answer.Calls = nil
	t.add(messages.Assistant, answer)
}

// AddRequest appends a message in the user role. The text comes from Marvin or from the user.
func (t *Turn) AddRequest(request messages.Message) { t.add(messages.User, request) }

func (t *Turn) add(role messages.Role, message messages.Message) {
	message.Role = role
	t.all = append(t.all, message)
}

// Join joins an interrupted answer and its continuation, and removes the request between them. The
// user saw a single answer.
func (t *Turn) Join(rest messages.Message) {
	n := len(t.all) - 2
	if n < t.base || t.all[n].Role != messages.Assistant || t.all[n+1].Role != messages.User {
		t.AddAnswer(rest)
		return
	}
	t.markChanged(n)
	joined := t.all[n]
	joined.Thinking = slices.Clip(joined.Thinking)
	for _, thought := range rest.Thinking {
		thought.Offset += len(joined.Text)
		joined.Thinking = append(joined.Thinking, thought)
	}
	joined.Text, joined.Usage = joined.Text+rest.Text, joined.Usage.Plus(rest.Usage)
	t.all = append(t.all[:n:n], joined)
}

// Close ends a turn that did not complete. It keeps the partial answer and adds the reason. If the
// model did nothing, the prompt is removed instead. The prompt of a turn that the user canceled
// always stays, because the next prompt might refer to it.
func (t *Turn) Close(outcome messages.Outcome, said messages.Message) {
	if outcome == messages.Completed {
		return
	}
	mark := "[The answer broke off.]"
	if outcome == messages.Cancelled {
		mark = "[Cancelled]"
	}
	if said.Text == "" && len(t.all) == t.base+1 && outcome != messages.Cancelled {
		t.markChanged(t.base)
		t.all = t.all[:t.base:t.base]
		return
	}
	said.Text = strings.TrimLeft(said.Text+"\n"+mark, "\n")
	t.AddAnswer(said)
}

// New returns the messages that this turn adds to the conversation.
func (t *Turn) New() []messages.Message { return t.all[t.base-t.news:] }

// AddNews inserts a system message before the prompt. If late is true, AddNews appends the message.
func (t *Turn) AddNews(news messages.Message, late bool) {
	news.Role = messages.System
	if late {
		t.all = append(t.all, news)
		return
	}
	t.markChanged(t.base)
	t.all = slices.Insert(slices.Clip(t.all), t.base, news)
	t.base++
	t.news++
}

// Prompt returns the request with which this turn begins.
func (t *Turn) Prompt() messages.Message { return t.all[t.base] }

// Base returns the index in Messages at which this turn begins.
func (t *Turn) Base() int { return t.base }

// Replace installs a shorter conversation whose running turn begins at base.
func (t *Turn) Replace(all []messages.Message, base int) {
	t.all, t.base, t.news, t.told = all[:len(all):len(all)], base, 0, true
	t.taken, t.whole = 0, false
}

// Rewrite replaces the conversation with an edited version. The messages before index start must be
// unchanged, and the turn must still begin at [Turn.Base].
func (t *Turn) Rewrite(all []messages.Message, start int) {
	if start < t.base-t.news {
		t.Replace(all, t.base)
		return
	}
	t.all = all[:len(all):len(all)]
	t.markChanged(start)
}

// Replaced reports whether messages before this turn were replaced. If so, the caller must store
// [Turn.Messages] instead of [Turn.New].
func (t *Turn) Replaced() bool { return t.told }

func (t *Turn) markChanged(at int) { t.taken = min(t.taken, at-(t.base-t.news)) }

// Take returns the turn's messages, starting with the first message that is new or changed since
// the previous call of Take. offset is the index of that message in the turn. The first call after
// a [Turn.Replace] reports the replacement and returns the whole conversation.
func (t *Turn) Take() (earlier []messages.Message, replaced bool, offset int, fresh []messages.Message) {
	own := t.New()
	if t.told && !t.whole {
		t.whole, t.taken, replaced = true, 0, true
		earlier = t.all[: t.base-t.news : t.base-t.news]
	}
	offset = t.taken
	t.taken = len(own)
	return earlier, replaced, offset, own[offset:len(own):len(own)]
}
