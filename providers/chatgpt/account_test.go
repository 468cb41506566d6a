package chatgpt_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/chatgpt"
	"marvin/providers/modeltest"
	"marvin/providers/responses"
)

// detour sends requests for the hosts in the code to a test server.
type detour struct{ to string }

func (d detour) RoundTrip(request *http.Request) (*http.Response, error) {
	to, err := url.Parse(d.to)
	if err != nil {
		return nil, err
	}
	sent := request.Clone(request.Context())
	sent.URL.Scheme, sent.URL.Host, sent.Host = to.Scheme, to.Host, ""
	return http.DefaultTransport.RoundTrip(sent)
}

// shelf stores tokens for several Marvins.
type shelf struct {
	sync.Mutex
	renewing sync.Mutex
	tokens   chatgpt.Tokens
}

func (s *shelf) store() chatgpt.Store {
	return chatgpt.Store{
		Load: func() (chatgpt.Tokens, error) {
			s.Lock()
			defer s.Unlock()
			return s.tokens, nil
		},
		Save: func(fresh chatgpt.Tokens) error {
			s.Lock()
			defer s.Unlock()
			s.tokens = fresh
			return nil
		},
		Lock: func() (func() error, error) {
			s.renewing.Lock()
			return func() error { s.renewing.Unlock(); return nil }, nil
		},
	}
}

// logIn performs a whole login, as a user does.
func logIn(t *testing.T, plan *modeltest.Plan) (*shelf, *http.Client) {
	t.Helper()
	client := &http.Client{Transport: detour{plan.URL}}
	login := chatgpt.NewLogin(1455, client)
	tokens, err := login.Finish(t.Context(), visit(t, plan, login.Address()))
	if err != nil || tokens.Account != modeltest.Account || tokens.Access == "" || tokens.Refresh == "" {
		t.Fatalf("%+v, %v", tokens, err)
	}
	return &shelf{tokens: tokens}, client
}

// visit returns the address to which OpenAI's page redirects the browser.
func visit(t *testing.T, plan *modeltest.Plan, address string) *url.URL {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil || at.Host != "auth.openai.com" || at.Scheme != "https" {
		t.Fatalf("%q, %v", address, err)
	}
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.Get(plan.URL + at.RequestURI())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	back, err := response.Location()
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func account(s *shelf, client *http.Client) *chatgpt.Account {
	return chatgpt.NewAccount(s.store(), func() *http.Client { return client }, time.Now)
}

func TestAPlanAnswers(t *testing.T) {
	plan := modeltest.StartPlan(t, func(request modeltest.Request) modeltest.Step {
		if request.N == 0 {
			return modeltest.Think("hm").Append(modeltest.Calls(modeltest.Call{Name: "look"}))
		}
		return modeltest.Text("It is a cat.")
	})
	kept, client := logIn(t, plan)
	own := account(kept, client)
	model := responses.New(responses.Config{
		Provider: providers.ChatGPT, BaseURL: "https://chatgpt.com/backend-api/codex", Model: "gpt-5.3-codex", HTTP: client,
		Admit: func(ctx context.Context, refused string) (string, http.Header, error) {
			token, id, err := own.Bearer(ctx, refused)
			return token, chatgpt.Header(token, id), err
		},
	})
	defer model.Close()
	all := []messages.Message{{Role: messages.User, Text: "look"}}
	ask := func() providers.Reply {
		t.Helper()
		reply, err := model.Respond(t.Context(), providers.Question{Messages: all, Tools: []providers.ToolSpec{{Name: "look"}}, Effort: providers.High}, func(providers.Part) {})
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	reply := ask()
	all = append(all, messages.Message{Role: messages.Assistant, Calls: reply.Calls, Thinking: reply.Thinking}, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: reply.Calls[0].ID, Name: "look", Text: "a cat"}})
	plan.Forget(false) // OpenAI revokes the token before its expiry
	if reply = ask(); reply.Text != "It is a cat." || plan.Renewals() != 1 {
		t.Errorf("%+v after %d renewals", reply, plan.Renewals())
	}
	if raw := string(plan.Model.Requests()[1].Raw); !strings.Contains(raw, `"encrypted_content"`) {
		t.Errorf("what was thought does not go back: %s", raw)
	}
	if names, err := own.Models(t.Context(), "https://chatgpt.com/backend-api/codex", client); err != nil || strings.Join(names, " ") != "gpt-5.3-codex" {
		t.Errorf("%q, %v", names, err)
	}
}

// A refresh token works only once: of many conversations and Marvins with an expired token, one
// renews it, and the others use the new token.
func TestALoginIsRenewedOnce(t *testing.T) {
	plan := modeltest.StartPlan(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	plan.TokenLifetime = time.Minute // less than a token must have left
	kept, client := logIn(t, plan)
	plan.TokenLifetime = time.Hour
	var wait sync.WaitGroup
	for range 4 {
		own := account(kept, client) // of another Marvin
		for range 8 {
			wait.Go(func() {
				if token, id, err := own.Bearer(t.Context(), ""); err != nil || token == "" || id != modeltest.Account {
					t.Errorf("%q, %q, %v", token, id, err)
				}
			})
		}
	}
	wait.Wait()
	if n := plan.Renewals(); n != 1 {
		t.Errorf("%d renewals", n)
	}
}

func TestALoginThatEndedSaysSo(t *testing.T) {
	plan := modeltest.StartPlan(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	kept, client := logIn(t, plan)
	plan.Forget(true)
	_, _, err := account(kept, client).Bearer(t.Context(), kept.tokens.Access)
	if !errors.Is(err, providers.ErrNoKey) || !strings.Contains(err.Error(), "marvin login chatgpt") || !strings.Contains(err.Error(), "refresh_token_reused") {
		t.Errorf("%v", err)
	}
	for _, secret := range plan.Secrets() {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s is in: %v", secret, err)
		}
	}
	if _, _, err := account(&shelf{}, client).Bearer(t.Context(), ""); !errors.Is(err, providers.ErrNoKey) {
		t.Errorf("nobody is logged in: %v", err)
	}
	down := &http.Client{Transport: detour{"http://127.0.0.1:1"}}
	if _, _, err := account(kept, down).Bearer(t.Context(), kept.tokens.Access); !errors.Is(err, providers.ErrUnreachable) || errors.Is(err, providers.ErrNoKey) {
		t.Errorf("OpenAI cannot be reached: %v", err)
	}
}

func TestAFailedLoginIsReported(t *testing.T) {
	plan := modeltest.StartPlan(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	client := &http.Client{Transport: detour{plan.URL}}
	for change, says := range map[string]string{
		"state=other": "a different login",
		"error=access_denied&error_description=No": "access_denied No",
		"code=":      "without a login code",
		"code=wrong": "answered 401",
	} {
		login := chatgpt.NewLogin(1457, client)
		back := visit(t, plan, login.Address())
		said, changed := back.Query(), must(url.ParseQuery(change))
		for name := range changed {
			said.Set(name, changed.Get(name))
		}
		back.RawQuery = said.Encode()
		if tokens, err := login.Finish(t.Context(), back); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v", change, tokens, err)
		}
	}
}

func must(values url.Values, err error) url.Values {
	if err != nil {
		panic(err)
	}
	return values
}
