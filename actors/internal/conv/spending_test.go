package conv

import (
	"context"
	"testing"
)

func TestACancelBeginsNoRequest(t *testing.T) {
	spending := &Spending{}
	subAgents, dismiss := context.WithCancel(t.Context())
	var told []string
	asks := func(name string, life context.Context) *Claim {
		return &Claim{Limit: 1, Life: life, Ready: func() { told = append(told, name) }}
	}
	running := asks("running", subAgents)
	if !spending.Claim(running) || spending.Claim(asks("brother", subAgents)) || spending.Claim(asks("stranger", nil)) {
		t.Fatal("until it is known what a request costs there is one at a time")
	}
	dismiss()
	spending.Settle(running, 0)
	if late := asks("late", subAgents); spending.Claim(late) || late.granted {
		t.Error("one of the dismissed began")
	}
	if len(told) != 1 || told[0] != "stranger" {
		t.Errorf("it goes on with %v", told)
	}
}
