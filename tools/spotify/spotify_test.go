package spotify

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	clientID = "0123456789abcdef0123456789abcdef"
	secret   = "fedcba9876543210fedcba9876543210"
	granted  = `{"access_token":"BQC-access","token_type":"Bearer","expires_in":3600,"refresh_token":"AQC-refresh","scope":"playlist-modify-private playlist-modify-public"}`
)

// account is a Spotify user with a home directory.
type account struct {
	*testing.T
	service *Service
	env     tools.Env
	now     time.Time
	asked   []string // requests to the API, with their bodies
	forms   []url.Values
	auth    []string             // Authorization headers of the requests
	token   func() (int, string) // reply of the token endpoint
	api     func(method, path, query string) (int, string)
}

// The replies have the formats of developer.spotify.com: tutorials/code-pkce-flow and
// tutorials/refreshing-tokens, reference/search, reference/create-playlist and
// reference/add-items-to-playlist.
func newAccount(t *testing.T, tokens string) *account {
	t.Helper()
	a := &account{T: t, now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	a.token = func() (int, string) { return 200, granted }
	client := toolstest.Client(t, map[string]http.HandlerFunc{
		"accounts.spotify.com": func(w http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			a.forms, a.auth = append(a.forms, r.PostForm), append(a.auth, r.Header.Get("Authorization"))
			status, body := a.token()
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		},
		"api.spotify.com": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			a.asked = append(a.asked, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
			a.auth = append(a.auth, r.Header.Get("Authorization"))
			status, answer := a.api(r.Method, r.URL.Path, r.URL.Query().Get("q"))
			w.WriteHeader(status)
			_, _ = io.WriteString(w, answer)
		},
	})
	a.env = toolstest.Env(t, "SPOTIFY_CLIENT_ID="+clientID, "SPOTIFY_CLIENT_SECRET="+secret)
	a.env.Now = func() time.Time { return a.now }
	home := persistence.Open(a.env.Home, a.env.Now)
	a.env.Profile = home.Profile("alex").Dir
	a.service = New(client, home)
	a.service.listen = "127.0.0.1:0"
	t.Cleanup(a.service.Close)
	if tokens != "" {
		if err := os.MkdirAll(a.env.Profile, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(a.env.Profile, "tokens.json"), []byte(tokens), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// loggedIn contains a token that is valid for an hour after 11:59.
const loggedIn = `{"spotify":{"access_token":"BQA","token_type":"Bearer","scope":"s","expires_in":3600,"refresh_token":"AQA","_saved_at":1795262340.5}}`

func (a *account) call(name, args string) (string, error) {
	a.Helper()
	return toolstest.Call(a.T, a.service.Tools(), a.env, name, args)
}

func (a *account) kept() logins.Tokens {
	a.Helper()
	kept, err := logins.TokensOf(a.service.home.Profile(a.env.ProfileName()))
	if err != nil {
		a.Fatal(err)
	}
	return kept
}

// begin starts a login and returns the query of its address.
func (a *account) begin() (text string, query url.Values) {
	a.Helper()
	text, err := a.call("spotify_auth", `{}`)
	if err != nil {
		a.Fatal(err)
	}
	address, err := url.Parse(strings.Split(text, "\n")[1])
	if err != nil || !strings.HasPrefix(address.String(), loginURL+"?") {
		a.Fatalf("%s, %v", text, err)
	}
	return text, address.Query()
}

func TestLoginAddressIsThereAtOnceAndTheBrowserFinishesIt(t *testing.T) {
	a := newAccount(t, "")
	a.env.Person = true
	text, query := a.begin()
	toolstest.CheckParts(t, text, "Marvin completes the login")
	if query.Get("client_id") != clientID || query.Get("response_type") != "code" || query.Get("redirect_uri") != "http://127.0.0.1:8888/callback" ||
		query.Get("scope") != "playlist-modify-public playlist-modify-private" || query.Get("code_challenge_method") != "S256" || len(query.Get("state")) < 20 {
		t.Errorf("%v", query)
	}
	server := "http://" + a.service.waiting.address + "/callback"
	for _, wrong := range []string{"", "?code=evil", "?code=evil&state=other", "?state=" + query.Get("state") + "&error=access_denied", "?code=a;b%zz"} {
		if status, page := browse(t, server+wrong); status != http.StatusBadRequest || a.kept().Spotify != nil {
			t.Errorf("%s: %d %s", wrong, status, page)
		}
	}
	if status, page := browse(t, server+"?code=AQBx7&state="+query.Get("state")); status != 200 || !strings.Contains(page, "close this page") {
		t.Errorf("%d %s", status, page)
	}
	form := a.forms[0]
	if len(a.forms) != 1 || form.Get("code") != "AQBx7" || form.Get("grant_type") != "authorization_code" || form.Get("redirect_uri") != callbackURL ||
		form.Get("code_verifier") == "" || form.Get("client_secret") != "" || !strings.HasPrefix(a.auth[0], "Basic ") {
		t.Errorf("%v %v", a.forms, a.auth)
	}
	if kept := a.kept(); kept.Login != nil || kept.Spotify.AccessToken != "BQC-access" || kept.Spotify.RefreshToken != "AQC-refresh" || kept.Spotify.ExpiresIn != 3600 || kept.Spotify.SavedAt != float64(a.now.Unix()) {
		t.Errorf("%+v", kept.Spotify)
	}
	if text, err := a.call("spotify_auth", `{}`); err != nil || !strings.Contains(text, "authorized already") {
		t.Errorf("%s, %v", text, err)
	}
}

func browse(t *testing.T, address string) (int, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	page, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(page)
}

func TestUnattendedLoginPrintsAddress(t *testing.T) {
	a := newAccount(t, `{"google":{"x":1}}`)
	a.env.Environ = []string{"SPOTIFY_CLIENT_ID=" + clientID} // PKCE without a secret
	text, query := a.begin()
	toolstest.CheckParts(t, text, "give it to spotify_auth as auth_code")
	if a.service.waiting != nil {
		t.Error("a server waits for no one")
	}
	a.service = New(a.service.client, a.service.home)
	_, err := a.call("spotify_auth", `{"auth_code":"http://127.0.0.1:8888/callback?code=AQ&state=x"}`)
	toolstest.CheckError(t, err, "another login", "call spotify_auth without a code")
	if text, err := a.call("spotify_auth", `{"url":" http://127.0.0.1:8888/callback?code=AQ&state=`+query.Get("state")+`#_=_ "}`); err != nil || text != "Spotify is authorized." {
		t.Errorf("%s, %v", text, err)
	}
	if form := a.forms[0]; form.Get("client_id") != clientID || form.Get("code") != "AQ" || form.Get("code_verifier") == "" || a.auth[0] != "" {
		t.Errorf("%v", form)
	}
	file, err := os.ReadFile(filepath.Join(a.env.Profile, "tokens.json"))
	if err != nil || !strings.Contains(string(file), `"google"`) || strings.Contains(string(file), "verifier") {
		t.Errorf("%s, %v", file, err)
	}
	_, err = a.call("spotify_auth", `{"code":"AQ"}`)
	toolstest.CheckError(t, err, "no login to Spotify has begun")
}

func TestBusyPortLeadsToPasting(t *testing.T) {
	a := newAccount(t, "")
	a.env.Person = true
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	a.service.listen = other.Addr().String()
	text, _ := a.begin()
	toolstest.CheckParts(t, text, "address already in use", "whole address of that page")
	if text, err := a.call("spotify_auth", `{"auth_code":"AQBx7"}`); err != nil || text != "Spotify is authorized." {
		t.Errorf("%s, %v", text, err)
	}
}

func TestLoginsThatFailSayWhy(t *testing.T) {
	for _, test := range []struct {
		status     int
		body, want string
	}{
		{400, `{"error":"invalid_grant","error_description":"Authorization code expired"}`, "not valid or has expired\nCall spotify_auth without a code"},
		{400, `{"error":"invalid_client","error_description":"Invalid client secret"}`, "SPOTIFY_CLIENT_ID or SPOTIFY_CLIENT_SECRET was rejected by Spotify\nAsk the user to compare"},
		{400, `{"error":"invalid_request","error_description":"redirect_uri \u001b[2J"}`, "did not issue a token: invalid_request redirect_uri ‹U+001B›"},
		{503, "<html>busy", "answered 503 Service Unavailable; try again later"},
		{200, "<html>login</html>", "try again later"},
	} {
		a := newAccount(t, "")
		a.begin()
		a.token = func() (int, string) { return test.status, test.body }
		_, err := a.call("spotify_auth", `{"code":"AQ"}`)
		toolstest.CheckError(t, err, test.want)
		if a.kept().Spotify != nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%v", err)
		}
	}
	a := newAccount(t, "")
	a.env.Environ = nil
	_, err := a.call("spotify_auth", `{}`)
	toolstest.CheckError(t, err, "SPOTIFY_CLIENT_ID is not set", dashboard, callbackURL)
	if err := os.MkdirAll(filepath.Join(a.env.Home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.env.Home, ".ssh/SPOTIFY_CLIENT_ID"), []byte(clientID+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, query := a.begin(); query.Get("client_id") != clientID {
		t.Errorf("%v", query)
	}
}

const noTracks = `{"tracks":{"href":"h","limit":5,"next":null,"offset":0,"previous":null,"total":0,"items":[]}}`

func TestTokensAreRefreshedFiveMinutesEarlyAndTheOldRefreshTokenKept(t *testing.T) {
	a := newAccount(t, loggedIn)
	a.api = func(string, string, string) (int, string) { return 200, noTracks }
	a.token = func() (int, string) { return 200, `{"access_token":"BQB","token_type":"Bearer","expires_in":3600}` }
	for _, step := range []struct {
		now  time.Time
		auth string
	}{
		{time.Date(2026, 11, 21, 12, 53, 59, 0, time.UTC), "Bearer BQA"},
		{time.Date(2026, 11, 21, 12, 54, 1, 0, time.UTC), "Bearer BQB"},
		{time.Date(2026, 11, 21, 13, 48, 0, 0, time.UTC), "Bearer BQB"},
	} {
		a.now = step.now
		if text, err := a.call("spotify_search", `{"query":"x"}`); err != nil || text != `Spotify has no track for "x".` || a.auth[len(a.auth)-1] != step.auth {
			t.Errorf("%s: %s, %v, %v", step.now, text, err, a.auth)
		}
	}
	if kept := a.kept().Spotify; len(a.forms) != 1 || a.forms[0].Get("refresh_token") != "AQA" || kept.RefreshToken != "AQA" || kept.Scope != "s" {
		t.Errorf("%v %+v", a.forms, kept)
	}
}

// Since July 2026 a refresh token ends six months after the login:
// https://developer.spotify.com/blog/2026-06-18-refresh-token-expiration
func TestExpiredLoginAsksForANewOne(t *testing.T) {
	a := newAccount(t, loggedIn)
	a.now = a.now.Add(2 * time.Hour)
	a.token = func() (int, string) {
		return 400, `{"error":"invalid_grant","error_description":"Refresh token expired"}`
	}
	_, err := a.call("spotify_search", `{"query":"x"}`)
	toolstest.CheckError(t, err, "not valid or has expired", "for a new login")
	if text, _ := a.begin(); !strings.Contains(text, "give it to spotify_auth") {
		t.Error(text)
	}
	_, err = newAccount(t, "").call("spotify_search", `{"query":"x"}`)
	toolstest.CheckError(t, err, "you are not logged in to Spotify\nCall spotify_auth")
}

func TestSearch(t *testing.T) {
	a := newAccount(t, loggedIn)
	a.api = func(_, _, query string) (int, string) {
		if query == "jazz" {
			return 200, `{"playlists":{"total":9,"items":[null,{"id":null,"name":null,"uri":null,"external_urls":{"spotify":"https://open.spotify.com/playlist/null"}},
				{"name":"Jazz \u202eevil\n","id":"37i9","uri":"spotify:playlist:37i9","external_urls":{"spotify":"https://open.spotify.com/playlist/37i9"},"owner":{"display_name":"Ann"}}]}}`
		}
		return 200, `{"tracks":{"items":[{"name":"Take Five","id":"1YQW","uri":"spotify:track:1YQW","external_urls":{"spotify":"https://open.spotify.com/track/1YQW"},
			"artists":[{"name":"Dave Brubeck"},{"name":"Paul Desmond"}],"album":{"name":"Time Out"},"is_local":false}]}}`
	}
	for args, want := range map[string][2]string{
		`{"query":"take five","max_results":50}`: {
			"GET /v1/search?limit=10&q=take+five&type=track",
			"1. Take Five – Dave Brubeck, Paul Desmond (Time Out)\n   URI: spotify:track:1YQW\n   ID: 1YQW\n   https://open.spotify.com/track/1YQW",
		},
		`{"query":"jazz","search_type":"Playlist"}`: {
			"GET /v1/search?limit=5&q=jazz&type=playlist",
			"1. Jazz ‹U+202E›evil by Ann\n   URI: spotify:playlist:37i9\n   ID: 37i9\n   https://open.spotify.com/playlist/37i9",
		},
	} {
		a.asked = nil
		if text, err := a.call("spotify_search", args); err != nil || text != want[1] || a.asked[0] != want[0] {
			t.Errorf("%s: %v\n%s, %v", args, a.asked, text, err)
		}
	}
	_, err := a.call("spotify_search", `{"query":" "}`)
	toolstest.CheckError(t, err, "the query is empty")
	toolstest.CheckFaults(t, "api.spotify.com", func(client *http.Client) (string, error) {
		a.service.client = client
		return a.call("spotify_search", `{"query":"x"}`)
	})
}

// The reply with status 429 follows
// https://developer.spotify.com/documentation/web-api/references/changes/july-2026
func TestRefusalsOfTheAPI(t *testing.T) {
	for _, test := range []struct {
		status     int
		body, want string
		asked      int
	}{
		{401, `{"error":{"status":401,"message":"The access token expired"}}`, "Call spotify_auth again", 2},
		{403, `{"error":{"status":403,"message":"Forbidden"}}`, "owner has Premium", 1},
		{429, `{"error":{"status":429,"message":"Too many requests","reason":"QUOTA_EXCEEDED"}}`, "the service accepts no requests for now", 1},
	} {
		a := newAccount(t, loggedIn)
		a.api = func(string, string, string) (int, string) { return test.status, test.body }
		_, err := a.call("spotify_search", `{"query":"x"}`)
		toolstest.CheckError(t, err, test.want)
		if len(a.asked) != test.asked || strings.Contains(err.Error(), "BQ") {
			t.Errorf("%d: asked %v: %v", test.status, a.asked, err)
		}
	}
}

func TestPlaylistsAreMadeForMe(t *testing.T) {
	a := newAccount(t, loggedIn)
	a.api = func(string, string, string) (int, string) {
		return 201, `{"collaborative":false,"description":"d","external_urls":{"spotify":"https://open.spotify.com/playlist/3cEY"},"id":"3cEY","name":"Rain","public":false,"uri":"spotify:playlist:3cEY"}`
	}
	text, err := a.call("spotify_create_playlist", `{"name":" Rain\n","description":"two\nlines"}`)
	if err != nil || text != "Created the playlist Rain.\nID: 3cEY\nhttps://open.spotify.com/playlist/3cEY" || a.asked[0] != `POST /v1/me/playlists {"description":"two lines","name":"Rain","public":false}` {
		t.Errorf("%s, %v, %v", text, err, a.asked)
	}
	a.api = func(string, string, string) (int, string) { return 200, `{}` }
	_, err = a.call("spotify_create_playlist", `{"title":"Rain","public":"true"}`)
	toolstest.CheckError(t, err, "look in the app before trying again")
	_, err = a.call("spotify_create_playlist", `{"name":" "}`)
	toolstest.CheckError(t, err, "the name is empty")
}

func TestTracksAreAddedByTheEndpointOf2026(t *testing.T) {
	a := newAccount(t, loggedIn)
	a.api = func(method, path, query string) (int, string) {
		switch {
		case method == http.MethodPost && path == "/v1/playlists/3cEYpjA9oz9GiPac4AsH4n/items":
			return 201, `{"snapshot_id":"abc"}`
		case query == "isrc:USRC17607839" || query == "take five":
			return 200, `{"tracks":{"items":[null,{"name":"T ` + query[:1] + `","id":"i","uri":"spotify:track:` + query[:1] + `"}]}}`
		case query == "nothing":
			return 200, noTracks
		}
		return 403, `{"error":{"status":403,"message":"Forbidden"}}`
	}
	args, err := json.Marshal(map[string]any{
		"playlist_id":   "https://open.spotify.com/intl-de/playlist/3cEYpjA9oz9GiPac4AsH4n?si=1",
		"track_queries": []string{"spotify:track:4iV5W9uYEdYUVa79Axb7Rh", "https://open.spotify.com/track/1301WleyT98MSxVHPZCA6M?si=x", "us-rc1-76-07839", "take five", "nothing", " "},
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := a.call("spotify_add_tracks", string(args))
	want := "Added 4:\n- spotify:track:4iV5W9uYEdYUVa79Axb7Rh\n- spotify:track:1301WleyT98MSxVHPZCA6M\n- T i\n- T t\nFailed 2:\n- nothing (not found)\n-  (not found)"
	last := `POST /v1/playlists/3cEYpjA9oz9GiPac4AsH4n/items {"uris":["spotify:track:4iV5W9uYEdYUVa79Axb7Rh","spotify:track:1301WleyT98MSxVHPZCA6M","spotify:track:i","spotify:track:t"]}`
	if err != nil || text != want || a.asked[len(a.asked)-1] != last {
		t.Errorf("%s, %v\n%s", text, err, strings.Join(a.asked, "\n"))
	}
	// Tracks in one text: an earlier Marvin dropped the first track of "name,uri".
	text, err = a.call("spotify_add_tracks", `{"playlist_id":"3cEYpjA9oz9GiPac4AsH4n","tracks":"take five, spotify:track:4iV5W9uYEdYUVa79Axb7Rh,USRC17607839"}`)
	if err != nil || text != "Added 3:\n- T t\n- spotify:track:4iV5W9uYEdYUVa79Axb7Rh\n- T i" {
		t.Errorf("%s, %v", text, err)
	}
	for args, want := range map[string]string{
		`{"playlist_id":"../me","tracks":["x"]}`:                              `"../me" is not a playlist`,
		`{"playlist_id":"3cEYpjA9oz9GiPac4AsH4n","tracks":[]}`:                "Give 1 to 100 at a time",
		`{"playlist_id":"3cEYpjA9oz9GiPac4AsH4n","tracks":"forbidden"}`:       "nothing was added: api.spotify.com answered 403",
		`{"playlist_id":"spotify:track:3cEYpjA9oz9GiPac4AsH4n","tracks":"x"}`: "is not a playlist",
	} {
		_, err := a.call("spotify_add_tracks", args)
		toolstest.CheckError(t, err, want)
	}
}

func TestACommaBelongsToATitleUnlessACodeIsBesideIt(t *testing.T) {
	const uri = "spotify:track:4iV5W9uYEdYUVa79Axb7Rh"
	for text, want := range map[string]string{
		"Hello, Goodbye": "Hello, Goodbye", "So What," + uri: "So What|" + uri, uri + ", " + uri: uri + "|" + uri, "Hello, Goodbye," + uri + ",Yes": "Hello, Goodbye|" + uri + "|Yes",
		"a, https://open.spotify.com/track/1301WleyT98MSxVHPZCA6M?si=x": "a|https://open.spotify.com/track/1301WleyT98MSxVHPZCA6M?si=x", "": "",
	} {
		if got := strings.Join(splitTracks([]string{text}), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
