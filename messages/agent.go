package messages

import "time"

// AgentChanged reports the progress of a sub-agent. Agent is the number of the sub-agent within the
// call, from 1. Each event replaces all earlier events for the same sub-agent.
type AgentChanged struct {
	Call   string        `json:"call"`
	Agent  int           `json:"agent"`
	Name   string        `json:"name"`
	State  AgentState    `json:"state"`
	Doing  string        `json:"doing,omitempty"` // the tool that the sub-agent called last
	Rounds int           `json:"rounds,omitempty"`
	Tokens int           `json:"tokens,omitempty"`
	Cost   float64       `json:"cost,omitempty"`
	Took   time.Duration `json:"took_ns,omitempty"`
	Result string        `json:"result,omitempty"` // the first line of the error or final report
}

// VisitAgent requests the [AgentShown] of a sub-agent. If Stop is true, VisitAgent instead stops
// the sub-agent, and the model learns that the user did so. If More is true, the session waits for
// something new to show, so a client can follow the sub-agent by repeating the request. If More is
// false, a [Notice] reports that the sub-agent has not started or that its call has ended.
type VisitAgent struct {
	Call  string `json:"call"`
	Agent int    `json:"agent"`
	Stop  bool   `json:"stop,omitempty"`
	More  bool   `json:"more,omitempty"`
}

// AgentShown is the conversation of a sub-agent so far: its task, its text, its calls, and how each
// call ended. The beginning of a long conversation is left out.
type AgentShown struct {
	Call  string     `json:"call"`
	Agent int        `json:"agent"`
	Name  string     `json:"name"`
	State AgentState `json:"state"`
	Text  string     `json:"text"`
	More  bool       `json:"more,omitempty"` // the value of [VisitAgent.More] in the request
}

// AgentState is a stage in the life of a sub-agent.
type AgentState string

// The states of a sub-agent.
const (
	AgentWaiting AgentState = "waiting" // the sub-agent waits for a free slot
	AgentWorking AgentState = "working"
	AgentAsking  AgentState = "asking" // the sub-agent waits for the user's decision
	AgentEnded   AgentState = "ended"
	AgentFailed  AgentState = "failed"
	AgentStopped AgentState = "stopped" // stopped by the user or by a limit
)
