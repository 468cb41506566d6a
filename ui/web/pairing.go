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

// Device is a browser elsewhere that was let in.
type Device struct {
	Name string // what it says it is
	From string // its address when it was paired
	Role messages.WindowRole
}

// Devices are the browsers that were let in. All methods may be called at the same time.
type Devices interface {
	// Add lets a device in, which has a secret.
	Add(device Device, secret string) error
	// Known finds the role of the device that has a secret.
	Known(secret string) (messages.WindowRole, bool)
}

const (
	mostKnocks = 4 // that wait at the same time
	mostWrong  = 3 // codes, after which all who wait are refused
	knockTime  = 5 * time.Minute
	pairCookie = "__Host-marvin-pair"
)

// knock is a browser that used a link and waits for the user at the terminal.
type knock struct {
	Device
	secret string // of its cookie until it is let in
	code   string // that it shows
	at     time.Time
	token  string // its new secret; "" until it is let in
}

// knocks takes a browser in that used a link. It waits until the user enters its code.
func (g *Guard) knocks(r *http.Request, role messages.WindowRole) *knock {
	from, _, _ := strings.Cut(r.RemoteAddr, "%")
	one := &knock{Device: Device{Name: agent(r.UserAgent()), From: from, Role: role}, secret: token(), code: sixDigits(), at: g.now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget()
	if len(g.waiting) >= mostKnocks {
		return nil
	}
	g.waiting = append(g.waiting, one)
	return one
}

// forget drops those that waited for too long. The caller has the lock.
func (g *Guard) forget() {
	g.waiting = slices.DeleteFunc(g.waiting, func(one *knock) bool { return g.now().Sub(one.at) > knockTime })
}

// sixDigits is the code that a device shows.
func sixDigits() string {
	number, _ := rand.Int(rand.Reader, big.NewInt(1_000_000)) // it never fails
	return fmt.Sprintf("%06d", number)
}

// Confirm lets the browser in that shows a code. After a few wrong codes all that wait are refused.
func (g *Guard) Confirm(code string, role messages.WindowRole) (Device, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget()
	at := slices.IndexFunc(g.waiting, func(one *knock) bool { return one.token == "" && one.code == code })
	switch {
	case len(g.waiting) == 0:
		return Device{}, errors.New("no device waits; open the link on the device first")
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

// RefuseAll refuses the browsers that wait.
func (g *Guard) RefuseAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting, g.wrong = nil, 0
}

// pairing is the page of a browser that waits. A confirmed one gets its cookie.
func (g *Guard) pairing(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie(pairCookie)
	if err != nil {
		cookie = &http.Cookie{}
	}
	g.mu.Lock()
	g.forget()
	at := slices.IndexFunc(g.waiting, func(one *knock) bool { return same(one.secret, cookie.Value) })
	var one knock
	if at >= 0 {
		one = *g.waiting[at]
		if one.token != "" {
			g.waiting = slices.Delete(g.waiting, at, at+1)
		}
	}
	g.mu.Unlock()
	switch {
	case at < 0:
		http.Error(w, "This device was refused, or it waited for too long. Press Enter in the terminal of marvin web for another link.", http.StatusUnauthorized)
	case one.token != "":
		http.SetCookie(w, &http.Cookie{Name: pairCookie, Path: "/", MaxAge: -1, HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
		g.give(w, one.token)
	default:
		page(w, fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="2; url=/pair"><title>Pair this device</title><link rel="icon" href="data:,"></head>
<body><main><h1>Pair this device</h1><p>Type this code in the terminal of <code>marvin web</code>:</p><p><strong id="code">%s</strong></p><p>This page continues by itself.</p></main></body></html>
`, one.code))
	}
}

// agent is the browser and the system of a browser, in short.
func agent(header string) string {
	browser, system := "a browser", "an unknown system"
	for _, name := range []string{"Firefox", "Edg", "OPR", "Chrome", "Safari"} {
		if strings.Contains(header, name) {
			browser = name
			break
		}
	}
	for _, name := range []string{"iPhone", "iPad", "Android", "Windows", "Mac OS", "Linux"} {
		if strings.Contains(header, name) {
			system = name
			break
		}
	}
	return browser + " on " + system
}
