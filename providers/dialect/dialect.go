package dialect

import (
	"context"
	"encoding/json"
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// Wrap returns a model that parses tool calls in the text of an answer.
func Wrap(model providers.Model) providers.Model { return decorated{model} }

type decorated struct{ providers.Model }

func (d decorated) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	if len(question.Tools) == 0 {
		return d.Model.Respond(ctx, question, emit)
	}
	f := newFilter(question.Tools, emit)
	reply, err := d.Model.Respond(ctx, question, f.part)
	ended := reply.Finish == providers.Stopped || reply.Finish == providers.Called
	if err != nil || !ended || len(reply.Calls) > 0 {
		f.finish() // only a complete answer without real calls can contain calls in its text
		return reply, err
	}
	if before, calls := f.calls(reply.Text); len(calls) > 0 {
		reply.Text, reply.Calls, reply.Finish = before, calls, providers.Called
		return reply, nil
	}
	f.finish()
	return reply, nil
}

// calls returns the tool calls at the end of an answer, and the text before these calls.
func (f *filter) calls(answer string) (before string, calls []messages.ToolCall) {
	if len(f.held) == 0 {
		return "", nil
	}
	block := string(f.held)
	before, ok := strings.CutSuffix(strings.TrimRight(answer, space), strings.TrimRight(block, space))
	if !ok || strings.Count(before, "<think>") > strings.Count(before, "</think>") {
		return "", nil
	}
	calls, verdict := f.grammar.read(block)
	if verdict != whole {
		return "", nil
	}
	return before, calls
}

const space = " \t\r\n"

// LooksLikeCall reports whether an answer looks like a call that could not be parsed. Such a call
// is cut off or malformed, or its tool is unknown.
func LooksLikeCall(text string) bool {
	trimmed := strings.TrimSpace(text)
	if body, ok := fencedBody(trimmed); ok {
		return resemblesCall(body)
	}
	if strings.HasPrefix(trimmed, "{") {
		return resemblesCall(trimmed)
	}
	fenced := false
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " ")
		if strings.HasPrefix(body, fence) {
			fenced = !fenced
		}
		if !fenced && len(line)-len(body) < quoteIndent && tagged(body) {
			return true
		}
	}
	return false
}

// fencedBody returns the content of a fenced code block if the text consists only of this block.
// The closing fence is optional.
func fencedBody(text string) (string, bool) {
	body, ok := strings.CutPrefix(text, fence)
	if !ok {
		return "", false
	}
	_, body, ok = strings.Cut(body, "\n")
	inside, after, closed := strings.Cut(body, fence)
	return strings.TrimSpace(inside), ok && (!closed || strings.TrimSpace(after) == "")
}

// resemblesCall reports whether text is a JSON object with the keys of a call and no other keys.
// Malformed or incomplete JSON can also contain other keys.
func resemblesCall(text string) bool {
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"name"`) ||
		!strings.Contains(text, `"arguments"`) && !strings.Contains(text, `"parameters"`) {
		return false
	}
	p := parser{rest: text}
	raw, v := p.json('{')
	var fields map[string]json.RawMessage
	if v != whole || json.Unmarshal([]byte(raw), &fields) != nil {
		return true
	}
	return strings.TrimSpace(p.rest) == "" && onlyCallKeys(fields)
}
