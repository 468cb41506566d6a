package conv

import (
	"time"

	"marvin/messages"
	"marvin/tools"
)

// Policy is what a conversation may do. It is an immutable value that is handed
// down; nothing below can widen it.
type Policy struct {
	Coding   bool // coding tools and coding limits
	Person   bool // someone can be asked
	ReadOnly bool // tools that write are off
	// ReadOnlyBy says why they are off, as a sentence; "" is MARVIN_READONLY.
	ReadOnlyBy string
	Persist    bool              // the conversation goes into the chat log
	Approval   messages.Approval // what runs unasked; "" is edits with a person, auto without
	Limits     Limits
	Agent      bool // a sub-agent's
	// Delegated says that another Marvin began the conversation: its prompts are a
	// model's words, and repeat what that one read.
	Delegated bool
	Only      []string           // the tools that a sub-agent was given; nil for all
	Rules     *tools.Permissions // the user's
}

// withDefaults spells the approval mode out.
func (p Policy) withDefaults() Policy {
	if p.Approval == "" {
		p.Approval = messages.ApproveAuto
		if p.Person {
			p.Approval = messages.ApproveEdits
		}
	}
	return p
}

// OnlyReads switches off tools that write, for a reason in a sentence. An earlier reason stays.
func (p *Policy) OnlyReads(reason string) {
	if !p.ReadOnly {
		p.ReadOnly, p.ReadOnlyBy = true, reason
	}
}

// Told is the approval mode as events carry it: not at all where it is what it always
// was for programs that read them.
func (p Policy) Told() messages.Approval {
	if !p.Person && p.Approval == messages.ApproveAuto {
		return ""
	}
	return p.Approval
}

// Mode is what a conversation has tools for.
func (p Policy) Mode() tools.Mode {
	return tools.Mode{Coding: p.Coding, Person: p.Person, ReadOnly: p.ReadOnly, ReadOnlyBy: p.ReadOnlyBy, Agent: p.Agent, Only: p.Only, Planning: p.Approval == messages.ApprovePlan, Rules: p.Rules}
}

// Limits end a conversation that costs too much; 0 means none.
type Limits struct {
	Cost   float64       // US dollars, for the session and its sub-agents
	Rounds int           // of tools, for a turn; instead of 10, or 50 when coding
	Time   time.Duration // for a turn
}

// Within is what both allow.
func (l Limits) Within(other Limits) Limits {
	return Limits{Cost: least(l.Cost, other.Cost), Rounds: least(l.Rounds, other.Rounds), Time: least(l.Time, other.Time)}
}

// least is the smaller limit. What is not above 0 (a number below it, NaN) limits nothing, and
// lifts no other limit.
func least[N int | float64 | time.Duration](a, b N) N {
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

// MaxRounds is how many rounds of tools a turn may take before it is asked for a
// final answer without tools.
func (p Policy) MaxRounds() int {
	if p.Limits.Rounds > 0 {
		return p.Limits.Rounds
	}
	if p.Coding {
		return 50
	}
	return 10
}

// Tuning holds every duration of the tree. The zero value means the defaults.
type Tuning struct {
	Silence       time.Duration // how long a model may say nothing; 180 s
	SilenceCoding time.Duration // the same in coding mode; 900 s
	Quiet         time.Duration // how long an answer may pause before a notice; 20 s
	Prepare       time.Duration // how long reading the profile's and the project's files may take; 5 s
	Disk          time.Duration // how long a turn waits for the disk to have its prompt, and its end; 5 s
	News          time.Duration // how long a turn waits for the messages of ntfy topics; 2 s
	Problems      time.Duration // how long a call that wrote files waits for language servers; 3 s
	ProblemsLate  time.Duration // how long a server may take for late findings; 1 min
	LanguageIdle  time.Duration // after how long an unused language server ends; 10 min
	CancelGrace   time.Duration // how long a cancelled call may take to report; 3 s
	StopGrace     time.Duration // how long a provider may take to let go after a cancel; 5 s
	Shutdown      time.Duration // how long the whole tree may take to end; 5 s
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

// Taint is by what strangers' words are in a conversation from its beginning.
func (p Policy) Taint() string {
	if p.Delegated {
		return "the Marvin that started this one"
	}
	return ""
}
