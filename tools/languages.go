package tools

import (
	"context"
	"errors"

	"marvin/tools/internal/language"
)

// Languages are the language servers that a call may ask, and be asked by.
type Languages interface {
	// Wrote notes what the call changed, about which servers are asked when it is over.
	Wrote(changes []FileChange)
	// Server returns a server for a file, by its real path, and starts it if necessary. The error
	// wraps [ErrNoLanguage] if there is none.
	Server(ctx context.Context, path string, say func(line string)) (*LanguageServer, error)
}

// LanguageServer is a running server.
type LanguageServer = language.Session

// ErrNoLanguage means that no language server that is installed knows a file.
var ErrNoLanguage = errors.New("there is no language server")
