package conversation

import (
	"strings"
	"time"

	"marvin/messages"
)

// Thought is an uninterrupted part of the model's thinking.
type Thought struct {
	Took time.Duration // 0 if unknown, as in a resumed conversation
	Text string
}

// thoughtsKept is the maximum size of a turn's stored thinking, in bytes. Any further text is
// dropped.
const thoughtsKept = 256 << 10

// turnThoughts collects the model's thinking in the current turn.
type turnThoughts struct {
	began time.Time // zero if the model is not thinking
	now   strings.Builder
	kept  int // total bytes
	all   []Thought
}

// think applies an event. If the event ends a thought, think returns the thought, otherwise nil.
func (m *turnThoughts) think(event messages.Event, at time.Time) *Thought {
	switch event := event.(type) {
	case messages.TurnStarted:
		m.all, m.kept = nil, 0
	case messages.Thinking:
		if m.began.IsZero() {
			m.began = at
		}
		text := event.Chunk[:min(len(event.Chunk), thoughtsKept-m.kept)]
		m.kept += len(text)
		m.now.WriteString(text)
	case messages.Text, messages.ToolsCalled, messages.ToolStarted, messages.Steered, messages.TurnEnded:
		if m.began.IsZero() {
			return nil
		}
		thought := Thought{Took: at.Sub(m.began), Text: strings.ToValidUTF8(m.now.String(), "")}
		if m.kept == thoughtsKept {
			thought.Text += "\n[… cut]"
		}
		m.began = time.Time{}
		m.now.Reset()
		m.all = append(m.all, thought)
		return &thought
	default: // other events do not concern thinking
	}
	return nil
}

// Thoughts returns the model's thoughts in the running turn. If no turn is running, Thoughts
// returns the thoughts of the last turn.
func (s *State) Thoughts() []Thought { return s.Turn.mind.all }
