//go:build unix

package mcptest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// NewOpen starts a remote MCP server that requires no login. The caller must close the server.
func NewOpen() *httptest.Server { return httptest.NewServer(atAddress()) }

// atAddress returns the HTTP handler of an MCP server with a single tool, run_command.
func atAddress() http.Handler {
	server := sdk.NewServer(&sdk.Implementation{Name: "guarded", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "run_command", Description: "Says the text again."}, func(_ context.Context, _ *sdk.CallToolRequest, args said) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "said: " + args.Text}}}, nil, nil
	})
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
}

// LoginServer combines an MCP server with the authorization server that issues its tokens. It
// follows RFC 9728, 8414, 7591, 6749 and 7636, and the MCP specification of 2025-11-25.
type LoginServer struct {
	*httptest.Server

	mu         sync.Mutex
	clients    map[string]string // redirect address by client id
	challenges map[string]string // PKCE challenges, keyed by authorization code
	access     map[string]time.Time
	refresh    map[string]bool
	issued     int
	life       time.Duration // lifetime of a token
}

// NewGuarded starts a server whose tokens are valid for the given time. The caller must close it.
func NewGuarded(life time.Duration) *LoginServer {
	g := &LoginServer{clients: map[string]string{}, challenges: map[string]string{}, access: map[string]time.Time{}, refresh: map[string]bool{}, life: life}
	mux := http.NewServeMux()
	g.Server = httptest.NewServer(mux)
	mux.Handle("/mcp", auth.RequireBearerToken(g.verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: g.URL + "/.well-known/oauth-protected-resource/mcp"})(atAddress()))
	mux.Handle("/.well-known/oauth-protected-resource/mcp", auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{Resource: g.URL + "/mcp", AuthorizationServers: []string{g.URL}, ScopesSupported: []string{"read"}}))
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{
			"issuer": g.URL, "authorization_endpoint": g.URL + "/authorize", "token_endpoint": g.URL + "/token", "registration_endpoint": g.URL + "/register",
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		})
	})
	mux.HandleFunc("POST /register", g.register)
	mux.HandleFunc("GET /authorize", g.authorize)
	mux.HandleFunc("POST /token", g.token)
	return g
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func (g *LoginServer) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	until, known := g.access[token]
	if !known || time.Now().After(until) {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{Expiration: until}, nil
}

func (g *LoginServer) register(w http.ResponseWriter, request *http.Request) {
	var wanted oauthex.ClientRegistrationMetadata
	if err := json.NewDecoder(request.Body).Decode(&wanted); err != nil || len(wanted.RedirectURIs) != 1 {
		answer(w, http.StatusBadRequest, map[string]string{"error": "invalid_redirect_uri"})
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	id := fmt.Sprintf("client-%d", len(g.clients)+1)
	g.clients[id] = wanted.RedirectURIs[0]
	answer(w, http.StatusCreated, map[string]any{"client_id": id, "redirect_uris": wanted.RedirectURIs, "token_endpoint_auth_method": "none"})
}

func (g *LoginServer) authorize(w http.ResponseWriter, request *http.Request) {
	asked := request.URL.Query()
	g.mu.Lock()
	defer g.mu.Unlock()
	back, known := g.clients[asked.Get("client_id")]
	if !known || asked.Get("redirect_uri") != back || asked.Get("code_challenge_method") != "S256" || asked.Get("resource") != g.URL+"/mcp" {
		http.Error(w, "bad request: "+request.URL.RawQuery, http.StatusBadRequest)
		return
	}
	code := fmt.Sprintf("code-%d", len(g.challenges)+1)
	g.challenges[code] = asked.Get("code_challenge")
	http.Redirect(w, request, back+"?"+url.Values{"code": {code}, "state": {asked.Get("state")}}.Encode(), http.StatusFound)
}

// token serves the token endpoint. Each authorization code and each refresh token works only once.
func (g *LoginServer) token(w http.ResponseWriter, request *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	sum := sha256.Sum256([]byte(request.FormValue("code_verifier")))
	code := request.FormValue("code")
	switch {
	case request.FormValue("grant_type") == "authorization_code" && g.challenges[code] == base64.RawURLEncoding.EncodeToString(sum[:]):
		delete(g.challenges, code)
	case request.FormValue("grant_type") == "refresh_token" && g.refresh[request.FormValue("refresh_token")]:
		delete(g.refresh, request.FormValue("refresh_token"))
	default:
		answer(w, http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
		return
	}
	g.issued++
	access, refresh := fmt.Sprintf("access-%d", g.issued), fmt.Sprintf("refresh-%d", g.issued)
	g.access[access], g.refresh[refresh] = time.Now().Add(g.life), true
	answer(w, http.StatusOK, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": int(g.life.Seconds()), "refresh_token": refresh})
}

// Give sets the lifetime of the tokens that are issued after this call.
func (g *LoginServer) Give(life time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.life = life
}

// Good reports whether both tokens are valid now.
func (g *LoginServer) Good(access, refresh string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.access[access].After(time.Now()) && g.refresh[refresh]
}
