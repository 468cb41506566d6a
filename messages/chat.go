package messages

import "time"

// Role identifies the author of a chat message.
type Role string

// The roles that every chat API knows.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Message is one step of a conversation with a model. An Assistant message can have Calls; a Tool
// message has exactly one Result. Each protocol encodes the fields from Pictures to Origin in its
// own way, or omits these fields.
type Message struct {
	Role     Role       `json:"role"`
	Text     string     `json:"text,omitempty"`
	Calls    []ToolCall `json:"calls,omitempty"`
	Result   ToolResult `json:"result,omitzero"`
	Pictures []Picture  `json:"pictures,omitempty"` // the user's pictures; a tool's pictures are in Result
	Thinking []Thought  `json:"thinking,omitempty"` // the model's reasoning
	Model    string     `json:"model,omitempty"`    // the model that wrote the message, as provider/model
	Host     string     `json:"host,omitempty"`     // the host that ran the model, if recorded
	At       time.Time  `json:"at,omitzero"`        // in UTC
	Usage    RoundTrip  `json:"usage,omitzero"`     // usage of the request that this message answers
	Origin   Origin     `json:"origin,omitzero"`
}

// Outcome says how a turn ended.
type Outcome string

// The outcomes of a turn.
const (
	Completed  Outcome = "completed"
	Cancelled  Outcome = "cancelled"
	Failed     Outcome = "failed"
	Incomplete Outcome = "incomplete" // the answer broke off and could not be completed
)

// Stop is the reason why a turn ended early.
type Stop string

// The reasons for an early end.
const (
	StopOutput   Stop = "output"   // the answer reached the output limit of the model
	StopRounds   Stop = "rounds"   // the model was still calling tools when the turn had used up its rounds
	StopLimit    Stop = "limit"    // the turn reached a limit that the user set on cost or time
	StopFiltered Stop = "filtered" // the provider's content filter ended the answer
)

// ExitCode is the process exit status for the outcome: 0 for completed, 1 for everything else.
// Programs that start Marvin rely on these two codes.
func (o Outcome) ExitCode() int {
	if o == Completed {
		return 0
	}
	return 1
}

// Level ranks a [Notice].
type Level string

// The levels of a notice.
const (
	Info    Level = "info"
	Warning Level = "warning"
	Problem Level = "error"
)

// Choice is one answer to a question.
type Choice string

// The choices that a confirmation offers.
const (
	Yes    Choice = "yes"
	No     Choice = "no"
	Always Choice = "always" // yes, now and in all cases that [Asked.Always] describes
)

// Usage sums up all requests to models. Costs are in US dollars.
type Usage struct {
	Cost         float64            `json:"session_cost"`
	Turns        int                `json:"llm_turns"`
	ModelTurns   map[string]int     `json:"model_turns"`
	ModelCost    map[string]float64 `json:"model_cost"`
	InputTokens  int                `json:"input_tokens"`
	CachedTokens int                `json:"cached_tokens"` // part of InputTokens that the provider had cached
	OutputTokens int                `json:"output_tokens"`
	ToolCalls    map[string]int     `json:"tool_calls,omitempty"`
	// Unpriced lists the models whose price is unknown. If there is a cost limit, Marvin assumes a
	// price for them. Otherwise their requests count as free.
	Unpriced  []string `json:"unpriced_models,omitempty"`
	Estimated int      `json:"estimated_turns,omitempty"` // number of turns with token estimates
}
