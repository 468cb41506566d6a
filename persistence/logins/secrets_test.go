package logins

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

func TestLoginSecretsAreKnown(t *testing.T) {
	user := t.TempDir()
	for path, content := range map[string]string{
		".config/marvin/profiles/alex/tokens.json": `{"spotify":{"access_token":"a-access","token_type":"Bearer","scope":"s","expires_in":3600,"refresh_token":"a-refresh","_saved_at":1},
			"spotify_login":{"state":"public","verifier":"a-verifier","_saved_at":1},"elsewhere":[{"API_Key":"a-key","client_secret":"a-secret","name":"me"}]}`,
		".config/marvin/profiles/sam/tokens.json":  `{"spotify":{"refresh_token":"b-refresh"}}`,
		".config/marvin/profiles/half/tokens.json": `{"spotify":{"refresh_token":"c-re`,
		".config/marvin/profiles/none/usage.json":  `{"token":"no-secret"}`,
		".config/marvin/spotify_token.json":        `{"access_token":"p-access","refresh_token":"p-refresh","expires_in":1}`,
		".marvin/spotify-tokens.json":              `{"access_token":"t-access","refresh_token":"","expires_at":1}`,
	} {
		putFile(t, filepath.Join(user, path), content)
	}
	got := Secrets(store.Open(user, time.Now))
	slices.Sort(got)
	if want := "a-access a-key a-refresh a-secret a-verifier b-refresh p-access p-refresh t-access"; strings.Join(got, " ") != want {
		t.Errorf("%q, not %s", got, want)
	}
	for _, none := range []string{"", t.TempDir()} {
		if got := Secrets(store.Open(none, time.Now)); got != nil {
			t.Errorf("%q has %q", none, got)
		}
	}
}
