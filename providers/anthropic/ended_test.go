package anthropic

import (
	"errors"
	"strings"
	"testing"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// Each event of a stream moves an answer forward: begun, complete, ended.
func TestAnswerProgress(t *testing.T) {
	a := &answer{provider: "mine", Pieces: stream.Pieces{To: func(providers.Part) {}}, index: map[int]*block{}}
	for _, step := range []struct{ event, want string }{
		{`{"type":"ping"}`, ""},
		{`{"type":"message_start","message":{"model":"m","usage":{"input_tokens":3}}}`, "begun"},
		{`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, "begun said"},
		{`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}`, "begun said"},
		{`{"type":"content_block_stop","index":0}`, "begun said"},
		{`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}`, "begun said whole"},
		{`{"type":"message_stop"}`, "begun said whole ended"},
	} {
		if err := a.Take([]byte(step.event)); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, state := range []struct {
			word string
			is   bool
		}{{"begun", a.Begun()}, {"said", a.forwarded()}, {"whole", a.Whole()}, {"ended", a.Ended()}} {
			if state.is {
				got += " " + state.word
			}
		}
		if strings.TrimSpace(got) != step.want {
			t.Errorf("behind %s it is %q, want %q", step.event, got, step.want)
		}
	}
	if err := a.Take([]byte(`{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`)); err == nil || !strings.Contains(err.Error(), "busy") {
		t.Errorf("an error: %v", err)
	}
	if err := a.Take([]byte(`{`)); !errors.Is(err, stream.ErrBroken) || a.broken != 1 || !a.torn {
		t.Errorf("half an event: %v, %d", err, a.broken)
	}
}
