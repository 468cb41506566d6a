package mcp

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/persistence/settings"
)

// listener is a server that must not receive requests. It records the ones that it gets.
type listener struct {
	*httptest.Server
	mu  sync.Mutex
	got []string
}

func listening(t *testing.T) *listener {
	l := &listener{}
	l.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.got = append(l.got, fmt.Sprint(r.Method, " ", r.URL, " ", r.Header, " ", string(body)))
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *listener) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got
}

// The headers for a server contain keys. A server can send Marvin to another address, by a redirect
// or by the address for messages. That address must receive nothing, and the error names both
// addresses.
func TestTheKeysOfAServerGoToItsOriginAlone(t *testing.T) {
	for _, way := range []string{"301", "302", "303", "307", "308", "sse redirect", "sse endpoint", "sse //host"} {
		t.Run(way, func(t *testing.T) {
			other := listening(t)
			steal := other.URL + "/steal"
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var status int
				switch fmt.Sscan(way, &status); {
				case status > 0:
					http.Redirect(w, r, steal, status)
				case way == "sse redirect":
					http.Redirect(w, r, steal, http.StatusTemporaryRedirect)
				default:
					if way == "sse //host" {
						steal = strings.TrimPrefix(steal, "http:")
					}
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", steal)
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				}
			}))
			defer server.Close()
			address := server.URL + "/mcp"
			if strings.HasPrefix(way, "sse") {
				address = server.URL + "/sse"
			}
			on := ground(t)
			on.Environ = append(on.Environ, "KEY=secret")
			session, err := Connect(t.Context(), "far", settings.Server{URL: address, Headers: map[string]string{"Authorization": "Bearer $KEY"}}, on)
			if err == nil {
				session.Close()
				t.Fatal("it connected")
			}
			if !strings.Contains(err.Error(), server.URL) || !strings.Contains(err.Error(), other.URL) || !strings.Contains(err.Error(), "url of the server far") {
				t.Error(err)
			}
			if got := other.all(); len(got) > 0 {
				t.Errorf("the other address got %q", got)
			}
		})
	}
}

// A login sends the code and the verifier only to the address in the metadata, and does not follow
// a redirect from there.
func TestTheCodeOfALoginFollowsNoRedirect(t *testing.T) {
	upstream, other := guarded(t, time.Hour), listening(t)
	real, _ := url.Parse(upstream.URL)
	front := httptest.NewServer(nil)
	defer front.Close()
	front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			http.Redirect(w, r, other.URL+"/steal", http.StatusTemporaryRedirect)
			return
		}
		relay(w, r, real, front.URL)
	})
	logins := logins.Servers{Home: persistence.Open(t.TempDir(), time.Now)}
	wanted, err := login().Run(t.Context(), logins, "tracker", front.URL+"/mcp")
	if !wanted || err == nil || !strings.Contains(err.Error(), other.URL) {
		t.Errorf("%v, %v", wanted, err)
	}
	if got := other.all(); len(got) > 0 {
		t.Errorf("the other address got %q", got)
	}
}

// A server can name the login page of another service, and its own address for the code. The code
// goes there only if the user agrees.
func TestTheCodeOfALoginGoesToNoForeignHost(t *testing.T) {
	for name, row := range map[string]struct {
		elsewhere func(page, to string) error
		sent      bool
	}{
		"nobody to ask": {nil, false},
		"the user refuses": {func(page, to string) error {
			return fmt.Errorf("%s is not %s", page, to)
		}, false},
		"the user agrees": {func(string, string) error { return nil }, true},
	} {
		t.Run(name, func(t *testing.T) {
			upstream := guarded(t, time.Hour)
			real, _ := url.Parse(upstream.URL)
			front := httptest.NewServer(nil)
			defer front.Close()
			page, sent := strings.Replace(front.URL, "127.0.0.1", "localhost", 1)+"/authorize", false
			front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent = sent || r.URL.Path == "/token"
				kept := httptest.NewRecorder()
				relay(kept, r, real, front.URL)
				w.Header().Set("Content-Type", kept.Header().Get("Content-Type"))
				for _, name := range []string{"Location", "WWW-Authenticate"} {
					w.Header().Set(name, kept.Header().Get(name))
				}
				w.WriteHeader(kept.Code)
				_, _ = io.WriteString(w, strings.Replace(kept.Body.String(), front.URL+"/authorize", page, 1))
			})
			l := login()
			l.AllowElsewhere = row.elsewhere
			_, err := l.Run(t.Context(), logins.Servers{Home: persistence.Open(t.TempDir(), time.Now)}, "tracker", front.URL+"/mcp")
			if sent != row.sent || (err == nil) != row.sent || err != nil && !strings.Contains(err.Error(), "localhost") {
				t.Errorf("sent: %v, %v", sent, err)
			}
		})
	}
}

// relay forwards a request to the real server. Each of the two servers uses its own address in
// replies.
func relay(w http.ResponseWriter, r *http.Request, real *url.URL, front string) {
	there := strings.NewReplacer(front, real.String(), url.QueryEscape(front), url.QueryEscape(real.String()))
	asked, _ := io.ReadAll(r.Body)
	request, _ := http.NewRequest(r.Method, real.String()+there.Replace(r.URL.RequestURI()), strings.NewReader(there.Replace(string(asked))))
	request.Header = r.Header
	response, err := (&http.Transport{DisableCompression: true}).RoundTrip(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	for name, values := range response.Header {
		if name != "Content-Length" {
			w.Header().Set(name, strings.ReplaceAll(values[0], real.String(), front))
		}
	}
	w.WriteHeader(response.StatusCode)
	_, _ = io.WriteString(w, strings.ReplaceAll(string(body), real.String(), front))
}

// With metadata about another resource, this server would receive a token for that resource (RFC
// 9728, 3.3).
func TestALoginIsForTheServerThatAskedForIt(t *testing.T) {
	for _, resource := range []string{"https://bank.example/mcp", "{front}/other", "{front}x/mcp"} {
		upstream := guarded(t, time.Hour)
		real, _ := url.Parse(upstream.URL)
		front := httptest.NewServer(nil)
		defer front.Close()
		resource = strings.ReplaceAll(resource, "{front}", front.URL)
		front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource") {
				fmt.Fprintf(w, `{"resource":%q,"authorization_servers":[%q]}`, resource, front.URL)
				return
			}
			relay(w, r, real, front.URL)
		})
		logins := logins.Servers{Home: persistence.Open(t.TempDir(), time.Now)}
		if wanted, err := login().Run(t.Context(), logins, "tracker", front.URL+"/mcp"); !wanted || err == nil || !strings.Contains(err.Error(), resource) {
			t.Errorf("%s: %v, %v", resource, wanted, err)
		}
		if _, known, _ := logins.Get("tracker", front.URL+"/mcp"); known {
			t.Errorf("%s: a login is kept", resource)
		}
	}
}
