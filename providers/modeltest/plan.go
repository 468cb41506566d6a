package modeltest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Plan simulates OpenAI for a user with a ChatGPT plan: auth.openai.com for the login, and
// chatgpt.com/backend-api/codex for the answers. It refuses the requests that OpenAI refuses. The
// formats are from github.com/openai/codex (codex-rs/login/src/server.rs, codex-rs/codex-api,
// codex-rs/model-provider/src/bearer_auth_provider.rs). The refusals are from
// tinyhumansai/openhuman#3201 ("Store must be set to false"), diegosouzapw/OmniRoute#746
// ("Instructions are required") and earendil-works/pi#4172 (usage_limit_reached).
type Plan struct {
	URL   string
	Model *Server
	// TokenLifetime is the lifetime of a token. A client can find the expiry time only in the token
	// itself.
	TokenLifetime time.Duration

	tb testing.TB

	mu        sync.Mutex
	challenge string // the challenge of the login in progress
	back      string
	n         int
	access    string // the valid access token
	refresh   string
	renewals  int
	given     []string // every token and code that was issued
}

// Account is the id of the plan's account.
const Account = "acct-1b7e"

// StartPlan starts a simulated plan that stops when the test ends.
func StartPlan(tb testing.TB, answer func(Request) Step) *Plan {
	tb.Helper()
	p := &Plan{TokenLifetime: time.Hour, tb: tb}
	p.Model = New(func(request Request) Step {
		if why := planBreach(request); why != "" {
			tb.Errorf("modeltest: ChatGPT would refuse request %d: %s", request.N, why)
			return Status(http.StatusBadRequest, string(encode(map[string]any{"detail": why})))
		}
		return answer(request)
	})
	p.Model.tb = tb
	mux := http.NewServeMux()
	mux.HandleFunc("GET /oauth/authorize", p.authorize)
	mux.HandleFunc("POST /oauth/token", p.token)
	mux.HandleFunc("GET /backend-api/codex/models", p.models)
	mux.HandleFunc("POST /backend-api/codex/responses", p.responses)
	listening := httptest.NewServer(mux)
	p.URL = listening.URL
	tb.Cleanup(func() {
		close(p.Model.closing)
		listening.Close()
	})
	return p
}

// Visit opens the login address as a browser does, and follows the redirect that contains the code.
func (p *Plan) Visit(address string) (*http.Response, error) {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" || at.Host != "auth.openai.com" {
		return nil, fmt.Errorf("%q is not an OpenAI page", address)
	}
	return new(http.Client).Get(p.URL + at.RequestURI()) //nolint:noctx // the request ends when the server stops
}

func (p *Plan) authorize(to http.ResponseWriter, incoming *http.Request) {
	said := incoming.URL.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "app_EMoamEEZ73f0CkXaXp7hrann", "code_challenge_method": "S256",
		"id_token_add_organizations": "true", "codex_cli_simplified_flow": "true", "scope": "openid profile email offline_access",
	} {
		if said.Get(name) != want {
			p.tb.Errorf("modeltest: the login has %s=%q", name, said.Get(name))
		}
	}
	p.mu.Lock()
	p.challenge, p.back = said.Get("code_challenge"), said.Get("redirect_uri")
	p.mu.Unlock()
	if !slices.Contains([]string{"http://localhost:1455/auth/callback", "http://localhost:1457/auth/callback"}, p.back) {
		http.Error(to, "redirect_uri", http.StatusBadRequest)
		return
	}
	// On some machines, localhost does not resolve to 127.0.0.1.
	back := strings.Replace(p.back, "localhost", "127.0.0.1", 1)
	http.Redirect(to, incoming, back+"?"+url.Values{"code": {p.give("code")}, "state": {said.Get("state")}}.Encode(), http.StatusFound)
}

func (p *Plan) give(kind string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	secret := fmt.Sprintf("canary-%s-%d", kind, p.n)
	p.given = append(p.given, secret)
	return secret
}

// Secrets returns all tokens and codes that were issued.
func (p *Plan) Secrets() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.given)
}

// Renewals returns the number of attempts to exchange a refresh token.
func (p *Plan) Renewals() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.renewals
}

// Forget revokes the access token, and also the refresh token if bothTokens is true.
func (p *Plan) Forget(bothTokens bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.access = ""
	if bothTokens {
		p.refresh = ""
	}
}

func (p *Plan) token(to http.ResponseWriter, incoming *http.Request) {
	if err := incoming.ParseForm(); err != nil || incoming.Form.Get("client_id") == "" {
		http.Error(to, "form", http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	sum := sha256.Sum256([]byte(incoming.Form.Get("code_verifier")))
	good := false
	switch incoming.Form.Get("grant_type") {
	case "authorization_code":
		good = p.challenge == base64.RawURLEncoding.EncodeToString(sum[:]) && incoming.Form.Get("redirect_uri") == p.back && slices.Contains(p.given, incoming.Form.Get("code"))
		p.challenge = ""
	case "refresh_token":
		p.renewals++
		good = p.refresh != "" && incoming.Form.Get("refresh_token") == p.refresh
	}
	p.mu.Unlock()
	if !good {
		to.Header().Set("Content-Type", "application/json")
		to.WriteHeader(http.StatusUnauthorized)
		_, _ = to.Write(encode(map[string]any{"error": map[string]any{
			"message": "Your refresh token has already been used to generate a new access token. Please try signing in again. (" + incoming.Form.Get("refresh_token") + incoming.Form.Get("code") + ")",
			"type":    "invalid_request_error", "param": nil, "code": "refresh_token_reused",
		}}))
		return
	}
	access, refresh := p.jwt(p.give("access")), p.give("refresh")
	p.mu.Lock()
	p.access, p.refresh = access, refresh
	p.mu.Unlock()
	to.Header().Set("Content-Type", "application/json")
	_, _ = to.Write(encode(map[string]any{"id_token": p.jwt("id"), "access_token": access, "refresh_token": refresh, "token_type": "Bearer"}))
}

// jwt returns a token with the given id. The token contains the claims that Marvin reads.
func (p *Plan) jwt(id string) string {
	claims := encode(map[string]any{
		"exp": time.Now().Add(p.TokenLifetime).Unix(), "jti": id,
		"https://api.openai.com/auth": map[string]any{"chatgpt_account_id": Account, "chatgpt_plan_type": "plus"},
	})
	return "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString(claims) + "." + id
}

// admit returns true if a request's access token and account id are valid. Otherwise, admit sends
// status 401 and returns false.
func (p *Plan) admit(to http.ResponseWriter, incoming *http.Request) bool {
	p.mu.Lock()
	good := p.access != "" && incoming.Header.Get("Authorization") == "Bearer "+p.access
	p.mu.Unlock()
	if good && incoming.Header.Get("ChatGPT-Account-ID") == Account {
		if incoming.Header.Get("Originator") != "marvin" {
			p.tb.Errorf("modeltest: a request has the Originator %q, not marvin", incoming.Header.Get("Originator"))
		}
		return true
	}
	to.Header().Set("Content-Type", "application/json")
	to.WriteHeader(http.StatusUnauthorized)
	_, _ = to.Write(encode(map[string]any{"status": 401, "error": map[string]any{
		"message": "Provided authentication token is expired. Please try signing in again. " + incoming.Header.Get("Authorization"), "type": nil, "param": nil, "code": "token_expired",
	}}))
	return false
}

func (p *Plan) models(to http.ResponseWriter, incoming *http.Request) {
	if !p.admit(to, incoming) {
		return
	}
	if incoming.URL.Query().Get("client_version") == "" {
		http.Error(to, `{"detail":"client_version"}`, http.StatusBadRequest)
		return
	}
	_, _ = to.Write(encode(map[string]any{"models": []any{
		map[string]any{"slug": "gpt-5.3-codex", "display_name": "gpt-5.3-codex", "visibility": "list", "supported_in_api": true, "priority": 1},
		map[string]any{"slug": "gpt-hidden", "display_name": "hidden", "visibility": "hide", "supported_in_api": true, "priority": 2},
	}}))
}

func (p *Plan) responses(to http.ResponseWriter, incoming *http.Request) {
	if p.admit(to, incoming) {
		p.Model.ServeHTTP(to, incoming)
	}
}

// planBreach returns the reason why a ChatGPT plan would refuse a request, or "" if there is none.
func planBreach(request Request) string {
	var body struct {
		Store        *bool           `json:"store"`
		Stream       bool            `json:"stream"`
		Instructions string          `json:"instructions"`
		Most         json.RawMessage `json:"max_output_tokens"`
		CacheKey     string          `json:"prompt_cache_key"`
	}
	switch err := json.Unmarshal(request.Raw, &body); {
	case err != nil:
		return err.Error()
	case body.Store == nil || *body.Store:
		return "Store must be set to false"
	case !body.Stream:
		return "Stream must be set to true"
	case body.Instructions == "":
		return "Instructions are required"
	case len(body.Most) > 0:
		return "Unsupported parameter: max_output_tokens"
	case body.CacheKey == "":
		return "no prompt_cache_key: nothing would be read from the cache"
	}
	return ""
}
