package retry_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
	"marvin/providers/retry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func question() providers.Question {
	return providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hello"}}}
}

// setup is a retrier with the real client and a server that plays a script; after the script it
// answers normally.
type setup struct {
	server  *modeltest.Server
	model   providers.Model
	gate    *retry.Gate
	shown   strings.Builder
	reports []string
}

func open(t *testing.T, script ...modeltest.Step) *setup {
	t.Helper()
	var client *http.Client
	s := &setup{gate: retry.NewGate(time.Now)}
	s.server, client = modeltest.StartPipe(t, func(request modeltest.Request) modeltest.Step {
		if request.N < len(script) {
			return script[request.N]
		}
		return modeltest.Text("fine")
	})
	inner := openaichat.New(openaichat.Config{Provider: "gemini", BaseURL: s.server.URL + "/v1", Key: "sk-test", Model: "m", HTTP: client})
	s.model = retry.Wrap(inner, retry.Policy{Provider: "gemini", KeyHint: "The key came from GEMINI_API_KEY."}, s.gate)
	t.Cleanup(func() { s.model.Close() })
	return s
}

func (s *setup) ask(ctx context.Context) (providers.Reply, time.Duration, error) {
	began := time.Now()
	reply, err := s.model.Respond(ctx, question(), func(part providers.Part) {
		if part.Kind == providers.NoticePart {
			s.reports = append(s.reports, part.Text)
			return
		}
		s.shown.WriteString(part.Text)
	})
	return reply, time.Since(began), err
}

func status(code int, header ...string) modeltest.Step {
	return modeltest.Status(code, `{"error":{"message":"not now"}}`, header...)
}

func times(n int, step modeltest.Step) []modeltest.Step {
	var script []modeltest.Step
	for range n {
		script = append(script, step)
	}
	return script
}

func TestRetriedErrors(t *testing.T) {
	tests := []struct {
		name        string
		script      []modeltest.Step
		requests    int
		least, most time.Duration
		says        []string // nil: the request finally succeeds
	}{
		{"Retry-After 2", times(1, status(429, "Retry-After", "2")), 2, 2 * time.Second, 2 * time.Second, nil},
		{"Retry-After 0", times(1, status(429, "Retry-After", "0")), 2, 100 * time.Millisecond, 100 * time.Millisecond, nil},
		{"Retry-After 60", times(1, status(429, "Retry-After", "60")), 2, time.Minute, time.Minute, nil},
		{"Retry-After 12 hours", times(1, status(429, "Retry-After", "43200")), 1, 0, 0, []string{"gemini asks for a pause of 12h0m0s", "--provider"}},
		{"Retry-After-Ms", times(1, status(429, "Retry-After-Ms", "1200")), 2, 1200 * time.Millisecond, 1200 * time.Millisecond, nil},
		{"a time in words", times(1, modeltest.Status(429, `{"error":{"message":"Rate limit reached for m. Please try again in 1.2s."}}`)), 2, 1200 * time.Millisecond, 1200 * time.Millisecond, nil},
		{"minutes in words", times(1, modeltest.Status(429, `{"error":{"message":"Please retry after 1m2s"}}`)), 1, 0, 0, []string{"asks for a pause of 1m2s"}},
		{"requests used up", times(1, status(429, "X-RateLimit-Remaining-Requests", "0", "X-RateLimit-Reset-Requests", "3s", "X-RateLimit-Remaining-Tokens", "90", "X-RateLimit-Reset-Tokens", "6m0s")), 2, 3 * time.Second, 3 * time.Second, nil},
		{"a moment of Unix", times(1, status(429, "X-RateLimit-Reset", "1795176004", "Date", "Fri, 20 Nov 2026 12:00:00 GMT")), 2, 4 * time.Second, 4 * time.Second, nil},
		{"a date of Anthropic", times(1, status(429, "Anthropic-RateLimit-Tokens-Remaining", "0", "Anthropic-RateLimit-Tokens-Reset", "2026-11-20T12:00:05Z", "Date", "Fri, 20 Nov 2026 12:00:00 GMT")), 2, 5 * time.Second, 5 * time.Second, nil},
		{"429 without credit", times(1, modeltest.Status(429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","code":"insufficient_quota"}}`)), 1, 0, 0, []string{"no credit", "insufficient_quota"}},
		{"429 without a time", times(1, status(429)), 2, 0, 30 * time.Second, nil},
		{"429 twice", times(2, status(429)), 3, 0, 90 * time.Second, nil},
		{"429 three times", times(3, status(429, "Retry-After", "1")), 3, 2 * time.Second, 2 * time.Second, []string{"429", "asked 3 times"}},
		{"503 with a time", times(1, status(503, "Retry-After", "5")), 2, 5 * time.Second, 5 * time.Second, nil},
		{"529", times(4, status(529)), 5, 400 * time.Millisecond, 15 * time.Second, nil},
		{"529 for ever", times(9, status(529)), 5, 400 * time.Millisecond, 15 * time.Second, []string{"529", "asked 5 times"}},
		{"408", times(1, status(408)), 2, 0, time.Second, nil},
		{"409", times(1, status(409)), 2, 0, time.Second, nil},
		{"425", times(1, status(425)), 2, 0, time.Second, nil},
		{"400", times(1, status(400)), 1, 0, 0, []string{"400"}},
		{"401", times(1, status(401)), 1, 0, 0, []string{"401", "The key came from GEMINI_API_KEY."}},
		{"403", times(1, status(403)), 1, 0, 0, []string{"403", "The key came from GEMINI_API_KEY."}},
		{"404", times(1, status(404)), 1, 0, 0, []string{"404"}},
		{"a stream that ends before anything was said", times(1, modeltest.End()), 2, 0, time.Second, nil},
		{"a connection that breaks before", times(1, modeltest.Drop()), 2, 0, time.Second, nil},
		{"a page", times(1, modeltest.Page("text/html", "<html>login</html>")), 1, 0, 0, []string{"cannot read the server's answer"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t, test.script...)
				reply, took, err := s.ask(t.Context())
				if got := len(s.server.Requests()); got != test.requests {
					t.Errorf("%d requests, want %d", got, test.requests)
				}
				if took < test.least || took > test.most {
					t.Errorf("took %s, want %s to %s", took, test.least, test.most)
				}
				if len(s.reports) != test.requests-1 {
					t.Errorf("%d requests but reported %q", test.requests, s.reports)
				}
				if test.says == nil {
					if err != nil || reply.Text != "fine" || s.shown.String() != "fine" {
						t.Errorf("got %q, shown %q, %v", reply.Text, s.shown.String(), err)
					}
					return
				}
				for _, part := range test.says {
					if err == nil || !strings.Contains(err.Error(), part) {
						t.Errorf("error %v does not say %q", err, part)
					}
				}
			})
		})
	}
}

// A provider that failed completely does not delay later turns, and is used normally again once it
// answers.
func TestAProviderThatWasGivenUpIsAskedOnceATurn(t *testing.T) {
	for name, row := range map[string]struct {
		fails    modeltest.Step
		requests int
	}{
		"500": {status(500), 5}, "429 for an hour": {status(429, "Retry-After", "3600"), 1}, "429 for twenty seconds": {status(429, "Retry-After", "20"), 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t, append(times(row.requests+3, row.fails), modeltest.Text("back"), status(503), modeltest.Text("fine"))...)
				for turn, requests := range []int{row.requests, 1, 1, 1} {
					before := len(s.server.Requests())
					_, took, err := s.ask(t.Context())
					if got := len(s.server.Requests()) - before; err == nil || got != requests || turn > 0 && took > time.Second {
						t.Errorf("turn %d: %d requests in %s: %v", turn, got, took, err)
					}
				}
				for _, want := range []string{"back", "fine"} {
					if reply, _, err := s.ask(t.Context()); err != nil || reply.Text != want {
						t.Errorf("%q, %v, want %q", reply.Text, err, want)
					}
				}
			})
		})
	}
}

func TestNothingIsSaidTwice(t *testing.T) {
	call := modeltest.Calls(modeltest.Call{ID: "1", Name: "f", Args: `{}`}).WithFaults(modeltest.NoFinish(), modeltest.NoDone())
	for name, step := range map[string]modeltest.Step{
		"text":     modeltest.Text("half an ans").Append(modeltest.Drop()),
		"thinking": modeltest.Think("let me see").Append(modeltest.End()),
		"a call":   call,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t, step)
				_, _, err := s.ask(t.Context())
				if !errors.Is(err, providers.ErrCut) || len(s.server.Requests()) != 1 {
					t.Errorf("%d requests, %v", len(s.server.Requests()), err)
				}
			})
		})
	}
}

func TestNoConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			attempts++
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
		}}}
		inner := openaichat.New(openaichat.Config{Provider: "groq", BaseURL: "http://model.test/v1", Key: "sk-test", Model: "m", HTTP: client})
		model := retry.Wrap(inner, retry.Policy{Provider: "groq"}, retry.NewGate(time.Now))
		defer model.Close()
		_, err := model.Respond(t.Context(), question(), func(providers.Part) {})
		if !errors.Is(err, providers.ErrUnreachable) || attempts != 5 {
			t.Errorf("%d attempts, %v", attempts, err)
		}
	})
}

func TestCancelEndsTheWait(t *testing.T) {
	enough := errors.New("enough")
	for name, step := range map[string]modeltest.Step{"at the gate": status(429, "Retry-After", "50"), "alone": status(503, "Retry-After", "50")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t, step)
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(3*time.Second, func() { cancel(enough) })
				if _, took, err := s.ask(ctx); !errors.Is(err, enough) || took != 3*time.Second {
					t.Errorf("after %s: %v", took, err)
				}
			})
		})
	}
}

// TestOneLimitHoldsAllCallers lets 16 callers share an account: one 429 stops all of them, and they
// return one by one.
func TestOneLimitHoldsAllCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var arrivals []time.Duration
		began := time.Now()
		_, client := modeltest.StartPipe(t, func(request modeltest.Request) modeltest.Step {
			mu.Lock()
			defer mu.Unlock()
			arrivals = append(arrivals, time.Since(began))
			if request.N == 0 {
				return status(429, "Retry-After", "10")
			}
			return modeltest.Text("fine")
		})
		gate := retry.NewGate(time.Now)
		ask := func() {
			inner := openaichat.New(openaichat.Config{Provider: "groq", BaseURL: "http://model.test/v1", Key: "sk-test", Model: "m", HTTP: client})
			model := retry.Wrap(inner, retry.Policy{Provider: "groq"}, gate)
			if _, err := model.Respond(t.Context(), question(), func(providers.Part) {}); err != nil {
				t.Error(err)
			}
		}
		var callers sync.WaitGroup
		callers.Go(ask)
		time.Sleep(time.Second) // virtual time: the first caller has received its 429
		for range 15 {
			callers.Go(ask)
		}
		callers.Wait()
		if len(arrivals) != 17 {
			t.Fatalf("%d requests, want 17", len(arrivals))
		}
		for i, at := range arrivals[1:] {
			if want := 10*time.Second + time.Duration(i)*250*time.Millisecond; at != want {
				t.Errorf("request %d came after %s, want %s", i+1, at, want)
			}
		}
	})
}

func TestUsersAreNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, status(429, "Retry-After", "12"), status(503, "Retry-After", "3"))
		if _, _, err := s.ask(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"⚠️ Rate limited by gemini. Waiting 12s...", "⚠️ gemini answered 503: not now. Trying again in 3s..."}
		if fmt.Sprint(s.reports) != fmt.Sprint(want) {
			t.Errorf("reported %q, want %q", s.reports, want)
		}
	})
}
