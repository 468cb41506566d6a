package turn

import (
	"strings"
	"sync"
)

// AnswerText is the text that the model has produced in a turn. The turn appends to it, and any
// goroutine may read it. A nil AnswerText is empty.
type AnswerText struct {
	mu   sync.Mutex
	text strings.Builder
}

// String returns the text so far.
func (a *AnswerText) String() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.text.String()
}

// Len returns the length of the text in bytes.
func (a *AnswerText) Len() int { return len(a.String()) }

func (a *AnswerText) add(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text.WriteString(text)
}
