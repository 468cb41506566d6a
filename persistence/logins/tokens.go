package logins

import (
	"encoding/json"
	"os"

	"marvin/persistence/internal/store"
)

// Tokens is the content of tokens.json, which holds the tokens for services. [ChangeTokens]
// preserves JSON keys that Tokens does not name.
type Tokens struct {
	Spotify *SpotifyToken `json:"spotify,omitempty"`
	Login   *SpotifyLogin `json:"spotify_login,omitempty"`
}

// SpotifyToken is Spotify's reply to a request for a token. SavedAt is the time at which Marvin
// received the reply, in Unix seconds.
type SpotifyToken struct {
	AccessToken  string  `json:"access_token"`
	TokenType    string  `json:"token_type"`
	Scope        string  `json:"scope"`
	ExpiresIn    int64   `json:"expires_in"` // seconds
	RefreshToken string  `json:"refresh_token"`
	SavedAt      float64 `json:"_saved_at"`
}

// SpotifyLogin is an unfinished login in a browser. The process that began the login may have
// ended.
type SpotifyLogin struct {
	State    string  `json:"state"`
	Verifier string  `json:"verifier"`
	SavedAt  float64 `json:"_saved_at"`
}

func tokenFile(p store.Profile) store.Document[Tokens] {
	return store.Document[Tokens]{Home: p.Home, Path: p.Path("tokens.json"), Survives: store.Lasting}
}

// TokensOf reads the profile's tokens. If the profile has no token for Spotify, TokensOf looks in
// the files that earlier versions of Marvin kept for all profiles.
func TokensOf(p store.Profile) (Tokens, error) {
	if info, err := os.Stat(p.Path("tokens.json")); err == nil && info.Mode().Perm() != 0o600 {
		// An earlier version of Marvin let other users read the file. If Chmod fails, TokensOf still
		// reads the file.
		_ = os.Chmod(p.Path("tokens.json"), 0o600)
	}
	tokens, err := tokenFile(p).Load()
	if err == nil && tokens.Spotify == nil {
		tokens.Spotify = earlierSpotifyToken(earlierTokens(p.Home))
	}
	return tokens, err
}

// ChangeTokens updates tokens.json under a lock. If the callback fails, nothing is written.
func ChangeTokens(p store.Profile, change func(*Tokens) error) error {
	return tokenFile(p).Change(change)
}

// LockLogin prevents two Marvin processes from refreshing the profile's tokens at the same time.
// Some services accept a refresh token only once.
func LockLogin(p store.Profile) (unlock func() error, err error) {
	_, unlock, err = p.Home.LockFile(p.Path("login"), store.LockWait)
	return unlock, err
}

// earlierSpotifyToken returns the first usable token in the files, or nil if there is none. It
// ignores errors, because the user can log in again.
func earlierSpotifyToken(files []string) *SpotifyToken {
	for _, path := range files {
		var token struct {
			SpotifyToken
			ExpiresAt float64 `json:"expires_at"` // milliseconds, TypeScript only
		}
		data, err := store.ReadWhole(path, store.DocumentLimit)
		if err != nil || json.Unmarshal(data, &token) != nil || token.RefreshToken == "" {
			continue
		}
		if token.ExpiresAt > 0 {
			// A file of the TypeScript version has no expires_in, so SavedAt holds the expiry time.
			token.SavedAt = token.ExpiresAt / 1000
		}
		return &token.SpotifyToken
	}
	return nil
}
