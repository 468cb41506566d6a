package conv

import (
	"marvin/actors/internal/private"
	"marvin/providers"
)

// Rules that let only some providers see the text from a directory. Each message carries the places
// from which its text was read. The conversation stays marked even after a message with private
// text is gone, because summaries, sub-agent reports and titles may repeat the text. Package model
// makes the final check, before each request.

// PrivateRule restricts a directory and everything below it to certain providers.
type PrivateRule = private.Rule

// MayTell returns an error if the model must not see text that was read from one of the places.
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
