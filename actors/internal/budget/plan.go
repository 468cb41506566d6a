package budget

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// Input is what a compaction begins with.
type Input struct {
	Messages []messages.Message // complete: results follow every call
	Turn     int                // where the turn under way begins; len(Messages) between turns
	Fixed    int                // tokens of the system text and the tools, which stay
	Limits   Limits             // within the model's window
	Count    func(text string) int
	Plan     string // what the model has set out to do, word for word; "" for nothing
	PlanCall string // the call in Messages that says so
	Least    int    // tokens that a conversation may have after [Prune]; 0 for its own share of Compact
	Focus    string // what the summary must keep above all, in the words of a person; "" for nothing
}

// Plan is a compaction that has not happened yet. It is never changed.
type Plan struct {
	input   Input
	old     record             // the summary in front, which the new one replaces
	body    []messages.Message // all others
	dropped []messages.Message // become the summary
	kept    []messages.Message // stand behind it
	turn    int                // where the turn under way begins in kept
	trimmed bool               // long texts in kept were shortened
	parts   []string           // of dropped, as the summarizer reads it
	summary int                // tokens that the summary may take
}

// The notices when a compaction begins and ends (contracts §8).
const (
	NoticeBegin = "🔄 Compacting conversation history..."
	NoticeEnd   = "── Context compacted. Older messages summarized. ──"
)

// NoticeFailed tells people that a compaction came to nothing.
func NoticeFailed(err error) string {
	return fmt.Sprintf("The conversation could not be compacted and is unchanged: %v", err)
}

const (
	keepLast     = 8     // messages that are kept if they fit
	mostSummary  = 4_000 // tokens of a summary
	leastSummary = 200
)

// New plans a compaction. The kept messages take at most half of the room for messages: fewer than
// the last eight stay if they do not fit, and long texts among them are cut to head and tail. The
// last request and the one of the running turn stay whole, whatever their size.
func New(input Input) Plan {
	available := max(input.Limits.Warn-input.Fixed, input.Limits.Refuse/8)
	plan := Plan{input: input, body: input.Messages, summary: min(max(available/8, leastSummary), mostSummary)}
	turn := min(input.Turn, len(input.Messages))
	if len(plan.body) > 0 && isSummary(plan.body[0]) {
		plan.old, plan.body = readSummary(plan.body[0].Text), plan.body[1:]
		turn = max(turn-1, 0)
	}
	for keep := keepLast; ; keep /= 2 {
		plan.keep(keep, turn)
		if plan.shorten(available/2) || keep == 1 {
			break
		}
	}
	if len(plan.dropped) > 0 {
		plan.parts = plan.render()
	}
	return plan
}

// Empty reports that there is nothing to drop or to shorten.
func (p Plan) Empty() bool { return len(p.dropped) == 0 && !p.trimmed }

// keep divides the messages: the last count and what must stay with them, and the rest.
func (p *Plan) keep(count, turn int) {
	all := p.body
	cut := borderBefore(all, len(all)-count)
	p.dropped, p.kept, p.turn, p.trimmed = all[:cut], nil, 0, false
	requests := p.requestsOf(cut, turn)
	for _, position := range requests {
		p.kept = append(p.kept, all[position])
	}
	p.kept = append(p.kept, all[cut:]...)
	switch {
	case turn >= cut:
		p.turn = len(requests) + turn - cut
	case slices.Contains(requests, turn):
		p.turn = slices.Index(requests, turn)
	default: // a turn that does not begin with a request
		p.turn = 0
	}
}

// requestsOf returns the indexes before cut that are kept as well: the request that began the
// running turn, and the one the kept messages continue. The latter is the last request of all
// unless one follows cut.
func (p *Plan) requestsOf(cut, turn int) []int {
	all := p.body
	var kept []int
	if turn < cut && all[turn].Role == messages.User {
		kept = append(kept, turn)
	}
	if cut < len(all) && all[cut].Role == messages.User {
		return kept
	}
	if request := lastRequest(all[:cut]); request >= 0 && !slices.Contains(kept, request) {
		kept = append(kept, request)
	}
	slices.Sort(kept)
	return kept
}

// protected reports whether kept[i] must stay as it is.
func (p *Plan) protected(i int) bool {
	return p.kept[i].Role == messages.User && (i == p.turn || i == lastRequest(p.kept))
}

// Result is a conversation after a compaction.
type Result struct {
	Messages []messages.Message
	Turn     int // where the turn under way begins in Messages
	Before   int // tokens of the question before and after, as planned with
	After    int
}

// ErrNoGain means that a compaction would not have made the conversation shorter.
var ErrNoGain = errors.New("summarizing would free nothing: the part that must stay is as long as the conversation")

// Assemble makes the new conversation from the model's summary, or from [Plan.Mechanical] if that
// is blank. backup is where the old one was saved. On an error, change nothing.
func (p Plan) Assemble(summary, backup string) (Result, error) {
	result := Result{Turn: 1 + p.turn, Before: p.input.Fixed + p.size(p.input.Messages)}
	head := messages.Message{Role: messages.System, Text: p.summaryText(summary, backup), Origin: messages.Origin{Places: messages.Places(p.input.Messages)}}
	result.Messages = append([]messages.Message{head}, p.kept...)
	result.After = p.input.Fixed + p.size(result.Messages)
	if result.After >= result.Before {
		return Result{}, ErrNoGain
	}
	return result, nil
}

// planKept says that the call which made the plan is kept as it was.
func (p Plan) planKept() bool {
	for _, message := range p.kept {
		for _, call := range message.Calls {
			if call.ID == p.input.PlanCall {
				return slices.ContainsFunc(p.body, func(was messages.Message) bool {
					return slices.ContainsFunc(was.Calls, func(before messages.ToolCall) bool {
						return before.ID == call.ID && bytes.Equal(before.Args, call.Args)
					})
				})
			}
		}
	}
	return false
}

// size is in tokens, with the marks that chat formats put around messages and calls.
func (p Plan) size(all []messages.Message) int {
	total := 0
	for _, message := range all {
		total += 4 + p.input.Count(message.Text) + p.input.Count(message.Result.Text) + pictureTokens*(shown(message.Pictures)+shown(message.Result.Pictures))
		for _, call := range message.Calls {
			total += 8 + p.input.Count(call.Name) + p.input.Count(string(call.Args))
		}
	}
	return total
}

// borderBefore is the last border at or in front of at.
func borderBefore(all []messages.Message, at int) int {
	for at > 0 && all[at].Role == messages.Tool {
		at--
	}
	return max(at, 0)
}

// lastRequest is the index of the user's last message, or -1.
func lastRequest(all []messages.Message) int {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Role == messages.User {
			return i
		}
	}
	return -1
}

func isSummary(message messages.Message) bool {
	return message.Role == messages.System && strings.HasPrefix(message.Text, summaryMark)
}
