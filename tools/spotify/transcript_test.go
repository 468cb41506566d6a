package spotify

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestSpotifyTools(t *testing.T) {
	played := toolstest.FakeServer(t, "accounts.spotify.com", "api.spotify.com")
	played.Shown = []string{"Authorization"}
	env := toolstest.Env(t, "SPOTIFY_CLIENT_ID=app")
	now := env.Now()
	env.Now = func() time.Time { return now }
	home := persistence.Open(env.Home, env.Now)
	env.Profile = home.Profile("alex").Dir
	service := New(played.Client, home)
	service.listen = "127.0.0.1:0"
	t.Cleanup(service.Close)
	state := ""
	random := regexp.MustCompile(`(state|code_challenge|code_verifier)=([^&\s]+)`)
	mask := func(text string) string {
		for _, found := range random.FindAllStringSubmatch(text, -1) {
			if found[1] == "state" {
				state = found[2]
			}
		}
		return random.ReplaceAllString(text, "$1=RANDOM")
	}
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		text, err := played.Command(func(tool, args string) (string, error) {
			args = strings.ReplaceAll(args, "STATE", state)
			switch tool {
			case "later":
				wait, err := time.ParseDuration(args)
				now = now.Add(wait)
				return "", err
			case "environ":
				env.Environ = strings.Fields(args)
				return "", nil
			case "person":
				env.Person = args == "here"
				return "", nil
			case "kept":
				content, err := os.ReadFile(filepath.Join(env.Profile, "tokens.json"))
				return regexp.MustCompile(`"(state|verifier|code_verifier)": "[^"]+"`).ReplaceAllString(string(content), `"$1": RANDOM`), err
			case "keep":
				if err := os.MkdirAll(env.Profile, 0o700); err != nil {
					return "", err
				}
				return "", os.WriteFile(filepath.Join(env.Profile, "tokens.json"), []byte(args), 0o600)
			case "browser":
				service.mu.Lock()
				waiting := service.waiting
				service.mu.Unlock()
				if waiting == nil {
					return "nobody listens", nil
				}
				response, err := http.Get("http://" + waiting.address + args)
				if err != nil {
					return "", err
				}
				defer response.Body.Close()
				var said [500]byte
				n, _ := response.Body.Read(said[:])
				return fmt.Sprintf("%s %s %s: %s", response.Status, response.Header.Get("Content-Type"), response.Header.Get("Referrer-Policy"), said[:n]), nil
			}
			return toolstest.Call(t, service.Tools(), env, tool, args)
		})(tool, args)
		if err != nil {
			err = errors.New(strings.ReplaceAll(err.Error(), env.Home, "HOME"))
		}
		return mask(text), err
	})
}

// TestTrackSpellings records which texts count as a track, an address or a code.
func TestTrackSpellings(t *testing.T) {
	const id = "3cEYpjA9oz9GiPac4AsH4n"
	for text, want := range map[string]string{
		id: id, " " + id + " ": id, "spotify:track:" + id: id, "https://open.spotify.com/track/" + id + "?si=x": id, "open.spotify.com/intl-de/track/" + id: id,
		"https://elsewhere.example/intl-de/track/" + id: "", "spotify:album:" + id: "", id + "x": "", id[1:]: "", id[1:] + "-": "", "": "", "https://open.spotify.com/album/" + id: "",
	} {
		if got, ok := idIn(text, "track"); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %t", text, got, ok)
		}
	}
	for text, want := range map[string]bool{"USRC17607839": true, "us-rc1-76-07839": true, "USRC1760783": false, "USRC176078390": false, "1SRC17607839": false, "U1RC17607839": false, "US1C17607839": true, "USRC1X607839": false, "US-C.7607839": false, "USRC1760783X": false, "ÄSRC1760783": false, "AZAZ00000000": true, "AZ0A99999999": true, "@ZAZ00000000": false, "A[AZ00000000": false} {
		if isISRC(text) != want {
			t.Errorf("%q is a code: %t", text, !want)
		}
	}
	for given, want := range map[string]string{
		"Hello, Goodbye": "Hello, Goodbye", "So What,spotify:track:" + id: "So What|spotify:track:" + id, "a; b\nUSRC17607839, c, d": "a, b|USRC17607839|c, d",
		"USRC17607839": "USRC17607839", "USRC17607839, ": "USRC17607839", ",": ",", "a," + id: "a," + id,
	} {
		if got := strings.Join(splitTracks([]string{given}), "|"); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}
