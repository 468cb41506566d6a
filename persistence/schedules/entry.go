package schedules

import (
	"encoding/json"
	"time"
)

// Entry is a prompt or a watch with its times.
type Entry struct {
	ID      string    `json:"id"`
	Prompt  string    `json:"prompt,omitempty"` // of a watch: what a model is asked after a change
	Watch   *Watch    `json:"watch,omitempty"`  // nil for a prompt
	Times   Times     `json:"times"`
	Next    time.Time `json:"next,omitzero"` // may be zero
	Claimed time.Time `json:"claimed,omitzero"`
	Missed  Missed    `json:"missed"`
	Paused  bool      `json:"paused,omitempty"`
	To      string    `json:"to"` // notice, ntfy:TOPIC or file:PATH
	May     May       `json:"may"`
	Asks    Asks      `json:"asks"`
	Dir     string    `json:"dir"`
	Created time.Time `json:"created"`
	ByModel bool      `json:"by_model,omitempty"` // a model wrote the prompt, not the user
	Tainted string    `json:"tainted,omitempty"`  // what had brought untrusted or private text to that model
	Runs    []Run     `json:"runs,omitempty"`     // the last ones, the oldest first
}

// Times are when an entry is due.
type Times struct {
	Said  string        `json:"said"`           // as the user wrote it
	Rule  string        `json:"rule,omitempty"` // of RFC 5545
	Every time.Duration `json:"every,omitempty"`
	Start time.Time     `json:"start"`
	Zone  string        `json:"zone,omitempty"` // "" is the zone of the machine
}

// Missed is what becomes of times at which the machine was off.
type Missed string

// The policies: no run, one run for all of them, one run for each.
const (
	Skip Missed = "skip"
	Once Missed = "once"
	Each Missed = "each"
)

// May is what a run may do beside reading. It is fixed when the entry is made.
type May struct {
	Write bool `json:"write"`
	Run   bool `json:"run"`
	Send  bool `json:"send"`
}

// Asks says which model answers and what a run may use.
type Asks struct {
	Provider string        `json:"provider,omitempty"`
	Model    string        `json:"model,omitempty"`
	Cost     float64       `json:"max_cost"`
	Rounds   int           `json:"max_rounds,omitempty"`
	Time     time.Duration `json:"max_time"`
}

// Watch is a tool call whose result is compared with the last one.
type Watch struct {
	Said      string          `json:"said"` // the call as the user wrote it
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	When      string          `json:"when"`           // changed, matches RE, lacks RE, below N, above N
	Pick      string          `json:"pick,omitempty"` // a pattern: only what it finds is compared
	Run       string          `json:"run,omitempty"`  // a command after a change
	Checked   time.Time       `json:"checked,omitzero"`
	Value     *string         `json:"value,omitempty"`   // of the last check; nil before the first
	Holds     bool            `json:"holds,omitempty"`   // the condition held at the last check
	Failing   bool            `json:"failing,omitempty"` // the last check failed, and the user knows
}

// State is how far a run is.
type State string

// The states of a run.
const (
	Claimed     State = "claimed" // a process has it and did not begin
	Running     State = "running"
	Done        State = "done"
	Unchanged   State = "unchanged" // of a watch
	Changed     State = "changed"   // of a watch
	Failed      State = "failed"
	Interrupted State = "interrupted" // its process ended while it ran
	Skipped     State = "skipped"     // the machine was off
)

// Run is one run of an entry.
type Run struct {
	Due     time.Time `json:"due"`
	By      string    `json:"by,omitempty"` // user for one that was asked for
	State   State     `json:"state"`
	Began   time.Time `json:"began,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	Session string    `json:"session,omitempty"`
	Text    string    `json:"text,omitempty"`
	Error   string    `json:"error,omitempty"`
	Cost    float64   `json:"cost"`
	Old     string    `json:"old,omitempty"` // the values of a watch that changed
	New     string    `json:"new,omitempty"`
	Untold  bool      `json:"untold,omitempty"` // no open Marvin has shown it yet
}
