package host

import (
	"context"

	climemory "marvin/cmd/marvin/internal/cli/memory"
	"marvin/cmd/marvin/internal/facts"
	"marvin/persistence/memory"
)

// Memory implements [command.Host].
func (h persons) Memory(_ context.Context, words, profile, dir string) (string, error) {
	store := memory.Open(h.parts.Config.Home)
	return facts.Editor{
		Store: store, Where: memory.Location{Profile: profile, Dir: dir}, Source: h.source(), Secret: climemory.KeysIn(h.parts.World),
	}.Command(words)
}

// source describes the origin of facts typed in this conversation.
func (h persons) source() string {
	if h.parts.Talking != nil {
		if id := h.parts.Talking(); id != "" {
			return "conversation " + id + ", typed"
		}
	}
	return "typed in a conversation"
}

// Rule implements [command.Host].
func (h persons) Rule(dir, text string, write bool) (path, diff string, err error) {
	return facts.AddRule(dir, text, write)
}
