package conv

import (
	"marvin/actors/internal/private"
	"marvin/providers"
)

// Only certain providers can see text from a private directory. Each message records the possible
// sources of its text. A conversation stays private even after a message with private text is gone,
// because summaries, sub-agent reports and titles can repeat the text. Package model makes the
// final check, before each request.

// PrivateRule restricts a directory and everything below it to certain providers.
type PrivateRule = private.Rule

// MayTell returns an error if the rules for private directories forbid sending text from the given
// paths to the model.
func (config *Setup) MayTell(choice Choice, places []string) error {
	if len(config.Models.Private) == 0 || choice.Provider == providers.Offline {
		return nil
	}
	return private.Rules(config.Models.Private).Check(choice.Provider, choice.Model, places)
}

// PrivateDirs returns the private directories that contain at least one of the given paths.
func (config *Setup) PrivateDirs(places []string) []string {
	return private.Rules(config.Models.Private).Within(places)
}
