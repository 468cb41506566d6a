package actors

import "marvin/actors/internal/private"

// MayTell says whether words from directories may go to a model, as rules have it.
func MayTell(rules []PrivateRule, choice Choice, dirs []string) error {
	return private.Rules(rules).Check(choice.Provider, choice.Model, dirs)
}
