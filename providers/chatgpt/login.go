package chatgpt

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"marvin/messages/origin"
	"marvin/providers"
)

const (
	issuer = "https://auth.openai.com"
	// client is the public client id that Codex uses. OpenAI offers no other id for ChatGPT plans.
	client = "app_EMoamEEZ73f0CkXaXp7hrann"
	// originator tells OpenAI that the request comes from Marvin.
	originator = "marvin"
	// limit is the time limit for obtaining or renewing tokens.
	limit = 30 * time.Second
)

// CallbackPath is the path on localhost to which the browser returns. OpenAI accepts only the ports
// in [CallbackPorts].
const CallbackPath = "/auth/callback"

// CallbackPorts are tried in this order.
var CallbackPorts = []int{1455, 1457}

// Tokens are the result of a login. They are sent only to OpenAI.
type Tokens struct {
	Account string // the id of the ChatGPT account, sent with each request
	Access  string
	Refresh string // a refresh token, which works only once
	Expires time.Time
}

// Login is one visit to OpenAI's login page.
type Login struct {
	config          oauth2.Config
	client          *http.Client
	state, verifier string
}

// NewLogin prepares a login without sending a request. The browser will return to the given port on
// localhost.
func NewLogin(port int, client *http.Client) *Login {
	login := &Login{config: settings(), client: client, state: rand.Text(), verifier: oauth2.GenerateVerifier()}
	login.config.RedirectURL = fmt.Sprintf("http://localhost:%d%s", port, CallbackPath)
	return login
}

// issuing restricts a copy of the HTTP client to OpenAI's login server.
func issuing(client *http.Client) *http.Client {
	at, _ := url.Parse(issuer) // issuer is a valid address
	return origin.Restrict(client, at, "another login method")
}

func settings() oauth2.Config {
	return oauth2.Config{
		ClientID: client, Scopes: []string{"openid", "profile", "email", "offline_access"},
		Endpoint: oauth2.Endpoint{AuthURL: issuer + "/oauth/authorize", TokenURL: issuer + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams},
	}
}

// Address returns the URL of the page that the user opens.
func (l *Login) Address() string {
	return l.config.AuthCodeURL(l.state, oauth2.S256ChallengeOption(l.verifier),
		oauth2.SetAuthURLParam("id_token_add_organizations", "true"), oauth2.SetAuthURLParam("codex_cli_simplified_flow", "true"),
		oauth2.SetAuthURLParam("originator", originator))
}

// Finish exchanges a login code for tokens. The code comes from the address to which the browser
// returned.
func (l *Login) Finish(ctx context.Context, back *url.URL) (Tokens, error) {
	said := back.Query()
	switch why := said.Get("error"); {
	case subtle.ConstantTimeCompare([]byte(said.Get("state")), []byte(l.state)) != 1:
		return Tokens{}, errors.New("the browser's answer belongs to a different login; try again")
	case why != "":
		return Tokens{}, fmt.Errorf("OpenAI says %s", providers.Clean(why+" "+said.Get("error_description"), ""))
	case said.Get("code") == "":
		return Tokens{}, errors.New("the browser came back without a login code; try again")
	}
	ctx, stop := context.WithTimeoutCause(ctx, limit, fmt.Errorf("OpenAI did not answer within %s", limit))
	defer stop()
	answer, err := l.config.Exchange(context.WithValue(ctx, oauth2.HTTPClient, issuing(l.client)), said.Get("code"), oauth2.VerifierOption(l.verifier))
	if err != nil {
		return Tokens{}, refusal(ctx, err, said.Get("code"))
	}
	tokens := read(answer)
	if tokens.Account == "" {
		return Tokens{}, errors.New("OpenAI returned no account with a plan; log in with an account that has one")
	}
	return tokens, nil
}

// read converts an OAuth response to Tokens. The account comes from the claims in the tokens. If
// the response has no expiry time, this time also comes from the claims.
func read(answer *oauth2.Token) Tokens {
	identity, _ := answer.Extra("id_token").(string)
	who, means := claimsOf(identity), claimsOf(answer.AccessToken)
	tokens := Tokens{
		Account: cmp.Or(who.Auth.Account, means.Auth.Account), Access: answer.AccessToken, Refresh: answer.RefreshToken, Expires: answer.Expiry,
	}
	if tokens.Expires.IsZero() && means.Expires > 0 {
		tokens.Expires = time.Unix(means.Expires, 0)
	}
	return tokens
}

// claims are the JWT fields that Marvin uses. The token's signature is not checked, because the
// token comes from OpenAI over TLS and is sent only to OpenAI.
type claims struct {
	Expires int64 `json:"exp"`
	Auth    struct {
		Account string `json:"chatgpt_account_id"`
	} `json:"https://api.openai.com/auth"`
}

func claimsOf(token string) (found claims) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return claims{}
	}
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil || json.Unmarshal(text, &found) != nil {
		return claims{}
	}
	return found
}

// refusal returns the reason why no tokens were issued. It removes the sent secret from the text.
func refusal(ctx context.Context, err error, secret string) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return providers.ServerError("OpenAI", refused.Response.StatusCode, refused.Body, secret)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	at, _ := url.Parse(issuer) // issuer is a valid address
	return providers.Unreachable(at, err)
}
