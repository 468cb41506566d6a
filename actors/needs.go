package actors

import (
	"marvin/actors/internal/private"
	"marvin/messages"
)

// bytesPerToken is the approximate size of a token when nothing was counted.
const bytesPerToken = 4

// needs says what a model must accept in order to continue the conversation.
func (k *sessionState) needs(config *Config) messages.NeedsShown {
	needs := messages.NeedsShown{Tokens: k.context.Used, Bound: config.bound(k.places())}
	bytes := 0
	for _, message := range k.committed {
		needs.Pictures += len(message.Pictures) + len(message.Result.Pictures)
		bytes += len(message.Text) + len(message.Result.Text)
	}
	if needs.Tokens == 0 { // a resumed one before its first request
		needs.Tokens = bytes / bytesPerToken
	}
	return needs
}

// MayTell says whether words from directories may go to a model, as rules have it.
func MayTell(rules []PrivateRule, choice Choice, dirs []string) error {
	return private.Rules(rules).Check(choice.Provider, choice.Model, dirs)
}
