package actors

import (
	"marvin/actors/internal/private"
	"marvin/messages"
	"marvin/providers"
)

// The rules for text and providers. Each message carries the places it was read from. Text from
// a restricted directory marks the conversation even after the message is gone: in summaries,
// sub-agents and their reports, and titles. The only check is in [provider.ask].

// PrivateRule binds a directory, with all below it, to providers.
type PrivateRule = private.Rule

// mayTell says whether words from places may go to a model.
func (config *Config) mayTell(choice Choice, places []string) error {
	if len(config.Models.Private) == 0 || choice.Provider == providers.Offline {
		return nil
	}
	return private.Rules(config.Models.Private).Check(choice.Provider, choice.Model, places)
}

// bound are the directories of rules in which places lie.
func (config *Config) bound(places []string) []string {
	return private.Rules(config.Models.Private).Within(places)
}

// places are what the conversation holds words from: where it works, what is bound already,
// and what its messages were read from.
func (k *sessionState) places() []string {
	return append(append([]string{k.conversation.Dir}, k.conversation.Bound...), messages.Places(k.committed)...)
}
