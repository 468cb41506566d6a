package conversation

import (
	"strings"
	"time"

	"marvin/messages"
)

// Thought is a stretch of the model's thinking.
type Thought struct {
	Took time.Duration // 0 where that is not known, as of a conversation that was taken up
	Text string
}

// thoughtsKept is how many bytes of thinking are kept per turn for display. The end of longer
// thinking is dropped.
const thoughtsKept = 256 << 10

// mind is what the model thinks now, and thought in the turn.
type mind struct {
	began time.Time // zero while it does not think
	now   strings.Builder
	kept  int // bytes, in all
	all   []Thought
}

// think takes an event. It returns the stretch that ended with it, nil for none.
func (m *mind) think(event messages.Event, at time.Time) *Thought {
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
	default: // is not about the model
	}
	return nil
}

// Thoughts are what the model thought in the running turn, or the last one, as far as it is
// known.
func (s *State) Thoughts() []Thought { return s.Turn.mind.all }
