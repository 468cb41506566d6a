package schedules

import (
	"encoding/json"
	"time"
)

// Entry is a scheduled prompt or a scheduled watch.
type Entry struct {
	ID      string      `json:"id"`
	Prompt  string      `json:"prompt,omitempty"` // in a watch, the prompt that is sent after a change
	Watch   *Watch      `json:"watch,omitempty"`  // nil for a prompt
	Times   Times       `json:"times"`
	Next    time.Time   `json:"next,omitzero"` // zero if no run is left
	Claimed time.Time   `json:"claimed,omitzero"`
	Missed  Missed      `json:"missed"`
	Paused  bool        `json:"paused,omitempty"`
	To      string      `json:"to"` // "notice", "ntfy:TOPIC" or "file:PATH"
	May     Permissions `json:"may"`
	Asks    RunLimits   `json:"asks"`
	Dir     string      `json:"dir"`
	Created time.Time   `json:"created"`
	ByModel bool        `json:"by_model,omitempty"` // written by a model, not by the user
	Tainted string      `json:"tainted,omitempty"`  // source of untrusted or private input
	Runs    []Run       `json:"runs,omitempty"`     // the most recent runs, oldest first
}

// Times defines when an entry is due.
type Times struct {
	Said  string        `json:"said"`           // the user's words
	Rule  string        `json:"rule,omitempty"` // a recurrence rule (RFC 5545)
	Every time.Duration `json:"every,omitempty"`
	Start time.Time     `json:"start"`
	Zone  string        `json:"zone,omitempty"` // "" means the machine's time zone
}

// Missed is the policy for runs that were due while the machine was off.
type Missed string

// The values of [Missed].
const (
	Skip Missed = "skip" // no missed run is executed
	Once Missed = "once" // one run replaces all missed runs
	Each Missed = "each" // the latest missed runs are executed, up to a limit
)

// Permissions holds the actions, besides reading, that are allowed in a run. An [Entry] gets its
// permissions when the entry is created.
type Permissions struct {
	Write bool `json:"write"`
	Run   bool `json:"run"`
	Send  bool `json:"send"`
}

// RunLimits holds the model and the limits of a run.
type RunLimits struct {
	Provider string        `json:"provider,omitempty"`
	Model    string        `json:"model,omitempty"`
	Cost     float64       `json:"max_cost"`
	Rounds   int           `json:"max_rounds,omitempty"`
	Time     time.Duration `json:"max_time"`
}

// Watch is a tool call whose result is compared with the result of the previous call.
type Watch struct {
	Said      string          `json:"said"` // the call, as the user wrote it
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	When      string          `json:"when"`           // condition, such as "changed" or "below 5"
	Pick      string          `json:"pick,omitempty"` // a pattern; only its matches are compared
	Run       string          `json:"run,omitempty"`  // a command that runs after a change
	Checked   time.Time       `json:"checked,omitzero"`
	Value     *string         `json:"value,omitempty"`   // result of the last check; nil before the first
	Holds     bool            `json:"holds,omitempty"`   // the condition was true at the last check
	Failing   bool            `json:"failing,omitempty"` // set if the last check failed
}

// State is the progress of a run.
type State string

// The states of a run.
const (
	Claimed     State = "claimed" // a process has claimed the run and has not started it yet
	Running     State = "running"
	Done        State = "done"
	Unchanged   State = "unchanged" // watches only
	Changed     State = "changed"   // watches only
	Failed      State = "failed"
	Interrupted State = "interrupted" // the process ended during the run
	Skipped     State = "skipped"     // the run was missed and is not executed later
)

// Run is one execution of a scheduled entry.
type Run struct {
	Due     time.Time `json:"due"`
	By      string    `json:"by,omitempty"` // "user" for a run that the user asked for
	State   State     `json:"state"`
	Began   time.Time `json:"began,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	Session string    `json:"session,omitempty"`
	Text    string    `json:"text,omitempty"`
	Error   string    `json:"error,omitempty"`
	Cost    float64   `json:"cost"`
	Old     string    `json:"old,omitempty"` // the values before and after a change
	New     string    `json:"new,omitempty"`
	Untold  bool      `json:"untold,omitempty"` // set if Marvin has not shown the result yet
}
