package messages

import "time"

// AgentChanged says how a sub-agent of a running call is doing. Agents are numbered
// from 1 in the order of the call. Only the last one of each counts: it is a live line
// for people, and nothing depends on having seen the ones before.
type AgentChanged struct {
	Call   string        `json:"call"`
	Agent  int           `json:"agent"`
	Name   string        `json:"name"`
	State  AgentState    `json:"state"`
	Doing  string        `json:"doing,omitempty"` // the tool that it called last
	Rounds int           `json:"rounds,omitempty"`
	Tokens int           `json:"tokens,omitempty"`
	Cost   float64       `json:"cost,omitempty"`
	Took   time.Duration `json:"took_ns,omitempty"`
	Result string        `json:"result,omitempty"` // the first line of its report, once it has ended
}

// VisitAgent concerns one sub-agent of a running call. It asks for an [AgentShown]. With Stop it
// stops this sub-agent alone, and the caller learns that the user did it. With More it is answered
// as soon as there is more to show than last time, and not at all if the sub-agent has ended: a
// client that asks again after each answer follows the sub-agent live.
type VisitAgent struct {
	Call  string `json:"call"`
	Agent int    `json:"agent"`
	Stop  bool   `json:"stop,omitempty"`
	More  bool   `json:"more,omitempty"`
}

// AgentShown is the conversation of a sub-agent so far: its task, what it said and called, and
// how its calls ended, the beginning left out where it is long.
type AgentShown struct {
	Call  string     `json:"call"`
	Agent int        `json:"agent"`
	Name  string     `json:"name"`
	State AgentState `json:"state"`
	Text  string     `json:"text"`
	More  bool       `json:"more,omitempty"` // it answers a wish for more
}

// AgentState is where a sub-agent is in its life.
type AgentState string

// The states of a sub-agent.
const (
	AgentWaiting AgentState = "waiting" // for its turn to begin
	AgentWorking AgentState = "working"
	AgentAsking  AgentState = "asking" // for a person's decision
	AgentEnded   AgentState = "ended"
	AgentFailed  AgentState = "failed"
	AgentStopped AgentState = "stopped" // by a person, or by a limit
)
