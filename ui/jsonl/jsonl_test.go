package jsonl_test

import (
	"strings"
	"testing"

	"marvin/ui/jsonl"
)

// This type counts the calls of Write.
type once struct {
	strings.Builder
	calls int
}

func (o *once) Write(data []byte) (int, error) {
	o.calls++
	return o.Builder.Write(data)
}

func TestLinesAreWrittenTogether(t *testing.T) {
	var out once
	if err := jsonl.NewWriter(&out).Write("a<b>", map[string]int{"n": 1}); err != nil {
		t.Fatal(err)
	}
	if out.String() != "\"a<b>\"\n{\"n\":1}\n" || out.calls != 1 {
		t.Errorf("%d calls: %q", out.calls, out.String())
	}
	if err := jsonl.NewWriter(&out).Write(func() {}); err == nil || out.calls != 1 {
		t.Errorf("what cannot be encoded: %v, %d calls", err, out.calls)
	}
}
