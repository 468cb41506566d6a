package actors

import (
	"context"
	"testing"
)

// What a cancelled request gives back goes to none that is about to be cancelled too.
func TestFindingR14ACancelBeginsNoRequest(t *testing.T) {
	spending := &Spending{}
	subAgents, dismiss := context.WithCancel(t.Context())
	var told []string
	asks := func(name string, life context.Context) *claim {
		return &claim{limit: 1, life: life, ready: func() { told = append(told, name) }}
	}
	running := asks("running", subAgents)
	if !spending.claim(running) || spending.claim(asks("brother", subAgents)) || spending.claim(asks("stranger", nil)) {
		t.Fatal("until it is known what a request costs there is one at a time")
	}
	dismiss()
	spending.settle(running, 0)
	if late := asks("late", subAgents); spending.claim(late) || late.granted {
		t.Error("one of the dismissed began")
	}
	if len(told) != 1 || told[0] != "stranger" {
		t.Errorf("it goes on with %v", told)
	}
}
