package messages

import "time"

// Role says who speaks in a message to or from a model.
type Role string

// The roles that every chat API knows.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Message is one step of a conversation with a model. An Assistant message may carry Calls; a Tool
// message carries exactly one Result. The fields after Result are not sent as they are: each
// protocol uses those it has a place for.
type Message struct {
	Role     Role       `json:"role"`
	Text     string     `json:"text,omitempty"`
	Calls    []ToolCall `json:"calls,omitempty"`
	Result   ToolResult `json:"result,omitzero"`
	Pictures []Picture  `json:"pictures,omitempty"` // of the person; those of a tool are in its Result
	Thinking []Thought  `json:"thinking,omitempty"` // of the model, in front of its words
	Model    string     `json:"model,omitempty"`    // that spoke, as provider/model
	Host     string     `json:"host,omitempty"`     // where it was when it was asked; "" for Marvin itself, and where that is not recorded
	At       time.Time  `json:"at,omitzero"`        // in UTC
	Usage    RoundTrip  `json:"usage,omitzero"`     // of the question that it answers
	Origin   Origin     `json:"origin,omitzero"`
}

// Outcome is the one value that decides how a turn is reported: as text, as
// JSON status and as exit code.
type Outcome string

// How a turn can end.
const (
	Completed  Outcome = "completed"
	Cancelled  Outcome = "cancelled"
	Failed     Outcome = "failed"
	Incomplete Outcome = "incomplete" // the answer broke off and could not be completed
)

// Stop is what stopped a turn before it was complete.
type Stop string

// The causes that stop a turn.
const (
	StopOutput   Stop = "output"   // the answer reached the output limit of the model
	StopRounds   Stop = "rounds"   // the rounds of tools were used up
	StopLimit    Stop = "limit"    // a limit of the user's: cost or time
	StopFiltered Stop = "filtered" // the provider's content filter ended the answer
)

// ExitCode is the process exit status for the outcome: 0 for completed, 1 for
// everything else. There are no other codes in the contract with integrators.
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
	Always Choice = "always" // yes, and do not ask again in this session for the same tool
)

// Usage sums what models were asked. Costs are US dollars.
type Usage struct {
	Cost         float64            `json:"session_cost"`
	Turns        int                `json:"llm_turns"`
	ModelTurns   map[string]int     `json:"model_turns"`
	ModelCost    map[string]float64 `json:"model_cost"`
	InputTokens  int                `json:"input_tokens"`
	CachedTokens int                `json:"cached_tokens"` // part of InputTokens that the provider had cached
	OutputTokens int                `json:"output_tokens"`
	ToolCalls    map[string]int     `json:"tool_calls,omitempty"`
	Unpriced     []string           `json:"unpriced_models,omitempty"` // asked, but their price is unknown, and counted as 0 or, under a limit, as an assumed one
	Estimated    int                `json:"estimated_turns,omitempty"` // of Turns: the server did not tell the tokens, which are estimated
}
