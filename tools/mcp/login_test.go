package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/mcp/mcptest"
)

func guarded(t *testing.T, life time.Duration) *mcptest.LoginServer {
	server := mcptest.NewGuarded(life)
	t.Cleanup(server.Close)
	return server
}

// browser opens an address like a user's browser, and returns the address of the redirect to
// Marvin.
func browser(_ context.Context, address string) (*url.URL, error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(address)
	if err != nil {
		return nil, err
	}
	if response.Body.Close(); response.StatusCode != http.StatusFound {
		return nil, errors.New(response.Status)
	}
	return response.Location()
}

func login() Login {
	return Login{Redirect: "http://127.0.0.1:4711/callback", Checked: tools.NewHTTPClient(nil), Browse: browser}
}

func TestUserLogsInAtAServer(t *testing.T) {
	upstream := guarded(t, time.Hour)
	home := persistence.Open(t.TempDir(), time.Now)
	known := logins.Servers{Home: home}
	server := settings.Server{URL: upstream.URL + "/mcp"}
	on := ground(t)
	on.Home = home
	if _, err := Connect(t.Context(), "tracker", server, on); !errors.Is(err, ErrLogin) || !strings.Contains(err.Error(), "marvin mcp login tracker") {
		t.Fatal(err)
	}
	if wanted, err := login().Run(t.Context(), known, "tracker", server.URL); err != nil || !wanted {
		t.Fatal(wanted, err)
	}
	session, err := Connect(t.Context(), "tracker", server, on)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if text, err := say(t, session, tools.Env{}, "hello"); err != nil || text != "said: hello" {
		t.Error(text, err)
	}
	if secrets := fmt.Sprint(logins.Secrets(home)); !strings.Contains(secrets, "access-1") || !strings.Contains(secrets, "refresh-1") || strings.Contains(secrets, "/token") {
		t.Error("what is secret is", secrets)
	}
	// A server with the same name at another address does not get the login.
	if _, known, err := known.Get("tracker", "http://elsewhere.example/mcp"); known || err != nil {
		t.Error(known, err)
	}
}

func TestALoginIsRenewedAndKept(t *testing.T) {
	upstream := guarded(t, time.Second) // expires at once: tokens are renewed 10 s before their end
	home := persistence.Open(t.TempDir(), time.Now)
	logins := logins.Servers{Home: home}
	server := settings.Server{URL: upstream.URL + "/mcp"}
	on := ground(t)
	on.Home = home
	if _, err := login().Run(t.Context(), logins, "tracker", server.URL); err != nil {
		t.Fatal(err)
	}
	before, _, _ := logins.Get("tracker", server.URL)
	upstream.Give(time.Hour)
	session, err := Connect(t.Context(), "tracker", server, on)
	if err != nil {
		t.Fatal(err)
	}
	session.Close()
	kept, known, err := logins.Get("tracker", server.URL)
	if err != nil || !known || kept.AccessToken == before.AccessToken || !upstream.Good(kept.AccessToken, kept.RefreshToken) {
		t.Fatalf("%+v, %v, %v", kept, known, err)
	}
	// Another Marvin has renewed the token: the token of this Marvin is invalid, the stored one is
	// valid.
	older := kept
	older.RefreshToken, older.Expires = "refresh-1", time.Now()
	r := &storingSource{bearer: &bearer{name: "tracker", address: server.URL, logins: logins}, login: older, source: sourceOf(older)}
	r.login.AccessToken = "access-1"
	if token, err := r.Token(); err != nil || token.AccessToken != kept.AccessToken {
		t.Error(token, err)
	}
	// If the token cannot be renewed, the error tells the user what to do.
	kept.RefreshToken, kept.Expires = "spent", time.Now()
	if err := logins.Set("tracker", kept); err != nil {
		t.Fatal(err)
	}
	if _, err := Connect(t.Context(), "tracker", server, on); !errors.Is(err, ErrLogin) || !strings.Contains(err.Error(), "invalid_grant") {
		t.Error(err)
	}
}

func TestALoginThatIsRefusedKeepsNothing(t *testing.T) {
	upstream := guarded(t, time.Hour)
	home := persistence.Open(t.TempDir(), time.Now)
	logins := logins.Servers{Home: home}
	address := upstream.URL + "/mcp"
	for name, bad := range map[string]func(*Login){
		"the person says no": func(l *Login) {
			l.Browse = func(context.Context, string) (*url.URL, error) {
				return url.Parse("http://127.0.0.1/callback?error=access_denied")
			}
		},
		"another state": func(l *Login) {
			l.Browse = func(ctx context.Context, address string) (*url.URL, error) {
				back, err := browser(ctx, address)
				if err != nil {
					return nil, err
				}
				said := back.Query()
				said.Set("state", "of somebody else")
				back.RawQuery = said.Encode()
				return back, nil
			}
		},
		"a client that nobody knows": func(l *Login) { l.Client = "nobody" },
	} {
		wrong := login()
		bad(&wrong)
		if wanted, err := wrong.Run(t.Context(), logins, "tracker", address); err == nil || !wanted {
			t.Errorf("%s: %v, %v", name, wanted, err)
		}
		if _, known, _ := logins.Get("tracker", address); known {
			t.Errorf("%s: something is kept", name)
		}
	}
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	defer open.Close()
	if wanted, err := login().Run(t.Context(), logins, "tracker", open.URL); wanted || err != nil {
		t.Error("a server that wants none:", wanted, err)
	}
}
