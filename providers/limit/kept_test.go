package limit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/limit"
)

// spoken is a model that sends parts and then returns a reply.
type spoken struct {
	parts []providers.Part
	reply providers.Reply
	err   error
	seen  *context.Context
}

func (s spoken) Close() error { return nil }

func (s spoken) Respond(ctx context.Context, _ providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	for _, part := range s.parts {
		emit(part)
	}
	if s.seen != nil {
		*s.seen = ctx
	}
	return s.reply, s.err
}

func TestAnAnswerWithinItsLimitsIsWhole(t *testing.T) {
	half := strings.Repeat("x", limit.MaxText/2)
	text, thought, anew := providers.Part{Kind: providers.TextPart, Text: half}, providers.Part{Kind: providers.ThinkingPart, Text: half}, providers.Part{Kind: providers.AnewPart}
	sealed := providers.Part{Kind: providers.ThinkingPart, Kept: limit.MaxText / 2}
	one, written := providers.Part{Kind: providers.TextPart, Text: "y"}, providers.Part{Kind: providers.CallingPart, Size: limit.MaxArguments}
	failed := errors.New("the line went dead")
	for name, test := range map[string]struct {
		model spoken
		want  string
		calls int
	}{
		"exactly":               {spoken{parts: []providers.Part{text, text}}, "", 0},
		"one more":              {spoken{parts: []providers.Part{text, text, one}}, "its text is longer than 8 MiB", 0},
		"anew":                  {spoken{parts: []providers.Part{text, text, anew, text, text}}, "", 0},
		"thought and said":      {spoken{parts: []providers.Part{thought, thought, text, text}}, "", 0},
		"thought more":          {spoken{parts: []providers.Part{thought, thought, {Kind: providers.ThinkingPart, Text: "y"}}}, "its reasoning is longer than 8 MiB", 0},
		"written":               {spoken{parts: []providers.Part{written, written}}, "", 0},
		"written more":          {spoken{parts: []providers.Part{written, written, {Kind: providers.CallingPart}}}, "the arguments of its calls", 0},
		"sealed":                {spoken{parts: []providers.Part{sealed, sealed, text}}, "", 0},
		"sealed more":           {spoken{parts: []providers.Part{sealed, sealed, {Kind: providers.ThinkingPart, Kept: 1}}}, "more than 8 MiB of data besides its text", 0},
		"most calls":            {spoken{reply: providers.Reply{Calls: make([]messages.ToolCall, limit.MaxCalls)}}, "", limit.MaxCalls},
		"more calls":            {spoken{reply: providers.Reply{Calls: make([]messages.ToolCall, limit.MaxCalls+1)}}, "the limit is 8192 at once", 0},
		"a large call":          {spoken{reply: providers.Reply{Calls: []messages.ToolCall{{Args: make([]byte, limit.MaxArguments)}}}}, "", 1},
		"a larger call":         {spoken{reply: providers.Reply{Calls: []messages.ToolCall{{Name: "f", Args: make([]byte, limit.MaxArguments+1)}}}}, `a call to "f"`, 0},
		"a failure":             {spoken{parts: []providers.Part{text}, err: failed}, "the line went dead", 0},
		"a failure, more calls": {spoken{err: failed, reply: providers.Reply{Calls: make([]messages.ToolCall, limit.MaxCalls+1)}}, "the line went dead", limit.MaxCalls + 1},
	} {
		reply, err := limit.Wrap(test.model).Respond(t.Context(), providers.Question{}, func(providers.Part) {})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) || len(reply.Calls) != test.calls {
			t.Errorf("%s: %d calls, %v, want %q", name, len(reply.Calls), err, test.want)
		}
	}
}

// Late usage is read in the context of its question, and the wait ends with that context.
func TestLateUsageIsReadInTheContextOfItsQuestion(t *testing.T) {
	var ctx context.Context
	model := spoken{seen: &ctx, reply: providers.Reply{Rest: func() providers.Usage { return providers.Usage{Input: 7, Known: ctx.Err() == nil} }}}
	reply, err := limit.Wrap(model).Respond(t.Context(), providers.Question{}, func(providers.Part) {})
	if err != nil || ctx.Err() != nil || reply.Rest == nil {
		t.Fatalf("%v, %v", err, ctx.Err())
	}
	if usage := reply.Rest(); usage.Input != 7 || !usage.Known || ctx.Err() == nil {
		t.Errorf("%+v, and then %v", usage, ctx.Err())
	}
	model.reply.Rest = nil
	if _, err := limit.Wrap(model).Respond(t.Context(), providers.Question{}, func(providers.Part) {}); err != nil || ctx.Err() == nil {
		t.Errorf("without a rest: %v, %v", err, ctx.Err())
	}
}
