package tokens

import "marvin/providers"

// Window returns the context window of a model in tokens, 0 if it is unknown.
func Window(provider, model string) int { return providers.Window(provider, model) }
