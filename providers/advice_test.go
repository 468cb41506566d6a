package providers

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestAdviceIsANextStep(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&StatusError{Provider: "groq", Status: 402}, "add credit"},
		{&StatusError{Provider: "groq", Status: 404}, "marvin models"},
		{&StatusError{Provider: "groq", Status: 400}, "try another model"},
		{&StatusError{Provider: "groq", Status: 429}, "wait a while"},
		{&StatusError{Provider: "groq", Status: 503}, "ask again later"},
		{fmt.Errorf("ask groq: %w for 3s", ErrSilent), "MARVIN_SILENCE_TIMEOUT"},
		{fmt.Errorf("%w: the connection broke", ErrCut), "ask the model for the rest"},
		{fmt.Errorf("%w: it has 900 calls", ErrTooMuch), "less at a time"},
		// These errors contain their own advice.
		{&StatusError{Provider: "groq", Status: 401}, ""},
		{&StatusError{Provider: "groq", Status: 429, RetryAfter: time.Hour}, ""},
		{&StatusError{Provider: "ollama", Status: 404}, ""},
		{&StatusError{Provider: "groq", Status: 400, Message: "maximum context length is 8192"}, ""},
		{fmt.Errorf("%w to x: refused; check the network", ErrUnreachable), ""},
	} {
		if got := Advice(test.err); test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
