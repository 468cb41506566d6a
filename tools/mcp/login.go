package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"marvin/messages/origin"
	"marvin/persistence/logins"
)

// ErrLogin means that a server requires the user to log in.
var ErrLogin = errors.New("it wants a login")

// Login logs the user in to a server. The protocol is OAuth 2 with PKCE.
type Login struct {
	Client   string       // Marvin's client ID at the server; "" to register dynamically
	Redirect string       // local address for the redirect from the login page
	Checked  *http.Client // client with address checks, used for every host except the server's own
	// Browse opens an address in the user's browser, and returns the address of the redirect.
	Browse func(ctx context.Context, address string) (*url.URL, error)
	// AllowElsewhere is called before the login code is sent to a host outside the login page's
	// domain. If AllowElsewhere is nil or returns an error, the code is not sent.
	AllowElsewhere func(page, to string) error
}

// Run queries the server for its login method, lets the user log in, and stores the tokens. It
// returns false if the server requires no login.
func (l Login) Run(ctx context.Context, logins logins.Servers, name, address string) (wanted bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	codes := &codes{ask: l.AllowElsewhere}
	client := l.client(request.URL, codes)
	response, err := client.Do(request)
	if err != nil {
		return false, fmt.Errorf("the server %s: %w", name, err)
	}
	if response.StatusCode != http.StatusUnauthorized {
		return false, response.Body.Close()
	}
	if err := sameResource(ctx, client, address, response); err != nil {
		return true, errors.Join(fmt.Errorf("the login at %s: %w", name, err), response.Body.Close())
	}
	handler, err := auth.NewAuthorizationCodeHandler(l.config(client, codes, func(config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
		login := loginOf(address, config, token)
		of := &bearer{name: name, address: address, logins: logins}
		return &storingSource{bearer: of, login: login, source: sourceOf(login)}, logins.Set(name, login)
	}))
	if err != nil {
		return true, err
	}
	if err := handler.Authorize(ctx, request, response); err != nil { // Authorize closes the body
		return true, fmt.Errorf("the login at %s: %w", name, err)
	}
	return true, nil
}

func (l Login) config(client *http.Client, codes *codes, keep func(*oauth2.Config, *oauth2.Token) (oauth2.TokenSource, error)) *auth.AuthorizationCodeHandlerConfig {
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: l.Redirect, RequestRefreshToken: true, AcceptUnadvertisedIss: true, Client: client,
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			page, err := url.Parse(args.URL)
			if err != nil {
				return nil, err
			}
			back, err := l.Browse(ctx, args.URL)
			if err != nil {
				return nil, err
			}
			codes.page = page.Hostname()
			said := back.Query()
			if why := said.Get("error"); why != "" {
				return nil, fmt.Errorf("it says %s %s", why, said.Get("error_description"))
			}
			return &auth.AuthorizationResult{Code: said.Get("code"), State: said.Get("state"), Iss: said.Get("iss")}, nil
		},
		NewTokenSource: func(_ context.Context, config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
			return keep(config, token)
		},
	}
	if l.Client != "" {
		config.PreregisteredClient = &oauthex.ClientCredentials{ClientID: l.Client}
		return config
	}
	config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
		ClientName: "Marvin", RedirectURIs: []string{l.Redirect}, TokenEndpointAuthMethod: "none",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
	}}
	return config
}

// client returns an HTTP client for the login. The client trusts the host of the configured server,
// and checks requests to hosts that the server named. No redirect carries a code, verifier or token
// from one host to another.
func (l Login) client(server *url.URL, codes *codes) *http.Client {
	codes.next = byHost{server.Hostname(), http.DefaultTransport, l.Checked.Transport}
	return timed(origin.New(codes))
}

// codes is a transport that sends a login code to the login page's host, its subdomains and its
// parent domains. It sends the code to another host only if c.ask permits the host. Without this
// check, a server could name another service's login page and receive the code for that service.
type codes struct {
	next http.RoundTripper
	ask  func(page, to string) error
	page string // host of the login page; "" before [Login.Browse] returns
	yes  bool
}

func (c *codes) RoundTrip(request *http.Request) (*http.Response, error) {
	to := request.URL.Hostname()
	if c.page == "" || c.yes || to == c.page || strings.HasSuffix(to, "."+c.page) || strings.HasSuffix(c.page, "."+to) {
		return c.next.RoundTrip(request)
	}
	err := fmt.Errorf("the login page is at %s, but the server wants the login code sent to %s, so Marvin did not send the code", c.page, to)
	if c.ask != nil {
		err = c.ask(c.page, to)
	}
	if c.yes = err == nil; c.yes {
		return c.next.RoundTrip(request)
	}
	return nil, errors.Join(err, request.Body.Close())
}

func timed(client *http.Client) *http.Client {
	client.Timeout = time.Minute
	return client
}

type byHost struct {
	host          string
	plain, others http.RoundTripper
}

func (b byHost) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Hostname() == b.host {
		return b.plain.RoundTrip(request)
	}
	return b.others.RoundTrip(request)
}

// loginOf converts a server's tokens to their stored form.
func loginOf(address string, config *oauth2.Config, token *oauth2.Token) logins.ServerLogin {
	return logins.ServerLogin{
		Address: address, Client: config.ClientID, ClientSecret: config.ClientSecret, Renewal: config.Endpoint.TokenURL,
		InHeader: config.Endpoint.AuthStyle == oauth2.AuthStyleInHeader, AccessToken: token.AccessToken, RefreshToken: token.RefreshToken, Expires: token.Expiry,
	}
}

// bearer authenticates requests with the user's login and renews an expired token. It never starts
// a login, but returns an error that asks the user to log in.
type bearer struct {
	name, address string
	logins        logins.Servers

	mu     sync.Mutex
	source oauth2.TokenSource
}

// TokenSource implements [auth.OAuthHandler]. If the user is not logged in, requests have no token.
func (b *bearer) TokenSource(context.Context) (oauth2.TokenSource, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.source != nil {
		return b.source, nil
	}
	login, known, err := b.logins.Get(b.name, b.address)
	if err != nil || !known {
		return nil, err
	}
	b.source = &storingSource{bearer: b, login: login, source: sourceOf(login)}
	return b.source, nil
}

// sourceOf returns a source that renews the login's token after the token expires.
func sourceOf(login logins.ServerLogin) oauth2.TokenSource {
	// The client follows redirects only within the origin of login.Renewal.
	client := timed(origin.New(nil))
	token := &oauth2.Token{AccessToken: login.AccessToken, RefreshToken: login.RefreshToken, Expiry: login.Expires}
	return configOf(login).TokenSource(context.WithValue(context.Background(), oauth2.HTTPClient, client), token)
}

func configOf(login logins.ServerLogin) *oauth2.Config {
	style := oauth2.AuthStyleInParams
	if login.InHeader {
		style = oauth2.AuthStyleInHeader
	}
	return &oauth2.Config{ClientID: login.Client, ClientSecret: login.ClientSecret, Endpoint: oauth2.Endpoint{TokenURL: login.Renewal, AuthStyle: style}}
}

// Authorize implements [auth.OAuthHandler].
func (b *bearer) Authorize(_ context.Context, _ *http.Request, response *http.Response) error {
	status := response.StatusCode
	_ = response.Body.Close()
	if status == http.StatusForbidden {
		return errors.New("the server refuses this request (403 Forbidden); perhaps your login lacks the necessary permission")
	}
	return fmt.Errorf("%w; log in with \"marvin mcp login %s\"", ErrLogin, b.name)
}

// storingSource is a token source that stores each renewed token.
type storingSource struct {
	bearer *bearer

	mu     sync.Mutex
	login  logins.ServerLogin
	source oauth2.TokenSource
}

func (r *storingSource) Token() (*oauth2.Token, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	token, err := r.source.Token()
	if err != nil { // perhaps another Marvin process has already used the refresh token
		login, known, problem := r.bearer.logins.Get(r.bearer.name, r.bearer.address)
		if problem == nil && known && login.AccessToken != r.login.AccessToken {
			r.login, r.source = login, sourceOf(login)
			token, err = r.source.Token()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w, because the last login cannot be renewed (%s); log in with \"marvin mcp login %s\"", ErrLogin, refusal(err), r.bearer.name)
	}
	if token.AccessToken == r.login.AccessToken {
		return token, nil
	}
	r.login = loginOf(r.bearer.address, configOf(r.login), token)
	return token, r.bearer.logins.Set(r.bearer.name, r.login)
}

// refusal returns the reason why a token was refused. It omits the reply, which may contain a
// token.
func refusal(err error) string {
	var refused *oauth2.RetrieveError
	switch {
	case !errors.As(err, &refused):
		return err.Error()
	case refused.ErrorCode != "":
		return refused.ErrorCode
	}
	return refused.Response.Status
}
