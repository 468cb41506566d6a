package main

import (
	"bytes"
	"testing"

	"marvin/providers/modeltest"
	"marvin/providers/tokens"
)

// Each of 32 processes pays for the first request of a coding conversation, with the system text
// and all initial tools, before it does anything. The same bytes are sent again with every step.
func TestTheFirstRequestOfACodingConversationIsSmall(t *testing.T) {
	asked := make(chan []byte, 8)
	command := process(t, func(request modeltest.Request) modeltest.Step {
		asked <- request.Raw
		return modeltest.Text("yes")
	}, "-p", "go")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	raw := bytes.ReplaceAll(<-asked, []byte(command.Dir), []byte("/home/user/project"))
	count := new(tokens.Counter).MeterFor("openai-compat", "x").Text(string(raw))
	t.Logf("%d tokens, %d bytes", count, len(raw))
	if count > 2500 || len(raw) > 10_100 { // with more bytes thirty small steps send over 1.5 times what pi sends
		t.Errorf("%d tokens, %d bytes:\n%s", count, len(raw), raw)
	}
}
