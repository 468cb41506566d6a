package logins

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
	"marvin/persistence/personal"
)

// Secrets returns the secrets in Marvin's own files: logins.json, each profile's tokens.json, and
// the token files from earlier versions of Marvin. It reads the files each time, because services
// renew the secrets. It skips unreadable files.
func Secrets(h *store.Home) (values []string) {
	paths := append(earlierTokens(h), h.Path("logins.json"))
	names, _ := personal.Profiles(h)
	for _, name := range names {
		paths = append(paths, h.Profile(name).Path("tokens.json"))
	}
	for _, path := range paths {
		data, err := store.ReadWhole(path, store.DocumentLimit)
		var document any
		if err == nil && len(data) > 0 && json.Unmarshal(data, &document) == nil {
			values = append(values, secretsIn("", document)...)
		}
	}
	return values
}

// secretsIn returns the strings whose JSON key, such as "access_token", indicates a secret.
func secretsIn(name string, document any) (values []string) {
	switch value := document.(type) {
	case map[string]any:
		for name, inner := range value {
			values = append(values, secretsIn(strings.ToLower(name), inner)...)
		}
	case []any:
		for _, inner := range value {
			values = append(values, secretsIn(name, inner)...)
		}
	case string:
		if name == "token_type" || value == "" {
			return nil
		}
		for _, word := range []string{"token", "secret", "verifier", "password", "key"} {
			if strings.Contains(name, word) {
				return []string{value}
			}
		}
	}
	return values
}

// earlierTokens returns the paths of the token files that earlier versions of Marvin wrote.
func earlierTokens(h *store.Home) []string {
	paths := []string{h.Path("spotify_token.json")}
	if h.User != "" {
		paths = append(paths, filepath.Join(h.User, ".marvin", "spotify-tokens.json"))
	}
	return paths
}
