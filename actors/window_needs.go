package actors

import (
	"marvin/actors/internal/conv"
	"marvin/actors/internal/private"
)

// MayTell returns an error if the rules forbid sending text from these directories to the model.
func MayTell(rules []conv.PrivateRule, choice conv.Choice, dirs []string) error {
	return private.Rules(rules).Check(choice.Provider, choice.Model, dirs)
}
