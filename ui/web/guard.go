package web

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/messages"
)

// Guard decides which requests are allowed. A request must name an address of this server in the
// Host header, contain a valid cookie, and not come from another site's page. On loopback, a
// single-use link sets the cookie. On other addresses, the user must also confirm the device at the
// terminal.
type Guard struct {
	scheme  string
	hosts   []string // allowed values of the Host header
	name    string   // name of the cookie
	devices Devices  // confirmed devices; nil on loopback
	knocked func(Device)
	now     func() time.Time

	mu       sync.Mutex
	links    []secretRole // unused links
	sessions []secretRole // values of valid cookies
	waiting  []*waitingBrowser
	wrong    int // number of wrong codes
}

// secretRole is a secret and the role that the secret grants.
type secretRole struct {
	secret string
	role   messages.WindowRole
}

// newGuard returns a guard for a server that listens on 127.0.0.1 at the given port.
func newGuard(port string, now func() time.Time) *Guard {
	return &Guard{scheme: "http", hosts: []string{"127.0.0.1:" + port, "localhost:" + port}, name: "marvin_" + port, now: now}
}

const (
	mostLinks    = 16 // unused links
	mostSessions = 64
)

// token returns a secret of 256 bits.
func token() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

// Link returns a single-use URL of the page. The URL grants the given role.
func (g *Guard) Link(role messages.WindowRole) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.links) >= mostLinks {
		g.links = g.links[1:]
	}
	link := token()
	g.links = append(g.links, secretRole{link, role})
	return g.scheme + "://" + g.hosts[0] + "/?k=" + link
}

// redeem invalidates a link and returns its role. The result is "" if the link is unknown or was
// already used.
func (g *Guard) redeem(link string) messages.WindowRole {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := indexOf(g.links, link)
	if at < 0 {
		return ""
	}
	role := g.links[at].role
	g.links = slices.Delete(g.links, at, at+1)
	return role
}

// session creates a session and returns the value of the session cookie.
func (g *Guard) session(role messages.WindowRole) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.sessions) >= mostSessions {
		g.sessions = g.sessions[1:]
	}
	session := token()
	g.sessions = append(g.sessions, secretRole{session, role})
	return session
}

// cookieRole returns the role that a request's cookies grant, or "" if no cookie is valid. It
// checks all cookies with the guard's cookie name, because a server on another port of the same
// address can set such a cookie.
func (g *Guard) cookieRole(r *http.Request) messages.WindowRole {
	for _, cookie := range r.CookiesNamed(g.name) {
		if role := g.roleOf(cookie.Value); role != "" {
			return role
		}
	}
	return ""
}

func (g *Guard) roleOf(secret string) messages.WindowRole {
	if g.devices != nil {
		role, _ := g.devices.Known(secret)
		return role
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := indexOf(g.sessions, secret); at >= 0 {
		return g.sessions[at].role
	}
	return ""
}

// indexOf returns the index of a secret, or -1. It compares secrets in constant time.
func indexOf(all []secretRole, text string) int {
	found := -1
	for i, one := range all {
		if equalSecret(one.secret, text) {
			found = i
		}
	}
	return found
}

func equalSecret(secret, text string) bool {
	return subtle.ConstantTimeCompare([]byte(secret), []byte(text)) == 1
}

type refusal struct {
	status int
	why    string
}

// check returns nil if the host, the origin and the method of a request are allowed.
func (g *Guard) check(r *http.Request) *refusal {
	otherPage := func(origin string) bool { return origin != g.scheme+"://"+r.Host }
	otherSite := func(site string) bool {
		return site != "" && site != "same-origin" && (site != "none" || r.Method != http.MethodGet)
	}
	switch {
	case !slices.Contains(g.hosts, r.Host):
		return &refusal{http.StatusForbidden, "The request is for another host. Open the address that \"marvin web\" printed."}
	case slices.ContainsFunc(r.Header.Values("Origin"), otherPage):
		return &refusal{http.StatusForbidden, "The request comes from another page."}
	case slices.ContainsFunc(r.Header.Values("Sec-Fetch-Site"), otherSite):
		return &refusal{http.StatusForbidden, "The request comes from another site. Type or paste the address into the address bar."}
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		return &refusal{http.StatusMethodNotAllowed, "Only GET and POST are served."}
	}
	return nil
}

// isJSON reports whether the body of a request is declared as JSON.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// setHeaders sets the headers of every reply.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// guard returns a handler that forwards only allowed requests to next.
func (g *Guard) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header())
		if refused := g.check(r); refused != nil {
			http.Error(w, refused.why, refused.status)
			return
		}
		if link := r.URL.Query().Get("k"); link != "" && r.URL.Path == "/" && r.Method == http.MethodGet {
			g.redeemLink(w, r, link)
			return
		}
		if g.devices != nil && r.URL.Path == "/pair" && r.Method == http.MethodGet {
			g.pairing(w, r)
			return
		}
		role := g.cookieRole(r)
		switch {
		case role == "":
			http.Error(w, "Marvin needs the link that \"marvin web\" printed. It works once; press Enter in that terminal for another one.", http.StatusUnauthorized)
		case r.Method == http.MethodPost && !isJSON(r):
			http.Error(w, "The body must be application/json.", http.StatusUnsupportedMediaType)
		case r.Method == http.MethodPost && !mayPost(role, r.URL.Path):
			fail(w, http.StatusForbidden, errRole(role))
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accessKey{}, access{role, func() bool { return g.cookieRole(r) == role }})))
		}
	})
}

func mayPost(role messages.WindowRole, path string) bool {
	return role == messages.RoleDrive || role == messages.RoleAnswer && strings.HasSuffix(path, "/answer")
}

type errRole messages.WindowRole

// Error implements error.
func (e errRole) Error() string {
	return "this browser has the role " + string(e) + ", which does not allow that; for more rights, press Enter in the terminal where \"marvin web\" runs, and open the new link"
}

type accessKey struct{}

// access contains the role of the browser that sent a request.
type access struct {
	role  messages.WindowRole
	valid func() bool // reports whether the browser still has the role
}

func accessOf(ctx context.Context) access {
	one, _ := ctx.Value(accessKey{}).(access) // guard sets it
	return one
}

// redeemLink exchanges a link for a cookie. Except on loopback, the user must confirm the browser
// before it receives the cookie.
func (g *Guard) redeemLink(w http.ResponseWriter, r *http.Request, link string) {
	role := g.redeem(link)
	switch {
	case role == "" && g.cookieRole(r) == "":
		http.Error(w, "This link has already been used, or a different Marvin process created it. For another one, press Enter in the terminal where \"marvin web\" runs.", http.StatusUnauthorized)
	case role == "":
		g.redirect(w, "/")
	case g.devices == nil:
		g.sendCookie(w, g.session(role))
	default:
		one := g.addWaiting(r, role)
		if one == nil {
			http.Error(w, "Too many devices are waiting. To refuse them, type \"no\" in the terminal where \"marvin web\" runs.", http.StatusServiceUnavailable)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: pairCookie, Value: one.secret, Path: "/", HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
		g.knocked(one.Device)
		g.redirect(w, "/pair")
	}
}

// sendCookie sends a browser its cookie and redirects the browser to the home page. On a remote
// device, the cookie lasts for a year.
func (g *Guard) sendCookie(w http.ResponseWriter, secret string) {
	cookie := &http.Cookie{Name: g.name, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode}
	if g.devices != nil {
		cookie.Secure, cookie.MaxAge = true, 365*24*60*60
	}
	http.SetCookie(w, cookie)
	g.redirect(w, "/")
}

func (g *Guard) redirect(w http.ResponseWriter, path string) {
	w.Header().Set("Location", path)
	w.WriteHeader(http.StatusSeeOther)
}

// line returns the first line of text. It shortens a line that is too long, and appends an
// ellipsis.
func line(text string, most int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}
