package tokens

import "marvin/providers"

// Window is the context window of a model, in tokens, and 0 if it is not known.
func Window(provider, model string) int { return providers.Window(provider, model) }
