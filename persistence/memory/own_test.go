package memory_test

import (
	"testing"

	"marvin/persistence/memory"
)

func TestForgettingNeedsARequestWithoutNegation(t *testing.T) {
	t.Parallel()
	facts := []memory.Fact{{Text: "my dog is Rex"}}
	for typed, want := range map[string]bool{
		"forget that my dog is Rex":                        true,
		"Oublie my dog is Rex":                             true,
		"I moved. Please forget my dog is Rex":             true,
		"don't forget my dog is Rex":                       false,
		"Do not ever forget that my dog is Rex":            false,
		"I don't want you to forget my dog is Rex":         false,
		"Vergiss nicht: my dog is Rex":                     false,
		"Forget about dinner. Don't forget my dog is Rex":  false,
		"N'oublie surtout pas my dog is Rex":               false,
		"I dont want you to forget my dog is Rex":          false,
		"Vergiss my dog is Rex nicht":                      false,
		"n'oublie pas: my dog is Rex":                      false,
		"remember that my dog is Rex, and never forget it": false,
	} {
		if got := memory.OwnForgetting(typed, facts); got != want {
			t.Errorf("%q: %t", typed, got)
		}
	}
	for typed, want := range map[string]bool{
		"don't forget my dog is Rex":        true,
		"do not remember my dog is Rex":     false,
		"vergiss nicht: my dog is Rex":      true,
		"never remember that my dog is Rex": false,
	} {
		if got := memory.OwnFact(typed, "my dog is Rex"); got != want {
			t.Errorf("fact, %q: %t", typed, got)
		}
	}
}
