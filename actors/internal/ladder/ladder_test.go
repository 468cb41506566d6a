package ladder_test

import (
	"testing"

	"marvin/actors/internal/ladder"
)

func TestEveryFailureHasOneStep(t *testing.T) {
	for name, test := range map[string]struct {
		state ladder.State
		want  ladder.Step
	}{
		"a larger model takes what does not fit":    {ladder.State{Fault: ladder.Overflow, Larger: true, Next: true}, ladder.Grow},
		"also after a summary that was not enough":  {ladder.State{Fault: ladder.Overflow, Larger: true, Shorter: true}, ladder.Grow},
		"without one the conversation gets shorter": {ladder.State{Fault: ladder.Overflow, Next: true}, ladder.Compact},
		"once":                     {ladder.State{Fault: ladder.Overflow, Shorter: true, Next: true}, ladder.Other},
		"and then it is said":      {ladder.State{Fault: ladder.Overflow, Shorter: true}, ladder.Say},
		"a broken answer goes on":  {ladder.State{Fault: ladder.Interrupted, Words: true, Next: true}, ladder.GoOn},
		"once, and then elsewhere": {ladder.State{Fault: ladder.Interrupted, Words: true, Joined: true, Next: true}, ladder.Other},
		"without words there is nothing to go on from": {ladder.State{Fault: ladder.Interrupted, Next: true}, ladder.Other},
		"a refusal goes to the next":                   {ladder.State{Fault: ladder.Refused, Next: true}, ladder.Other},
		"a refusal with words is not joined here":      {ladder.State{Fault: ladder.Refused, Words: true}, ladder.Say},
		"a larger window mends no refusal":             {ladder.State{Fault: ladder.Refused, Larger: true}, ladder.Say},
		"silence goes to the next":                     {ladder.State{Fault: ladder.Silent, Words: true, Next: true}, ladder.Other},
		"silence without a next is said":               {ladder.State{Fault: ladder.Silent, Words: true}, ladder.Say},
		"an endless answer is never asked for again":   {ladder.State{Fault: ladder.Endless, Words: true, Larger: true, Next: true}, ladder.Say},
		"words that may not leave go where they may":   {ladder.State{Fault: ladder.Withheld, Next: true}, ladder.Other},
		"or nowhere": {ladder.State{Fault: ladder.Withheld, Larger: true}, ladder.Say},
	} {
		if got := ladder.Decide(test.state); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestEveryLadderHasAnEnd(t *testing.T) {
	for fault := ladder.Refused; fault <= ladder.Withheld; fault++ {
		for bits := range 32 {
			state := ladder.State{Fault: fault, Words: bits&1 > 0, Joined: bits&2 > 0, Shorter: bits&4 > 0, Larger: bits&8 > 0, Next: bits&16 > 0}
			steps := 0
			for state := state; ; steps++ {
				step := ladder.Decide(state)
				if step == ladder.Say {
					break
				}
				switch step {
				case ladder.Grow:
					state.Larger = false
				case ladder.Compact:
					state.Shorter = true
				case ladder.GoOn:
					state.Joined = true
				case ladder.Other:
					state.Next = false
				}
				if steps > 4 {
					t.Fatalf("%+v does not end", state)
				}
			}
		}
	}
}
