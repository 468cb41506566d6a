package spotify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"golang.org/x/oauth2"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/keys"
)

const (
	loginURL = "https://accounts.spotify.com/authorize"
	tokenURL = "https://accounts.spotify.com/api/token"
	apiURL   = "https://api.spotify.com/v1"

	// callbackURL must be listed unchanged in the settings of the user's app.
	callbackURL = "http://127.0.0.1:8888/callback"
	dashboard   = "https://developer.spotify.com/dashboard"
)

// Service calls Spotify's Web API with the stored tokens, and runs the server that waits for a
// login.
type Service struct {
	client *http.Client
	home   *persistence.Home
	listen string // address on which the callback server listens

	refreshing sync.Mutex // serializes renewals, because some refresh tokens work only once
	mu         sync.Mutex
	waiting    *callback
}

// New returns a service. No file is read before the first call.
func New(client *http.Client, home *persistence.Home) *Service {
	return &Service{client: client, home: home, listen: "127.0.0.1:8888"}
}

// Tools returns the tools of this category.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{s.authTool(), s.searchTool(), s.createTool(), s.addTool()}
}

// app returns the OAuth configuration of the user's app. Without a secret, only PKCE authenticates
// the client.
func app(env tools.Env) (*oauth2.Config, error) {
	id, secret := keys.Find(env.Environ, env.Home, "SPOTIFY_CLIENT_ID"), keys.Find(env.Environ, env.Home, "SPOTIFY_CLIENT_SECRET")
	if id == "" {
		return nil, tools.Advise(errors.New("SPOTIFY_CLIENT_ID is not set, and ~/.ssh/SPOTIFY_CLIENT_ID does not exist"),
			"Ask the user to make an app at %s with the redirect URI %s, and set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET.", dashboard, callbackURL)
	}
	style := oauth2.AuthStyleInHeader
	if secret == "" {
		style = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: id, ClientSecret: secret, RedirectURL: callbackURL,
		Scopes:   []string{"playlist-modify-public", "playlist-modify-private"},
		Endpoint: oauth2.Endpoint{AuthURL: loginURL, TokenURL: tokenURL, AuthStyle: style},
	}, nil
}

// explain returns a readable error for a failed token request. It does not use the text of the
// library's error, which contains the whole reply.
func explain(ctx context.Context, err error) error {
	var refused *oauth2.RetrieveError
	var network *url.Error
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("accounts.spotify.com did not answer: %w; try again later", context.Cause(ctx))
	case errors.As(err, &network):
		return fmt.Errorf("cannot get a token from accounts.spotify.com: %w; check the network connection, or try again later", err)
	case !errors.As(err, &refused):
		return errors.New("accounts.spotify.com did not answer with a token; try again later")
	case refused.ErrorCode == "invalid_client":
		return tools.Advise(errors.New("SPOTIFY_CLIENT_ID or SPOTIFY_CLIENT_SECRET was rejected by Spotify"), "Ask the user to compare them with %s.", dashboard)
	case refused.ErrorCode == "invalid_grant":
		return tools.Advise(errLogin, "Call spotify_auth without a code, for a new login.")
	case refused.ErrorCode != "":
		return fmt.Errorf("accounts.spotify.com did not issue a token: %.100s", tools.Visible(refused.ErrorCode+" "+refused.ErrorDescription))
	}
	return fmt.Errorf("accounts.spotify.com answered %s; try again later", refused.Response.Status)
}

// errLogin means that the login expired or was revoked, or that the code was already used.
var errLogin = errors.New("the login to Spotify is not valid or has expired")
