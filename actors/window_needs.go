package actors

import (
	"marvin/actors/internal/conv"
	"marvin/actors/internal/private"
)

// MayTell says whether words from directories may go to a model, as rules have it.
func MayTell(rules []conv.PrivateRule, choice conv.Choice, dirs []string) error {
	return private.Rules(rules).Check(choice.Provider, choice.Model, dirs)
}
