package modeltest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

// If a server redirects a question to another address, the error names both, and the other address
// gets neither the key nor the conversation.
func TestNoWireFollowsARedirectToAnotherOrigin(t *testing.T) {
	for _, wire := range wires {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprint(wire, " ", status), func(t *testing.T) {
				var taken atomic.Int64
				other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					taken.Add(1)
				}))
				defer other.Close()
				first := httptest.NewServer(http.RedirectHandler(other.URL+"/steal?x=1", status))
				defer first.Close()
				model := clientAt(t, wire, first.URL, "m", providers.About{})
				_, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "secret"}}}, func(providers.Part) {})
				refused, ok := errors.AsType[*providers.StatusError](err)
				setting := "under \"providers:\" in config.yaml"
				if wire == modeltest.Ollama {
					setting = "OLLAMA_URL"
				}
				if !ok || !strings.Contains(refused.Message, first.URL) || !strings.Contains(refused.Message, other.URL+"/steal") || !strings.Contains(refused.Message, setting) {
					t.Errorf("%v", err)
				}
				if taken.Load() > 0 {
					t.Error("the other address was asked")
				}
			})
		}
	}
}

// A redirect within the server is followed: the same server gets the question.
func TestWiresFollowARedirectWithinTheirServer(t *testing.T) {
	for _, wire := range wires {
		answers := modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("here") })
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/moved") {
				http.Redirect(w, r, "/moved"+r.URL.Path, http.StatusTemporaryRedirect)
				return
			}
			r.URL.Path = strings.TrimPrefix(r.URL.Path, "/moved")
			answers.ServeHTTP(w, r)
		}))
		defer front.Close()
		reply, err := clientAt(t, wire, front.URL, "m", providers.About{}).Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hi"}}}, func(providers.Part) {})
		if err != nil || reply.Text != "here" {
			t.Errorf("%s: %q, %v", wire, reply.Text, err)
		}
	}
}
