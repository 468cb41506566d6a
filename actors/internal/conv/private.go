package conv

import (
	"marvin/actors/internal/private"
	"marvin/providers"
)

// The rules for text and providers. Each message carries the places it was read from. Text from
// a restricted directory marks the conversation even after the message is gone: in summaries,
// sub-agents and their reports, and titles. The only check is in [provider.ask].

// PrivateRule binds a directory, with all below it, to providers.
type PrivateRule = private.Rule

// MayTell says whether words from places may go to a model.
func (config *Setup) MayTell(choice Choice, places []string) error {
	if len(config.Models.Private) == 0 || choice.Provider == providers.Offline {
		return nil
	}
	return private.Rules(config.Models.Private).Check(choice.Provider, choice.Model, places)
}

// Bound are the directories of rules in which places lie.
func (config *Setup) Bound(places []string) []string {
	return private.Rules(config.Models.Private).Within(places)
}
