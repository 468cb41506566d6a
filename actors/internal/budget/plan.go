package budget

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// Input is the input of a compaction.
type Input struct {
	Messages []messages.Message // every call has its result
	Turn     int                // the index in Messages at which the running turn begins; len(Messages) between turns
	Fixed    int                // the number of tokens in the system text and the tools
	Limits   Limits             // adapted to the model's context window
	Count    func(text string) int
	Plan     string // the text of the model's unfinished plan; "" for none
	PlanCall string // the id of the call that made the plan
	Least    int    // [Prune] accepts this size, in tokens, even if the usual target is smaller
	Focus    string // the most important subject of the summary, in the user's words; "" for none
}

// Plan is a planned compaction. It is immutable.
type Plan struct {
	input   Input
	old     record             // the earlier summary, which the new one replaces
	body    []messages.Message // all other messages
	dropped []messages.Message // the messages that the summary replaces
	kept    []messages.Message // the messages after the summary
	turn    int                // the running turn begins at kept[turn]
	trimmed bool               // long text in kept messages was shortened
	parts   []string           // the dropped messages as text, for the model that writes the summary
	summary int                // the maximum length of the summary, in tokens
}

// These notices mark the beginning and the end of a compaction. Programs that start Marvin rely on
// the exact text of the notices.
const (
	NoticeBegin = "🔄 Compacting conversation history..."
	NoticeEnd   = "── Context compacted. Older messages summarized. ──"
)

// NoticeFailed returns the notice that a compaction failed.
func NoticeFailed(err error) string {
	return fmt.Sprintf("The conversation could not be compacted and is unchanged: %v", err)
}

const (
	keepLast     = 8     // how many of the last messages a compaction tries to keep
	mostSummary  = 4_000 // in tokens
	leastSummary = 200
)

// New returns the plan of a compaction. The kept messages should fit into half of the tokens that
// are available for messages. New first keeps the last eight messages, and if necessary omits the
// middle of long texts, oldest first. If this is not enough, New keeps fewer messages. The last
// request and the request of the running turn are never shortened.
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

// Empty reports whether there is nothing to drop or to shorten.
func (p Plan) Empty() bool { return len(p.dropped) == 0 && !p.trimmed }

// keep divides the messages into dropped and kept messages. It keeps at least the given number of
// messages from the end. It also keeps the earlier requests that must stay.
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
	default: // the turn does not begin with a request
		p.turn = 0
	}
}

// requestsOf returns the indexes of the kept requests before the cut: the request of the running
// turn and, if p.body[cut] is not a request, the last request.
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

func (p *Plan) protected(i int) bool {
	return p.kept[i].Role == messages.User && (i == p.turn || i == lastRequest(p.kept))
}

// Result is a conversation after a compaction.
type Result struct {
	Messages []messages.Message
	Turn     int // the index in Messages at which the running turn begins
	Before   int // the size of the request before the compaction, in tokens
	After    int // the size of the request after the compaction, in tokens
}

// ErrNoGain means that a compaction would not have made the conversation shorter.
var ErrNoGain = errors.New("a summary would not make the conversation shorter")

// Assemble makes the new conversation from the model's summary, or from [Plan.SummaryWithoutModel]
// if the summary is blank. If the plan drops no messages, Assemble uses the earlier summary. It
// adds the path of the backup to the list of backups. If Assemble returns an error, the caller must
// keep the old conversation.
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

// size returns the number of tokens in the messages, including the overhead of chat formats.
func (p Plan) size(all []messages.Message) int {
	total := 0
	for _, message := range all {
		total += 4 + p.input.Count(message.Text) + p.input.Count(message.Result.Text) + pictureTokens*(countShown(message.Pictures)+countShown(message.Result.Pictures))
		for _, call := range message.Calls {
			total += 8 + p.input.Count(call.Name) + p.input.Count(string(call.Args))
		}
	}
	return total
}

// borderBefore moves a cut toward the start, to keep each tool result with its call.
func borderBefore(all []messages.Message, at int) int {
	for at > 0 && all[at].Role == messages.Tool {
		at--
	}
	return max(at, 0)
}

// lastRequest returns the index of the user's last message, or -1.
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
