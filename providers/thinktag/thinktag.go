// Package thinktag finds reasoning in tags, such as <think>, at the beginning of an answer. Models
// write such tags if the server does not know their template.
package thinktag

import (
	"context"
	"strings"

	"marvin/providers"
)

// pairs are the tags around reasoning. Most models, such as Qwen and DeepSeek, use the first pair.
// Seed, Kimi and Magistral have their own tags, and gpt-oss has channels.
var pairs = []struct{ begin, end string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"◁think▷", "◁/think▷"},
	{"[THINK]", "[/THINK]"},
	{"<|begin_of_thought|>", "<|end_of_thought|>"},
	{"<|channel|>analysis<|message|>", "<|end|>"},
}

// These tags can separate reasoning from the answer. The first two are channel tags of gpt-oss.
var between = []string{"<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>", "<|begin_of_solution|>"}

// Wrap returns a model that emits tagged reasoning as [providers.ThinkingPart]s. If the end tag is
// missing, the whole answer is reasoning.
func Wrap(model providers.Model) providers.Model { return tagged{model} }

type tagged struct{ providers.Model }

// Respond implements [providers.Model].
func (t tagged) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	f := &filter{emit: emit}
	reply, err := t.Model.Respond(ctx, question, f.part)
	if !f.heard && reply.Text != "" { // the model emitted no text
		f.say(reply.Text)
	}
	f.finish()
	cut := len(reply.Text) - f.words
	if cut <= 0 {
		return reply, err
	}
	reply.Text = reply.Text[cut:]
	for i := range reply.Thinking {
		reply.Thinking[i].Offset = max(0, reply.Thinking[i].Offset-cut)
	}
	return reply, err
}

// state is the parser's position in an answer.
type state uint8

const (
	begins   state = iota // before any reasoning or text
	thinks                // inside the reasoning
	follows               // between the reasoning and the answer
	answered              // in the text of the answer
)

type filter struct {
	emit  func(providers.Part)
	state state
	held  string // text that could become a tag
	end   string // the end tag of the reasoning
	words int    // length in bytes of the forwarded answer
	heard bool   // part of the answer has arrived
}

func (f *filter) part(part providers.Part) {
	switch part.Kind {
	case providers.TextPart:
		f.say(part.Text)
		return
	case providers.AnewPart: // the answer begins again
		f.finish()
		*f = filter{emit: f.emit}
	case providers.ThinkingPart, providers.CallingPart, providers.NoticePart:
	}
	f.emit(part)
}

func (f *filter) say(text string) {
	f.heard = f.heard || text != ""
	if f.state == answered {
		f.pass(text)
		return
	}
	f.held += text
	for more := true; more; {
		more = f.step()
	}
}

// step consumes the held text up to the next tag, except text that could be part of a tag. If it
// found a tag, it returns true, and another step can follow.
func (f *filter) step() bool {
	switch f.state {
	case begins:
		trimmed := strings.TrimLeft(f.held, " \t\r\n")
		for _, pair := range pairs {
			if rest, ok := strings.CutPrefix(trimmed, pair.begin); ok {
				f.state, f.end, f.held = thinks, pair.end, rest
				return true
			}
			if strings.HasPrefix(pair.begin, trimmed) {
				return false // the text may still become a tag
			}
		}
		f.answer(f.held)
	case thinks:
		thought, rest, ended := strings.Cut(f.held, f.end)
		if !ended {
			keep := overlap(f.held, f.end)
			f.think(f.held[:len(f.held)-keep])
			f.held = f.held[len(f.held)-keep:]
			return false
		}
		f.think(thought)
		f.state, f.held = follows, rest
		return true
	case follows:
		trimmed := strings.TrimLeft(f.held, " \t\r\n")
		for _, mark := range between {
			if rest, ok := strings.CutPrefix(trimmed, mark); ok {
				f.held = rest
				return true
			}
			if strings.HasPrefix(mark, trimmed) {
				return false
			}
		}
		f.answer(trimmed)
	case answered:
	}
	return false
}

// overlap returns the length of the longest suffix of text that is a proper prefix of tag.
func overlap(text, tag string) int {
	for size := min(len(tag)-1, len(text)); size > 0; size-- {
		if strings.HasSuffix(text, tag[:size]) {
			return size
		}
	}
	return 0
}

func (f *filter) answer(text string) {
	f.state, f.held = answered, ""
	f.pass(text)
}

func (f *filter) pass(text string) {
	if text != "" {
		f.words += len(text)
		f.emit(providers.Part{Kind: providers.TextPart, Text: text})
	}
}

func (f *filter) think(text string) {
	if text != "" {
		f.emit(providers.Part{Kind: providers.ThinkingPart, Text: text})
	}
}

func (f *filter) finish() {
	switch held := f.held; f.state {
	case begins:
		f.answer(held)
	case thinks:
		f.think(held)
	case follows:
		f.answer(strings.TrimLeft(held, " \t\r\n"))
	case answered:
	}
	f.held = ""
}
