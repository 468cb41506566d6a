package web

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"

	"marvin/messages"
)

// Device is a confirmed browser on another machine.
type Device struct {
	Name string // the browser and system according to the User-Agent header
	From string // address of the device when it was paired
	Role messages.WindowRole
}

// Devices stores the confirmed devices. Its methods must be safe for concurrent use.
type Devices interface {
	// Add stores a confirmed device and its secret.
	Add(device Device, secret string) error
	// Known returns the role of the device that has the given secret, and false if there is no such
	// device.
	Known(secret string) (messages.WindowRole, bool)
}

const (
	mostKnocks = 4 // maximum number of browsers that wait at the same time
	mostWrong  = 3 // number of wrong codes after which all waiting browsers are refused
	knockTime  = 5 * time.Minute
	pairCookie = "__Host-marvin-pair"
)

// waitingBrowser is a browser that used a link and waits for confirmation.
type waitingBrowser struct {
	Device
	secret string // value of the pairing cookie
	code   string // six digits that the user copies from the browser to the terminal
	at     time.Time
	token  string // the permanent secret, set when the browser is confirmed
}

// addWaiting adds a browser to the list of waiting browsers. It returns nil if too many browsers
// are waiting.
func (g *Guard) addWaiting(r *http.Request, role messages.WindowRole) *waitingBrowser {
	from, _, _ := strings.Cut(r.RemoteAddr, "%")
	one := &waitingBrowser{Device: Device{Name: agent(r.UserAgent()), From: from, Role: role}, secret: token(), code: sixDigits(), at: g.now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget()
	if len(g.waiting) >= mostKnocks {
		return nil
	}
	g.waiting = append(g.waiting, one)
	return one
}

// forget removes browsers that have waited longer than knockTime. The caller must hold g.mu.
func (g *Guard) forget() {
	g.waiting = slices.DeleteFunc(g.waiting, func(one *waitingBrowser) bool { return g.now().Sub(one.at) > knockTime })
}

// sixDigits returns a new code for a device to show.
func sixDigits() string {
	number, _ := rand.Int(rand.Reader, big.NewInt(1_000_000)) // it never fails
	return fmt.Sprintf("%06d", number)
}

// Confirm admits the waiting browser that shows the given code. The browser gets the given role or,
// if role is "", the role of the link. After a few wrong codes, Confirm refuses all waiting
// browsers.
func (g *Guard) Confirm(code string, role messages.WindowRole) (Device, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget()
	at := slices.IndexFunc(g.waiting, func(one *waitingBrowser) bool { return one.token == "" && one.code == code })
	switch {
	case len(g.waiting) == 0:
		return Device{}, errors.New("no device is waiting; open the link on the device first")
	case at < 0:
		if g.wrong++; g.wrong >= mostWrong {
			g.waiting, g.wrong = nil, 0
			return Device{}, errors.New("three codes were wrong, so every waiting device is refused; press Enter for another link")
		}
		return Device{}, fmt.Errorf("no device shows the code %s", code)
	}
	one := g.waiting[at]
	one.Role, g.wrong = cmp.Or(role, one.Role), 0
	secret := token()
	if err := g.devices.Add(one.Device, secret); err != nil {
		return Device{}, err
	}
	one.token = secret
	return one.Device, nil
}

// RefuseAll refuses all waiting browsers.
func (g *Guard) RefuseAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting, g.wrong = nil, 0
}

// pairing responds to a waiting browser with its pairing code. Once the user has confirmed the
// browser, it gets the permanent cookie instead.
func (g *Guard) pairing(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie(pairCookie)
	if err != nil {
		cookie = &http.Cookie{}
	}
	g.mu.Lock()
	g.forget()
	at := slices.IndexFunc(g.waiting, func(one *waitingBrowser) bool { return equalSecret(one.secret, cookie.Value) })
	var one waitingBrowser
	if at >= 0 {
		one = *g.waiting[at]
		if one.token != "" {
			g.waiting = slices.Delete(g.waiting, at, at+1)
		}
	}
	g.mu.Unlock()
	switch {
	case at < 0:
		http.Error(w, "This device was refused, or it waited for too long. For another link, press Enter in the terminal where \"marvin web\" runs.", http.StatusUnauthorized)
	case one.token != "":
		http.SetCookie(w, &http.Cookie{Name: pairCookie, Path: "/", MaxAge: -1, HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
		g.sendCookie(w, one.token)
	default:
		page(w, fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="2; url=/pair"><title>Pair this device</title><link rel="icon" href="data:,"></head>
<body><main><h1>Pair this device</h1><p>Type this code in the terminal of <code>marvin web</code>:</p><p><strong id="code">%s</strong></p><p>This page continues by itself.</p></main></body></html>
`, one.code))
	}
}

// agent converts a User-Agent header to a description such as "Firefox on Linux".
func agent(header string) string {
	named := func(otherwise string, names ...string) string {
		for _, name := range names {
			if strings.Contains(header, name) {
				return name
			}
		}
		return otherwise
	}
	return named("a browser", "Firefox", "Edg", "OPR", "Chrome", "Safari") + " on " +
		named("an unknown system", "iPhone", "iPad", "Android", "Windows", "Mac OS", "Linux")
}
