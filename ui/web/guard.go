package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Guard decides which requests get anything. A request needs the address of this server as
// its Host, no other page as its origin, and the cookie; the cookie comes with a link that
// works once.
type Guard struct {
	hosts []string // that a request may name
	name  string   // of the cookie

	mu       sync.Mutex
	links    []string // not used yet
	sessions []string // the values of cookies that were given
}

// newGuard guards a server that listens at 127.0.0.1 and a port.
func newGuard(port string) *Guard {
	return &Guard{hosts: []string{"127.0.0.1:" + port, "localhost:" + port}, name: "marvin_" + port}
}

const (
	mostLinks    = 16 // that nobody used
	mostSessions = 64
)

// token is a secret of 256 bits.
func token() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

// Link makes an address that opens the page in one browser, once.
func (g *Guard) Link() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.links) >= mostLinks {
		g.links = g.links[1:]
	}
	link := token()
	g.links = append(g.links, link)
	return "http://" + g.hosts[0] + "/?k=" + link
}

// use takes a link and returns the value of the cookie; "" if the link is unknown or used.
func (g *Guard) use(link string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := indexOf(g.links, link)
	if at < 0 {
		return ""
	}
	g.links = slices.Delete(g.links, at, at+1)
	if len(g.sessions) >= mostSessions {
		g.sessions = g.sessions[1:]
	}
	session := token()
	g.sessions = append(g.sessions, session)
	return session
}

// known says whether a request has a cookie that was given.
func (g *Guard) known(r *http.Request) bool {
	cookie, err := r.Cookie(g.name)
	if err != nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return indexOf(g.sessions, cookie.Value) >= 0
}

// indexOf finds a secret in a time that does not depend on it.
func indexOf(secrets []string, text string) int {
	found := -1
	for i, secret := range secrets {
		if subtle.ConstantTimeCompare([]byte(secret), []byte(text)) == 1 {
			found = i
		}
	}
	return found
}

// refusal is why a request gets nothing.
type refusal struct {
	status int
	why    string
}

// check returns nil for a request that comes from a page of this server or from the address
// bar of a browser.
func (g *Guard) check(r *http.Request) *refusal {
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case !slices.Contains(g.hosts, r.Host):
		return &refusal{http.StatusForbidden, "The request names another host. Open the address that marvin web printed."}
	case len(r.Header.Values("Origin")) > 0 && r.Header.Get("Origin") != "http://"+r.Host:
		return &refusal{http.StatusForbidden, "The request comes from another page."}
	case site != "" && site != "same-origin" && (site != "none" || r.Method != http.MethodGet):
		return &refusal{http.StatusForbidden, "The request comes from another site. Type or paste the address into the address bar."}
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		return &refusal{http.StatusMethodNotAllowed, "Only GET and POST are served."}
	}
	return nil
}

// isJSON says whether a request says that its body is JSON.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// headers are those of every reply.
func headers(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// guard lets requests pass to next.
func (g *Guard) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers(w.Header())
		if refused := g.check(r); refused != nil {
			http.Error(w, refused.why, refused.status)
			return
		}
		if link := r.URL.Query().Get("k"); link != "" && r.URL.Path == "/" && r.Method == http.MethodGet {
			g.enter(w, r, link)
			return
		}
		switch {
		case !g.known(r):
			http.Error(w, "Marvin needs the link that marvin web printed. It works once; press Enter in that terminal for another one.", http.StatusUnauthorized)
		case r.Method == http.MethodPost && !isJSON(r):
			http.Error(w, "The body must be application/json.", http.StatusUnsupportedMediaType)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// enter swaps a link for a cookie.
func (g *Guard) enter(w http.ResponseWriter, r *http.Request, link string) {
	session := g.use(link)
	if session == "" && !g.known(r) {
		http.Error(w, "This link was used, or it is not one of this Marvin. Press Enter in the terminal of marvin web for another one.", http.StatusUnauthorized)
		return
	}
	if session != "" {
		http.SetCookie(w, &http.Cookie{Name: g.name, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	w.Header().Set("Location", "/")
	w.WriteHeader(http.StatusSeeOther)
}

// line is a text in one line, of at most so many characters.
func line(text string, most int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}
