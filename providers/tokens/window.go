package tokens

import "marvin/providers"

// Window returns a model's context window in tokens, or 0 if it is unknown.
func Window(provider, model string) int { return providers.Window(provider, model) }
