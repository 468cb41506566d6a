package logins

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

func putFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTokensArePrivateAndThoseOfOtherServicesStay(t *testing.T) {
	home := store.Open(t.TempDir(), time.Now)
	profile := home.Profile("alex")
	path := filepath.Join(profile.Dir, "tokens.json")
	putFile(t, path, `{"google": {"refresh_token": "g"}}`)
	err := ChangeTokens(profile, func(tokens *Tokens) error {
		tokens.Spotify = &SpotifyToken{AccessToken: "a", RefreshToken: "r", ExpiresIn: 3600, SavedAt: 5.5}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(content), `"google": {
    "refresh_token": "g"`) || !strings.Contains(string(content), `"_saved_at": 5.5`) || strings.Contains(string(content), "spotify_login") {
		t.Errorf("%s, %v", content, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	refused := errors.New("no")
	if err := ChangeTokens(profile, func(tokens *Tokens) error { tokens.Spotify = nil; return refused }); !errors.Is(err, refused) {
		t.Error(err)
	}
	if tokens, err := TokensOf(profile); err != nil || tokens.Spotify == nil || tokens.Spotify.RefreshToken != "r" {
		t.Errorf("%+v, %v", tokens.Spotify, err)
	}
}

func TestTokensOfEarlierMarvins(t *testing.T) {
	for name, file := range map[string][2]string{
		"python":     {".config/marvin/spotify_token.json", `{"access_token": "a", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r", "scope": "x", "_saved_at": 1771000000.5}`},
		"typescript": {".marvin/spotify-tokens.json", `{"access_token":"a","refresh_token":"r","expires_at":1771000000500}`},
	} {
		user := t.TempDir()
		putFile(t, filepath.Join(user, file[0]), file[1])
		tokens, err := TokensOf(store.Open(user, time.Now).Profile("alex"))
		if err != nil || tokens.Spotify == nil || tokens.Spotify.RefreshToken != "r" || tokens.Spotify.SavedAt != 1771000000.5 {
			t.Errorf("%s: %+v, %v", name, tokens.Spotify, err)
		}
	}
	user := t.TempDir()
	putFile(t, filepath.Join(user, ".config/marvin/spotify_token.json"), "{")
	if tokens, err := TokensOf(store.Open(user, time.Now).Profile("alex")); err != nil || tokens.Spotify != nil {
		t.Errorf("damaged: %+v, %v", tokens, err)
	}
	if tokens, err := TokensOf(store.Open(t.TempDir(), time.Now).Profile("alex")); err != nil || tokens.Spotify != nil {
		t.Errorf("%+v, %v", tokens, err)
	}
	if tokens, err := TokensOf(store.Open("", time.Now).Profile("alex")); err != nil || tokens.Spotify != nil {
		t.Errorf("without a home: %+v, %v", tokens, err)
	}
}
