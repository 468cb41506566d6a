package conv

import (
	"time"

	"marvin/messages"
	"marvin/tools"
)

// Policy describes what a conversation is permitted to do. A sub-agent never has more permissions
// than its caller.
type Policy struct {
	Coding   bool // coding mode: its tools are offered and its limits apply
	Person   bool // a user is present to answer questions
	ReadOnly bool // tools that write are off
	// ReadOnlyBy is a sentence that gives the reason for ReadOnly. If ReadOnlyBy is "", the reason
	// is the environment variable MARVIN_READONLY.
	ReadOnlyBy string
	Persist    bool              // the conversation is stored in the chat log
	Approval   messages.Approval // which calls need no approval; "" means "edits" if there is a user, otherwise "auto"
	Limits     Limits
	Agent      bool // the conversation belongs to a sub-agent
	// FromOtherMarvin is true if another Marvin process began the conversation. The model of that
	// process writes the prompts, which can repeat text that the model read.
	FromOtherMarvin bool
	Only            []string           // the tools that a sub-agent was given; nil for all
	Rules           *tools.Permissions // the user's permission rules
}

// withDefaults replaces an empty approval mode with the default.
func (p Policy) withDefaults() Policy {
	if p.Approval == "" {
		p.Approval = messages.ApproveAuto
		if p.Person {
			p.Approval = messages.ApproveEdits
		}
	}
	return p
}

// SetReadOnly switches off tools that write. reason is a whole sentence. If the tools are already
// off, the earlier reason stays.
func (p *Policy) SetReadOnly(reason string) {
	if !p.ReadOnly {
		p.ReadOnly, p.ReadOnlyBy = true, reason
	}
}

// EventMode returns the approval mode for events. Without a user, it returns "" instead of "auto",
// for compatibility with older programs that read events.
func (p Policy) EventMode() messages.Approval {
	if !p.Person && p.Approval == messages.ApproveAuto {
		return ""
	}
	return p.Approval
}

// Mode returns the mode that decides which tools are available.
func (p Policy) Mode() tools.Mode {
	return tools.Mode{Coding: p.Coding, Person: p.Person, ReadOnly: p.ReadOnly, ReadOnlyBy: p.ReadOnlyBy, Agent: p.Agent, Only: p.Only, Planning: p.Approval == messages.ApprovePlan, Rules: p.Rules}
}

// Limits contains the cost limit of a conversation and the limits of each turn. 0 means no limit,
// except for Rounds.
type Limits struct {
	Cost   float64       // US dollars, for the session and its sub-agents
	Rounds int           // rounds of tools per turn; 0 means 10, or 50 in coding mode
	Time   time.Duration // per turn
}

// Within combines two sets of limits. The result contains the stricter value of each limit.
func (l Limits) Within(other Limits) Limits {
	return Limits{Cost: stricter(l.Cost, other.Cost), Rounds: stricter(l.Rounds, other.Rounds), Time: stricter(l.Time, other.Time)}
}

// stricter returns the smaller of two limits. It ignores limits that are 0, negative or NaN.
func stricter[N int | float64 | time.Duration](a, b N) N {
	switch {
	case !(a > 0) && !(b > 0):
		return 0
	case !(a > 0):
		return b
	case !(b > 0):
		return a
	}
	return min(a, b)
}

// MaxRounds returns how many rounds of tools a turn may take before the model must answer without
// tools.
func (p Policy) MaxRounds() int {
	if p.Limits.Rounds > 0 {
		return p.Limits.Rounds
	}
	if p.Coding {
		return 50
	}
	return 10
}

// Tuning holds the time limits of the tree. A field that is 0 gets the default value at the end of
// the field's comment.
type Tuning struct {
	Silence       time.Duration // the maximum time without output from the model; default 180 s
	SilenceCoding time.Duration // in coding mode, the maximum time without output; 900 s
	Quiet         time.Duration // the time without output before a notice appears; default 20 s
	Prepare       time.Duration // the maximum time for reading profile and project files; default 5 s
	Disk          time.Duration // the maximum wait for the disk when turns begin or end; default 5 s
	News          time.Duration // the maximum time that a turn waits for ntfy messages; default 2 s
	Problems      time.Duration // the maximum time for formatting and checking written files; 3 s
	ProblemsLate  time.Duration // the maximum time for repeating a check that was too slow; 1 min
	LanguageIdle  time.Duration // the time after which an unused language server ends; default 10 min
	CancelGrace   time.Duration // the maximum wait for the report of a canceled call; default 3 s
	StopGrace     time.Duration // the maximum wait for a canceled model request; default 5 s
	Shutdown      time.Duration // maximum time to open a conversation or to end the tree; default 5 s
}

func (t Tuning) withDefaults() Tuning {
	set := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	set(&t.Silence, 180*time.Second)
	set(&t.SilenceCoding, 900*time.Second)
	set(&t.Quiet, 20*time.Second)
	set(&t.Prepare, 5*time.Second)
	set(&t.Disk, 5*time.Second)
	set(&t.News, 2*time.Second)
	set(&t.Problems, 3*time.Second)
	set(&t.ProblemsLate, time.Minute)
	set(&t.LanguageIdle, 10*time.Minute)
	set(&t.CancelGrace, 3*time.Second)
	set(&t.StopGrace, 5*time.Second)
	set(&t.Shutdown, 5*time.Second)
	return t
}

func (t Tuning) SilenceFor(p Policy) time.Duration {
	if p.Coding {
		return t.SilenceCoding
	}
	return t.Silence
}

// Taint returns the source of the prompts if they are untrusted, and "" otherwise.
func (p Policy) Taint() string {
	if p.FromOtherMarvin {
		return "the Marvin that started this one"
	}
	return ""
}
