package conv

import (
	"marvin/actors/internal/private"
	"marvin/providers"
)

// Rules that allow text only for some providers. Each message carries the places from which it was
// read. The conversation stays marked even when a message with private text is gone, because
// summaries, reports of sub-agents, and titles may repeat the text. The only check is in
// [provider.ask].

// PrivateRule restricts a directory and everything below it to certain providers.
type PrivateRule = private.Rule

// MayTell returns an error if text from the places must not go to a model.
func (config *Setup) MayTell(choice Choice, places []string) error {
	if len(config.Models.Private) == 0 || choice.Provider == providers.Offline {
		return nil
	}
	return private.Rules(config.Models.Private).Check(choice.Provider, choice.Model, places)
}

// PrivateDirs returns the private directories that contain any of the places.
func (config *Setup) PrivateDirs(places []string) []string {
	return private.Rules(config.Models.Private).Within(places)
}
