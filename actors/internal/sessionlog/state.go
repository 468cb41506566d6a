package sessionlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"marvin/messages"
)

// State describes a conversation at one point in its log, but omits the messages. Older versions of
// Marvin know only the fields up to Terminal.
type State struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Dir      string `json:"dir,omitempty"`
	Coding   bool   `json:"coding,omitempty"`
	Profile  string `json:"profile"`
	Terminal string `json:"terminal,omitempty"`

	Effort   string            `json:"effort,omitempty"` // [NoEffort] if not set; "" only in old files
	Named    bool              `json:"named,omitempty"`  // the user chose the model
	Approval messages.Approval `json:"approval,omitempty"`
	Person   bool              `json:"person,omitempty"` // the conversation has a user
	Root     string            `json:"root,omitempty"`   // the root of the sandbox
	Bound    []string          `json:"bound,omitempty"`  // private directories that supplied text
	Usage    *messages.Usage   `json:"usage,omitempty"`  // the totals of the conversation
	Tainted  string            `json:"tainted,omitempty"`
	Plan     *Plan             `json:"plan,omitempty"`
	Untold   []string          `json:"untold,omitempty"` // alarms that the model has not seen yet
	Words    []string          `json:"words,omitempty"`  // output of hooks, not sent to the model yet

	// The log computes Undone and Last itself.
	Undone []string `json:"undone,omitempty"` // unsent notes to the model about undone changes
	Last   int      `json:"last,omitempty"`   // the number of the last turn, even if it did not end
}

// NoEffort means that no effort is set.
const NoEffort = "auto"

// whole returns true if the fields below Terminal were stored. Old versions did not store these
// fields.
func (s State) whole() bool { return s.Effort != "" }

// Sums returns the usage of the conversation.
func (s State) Sums() messages.Usage {
	if s.Usage == nil {
		return messages.Usage{}
	}
	return *s.Usage
}

// replace overwrites s with another state, but preserves s.Undone and s.Last. A state from an old
// version changes only the fields up to Terminal.
func (s *State) replace(with State) {
	if !with.whole() {
		s.Provider, s.Model, s.Dir, s.Coding, s.Profile, s.Terminal = with.Provider, with.Model, with.Dir, with.Coding, with.Profile, with.Terminal
		return
	}
	with.Undone, with.Last = s.Undone, s.Last
	*s = with
}

func (s *State) follow(step Step) {
	var number int
	if _, err := fmt.Sscanf(step.Turn, "t%d", &number); err == nil && number < math.MaxInt32 {
		s.Last = max(s.Last, number)
	}
	if step.Prompt == nil && len(step.Messages) > 0 && !step.Quiet {
		s.Undone = nil // a request has already sent Undone to the model
	}
	if step.State != nil {
		s.replace(*step.State)
	}
	if step.Usage != nil {
		s.Usage = step.Usage
	}
	if step.Outcome != "" {
		s.Tainted, s.Plan = step.Tainted, step.Plan
	}
}

func (s *State) record(record Record) {
	switch body := record.body.(type) {
	case Step:
		s.follow(body)
	case State:
		s.replace(body)
	case string:
		if record.kind == undoneKind {
			s.Undone = append(s.Undone[:len(s.Undone):len(s.Undone)], body)
		}
	}
}

// equal compares two states, ignoring Undone and Last.
func (s State) equal(as State) bool {
	as.Undone, as.Last = s.Undone, s.Last
	one, err := json.Marshal(s)
	other, wrong := json.Marshal(as)
	return err == nil && wrong == nil && bytes.Equal(one, other)
}
