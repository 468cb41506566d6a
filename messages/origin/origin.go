// Package origin creates Marvin's HTTP clients. A request that carries a key or the user's words
// goes only to the origin (scheme, host and port) that the user configured, even if a server
// redirects it.
package origin

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is the maximum number of redirects that a request follows.
const maxRedirects = 5

// Error means that a client refused to follow a redirect or to contact another origin.
type Error struct {
	From, To string // addresses without queries, because a query can contain a key
	Setting  string // description of the setting that allows the new origin
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s redirected the request to another origin, %s, but Marvin did not send it there; if you want that address, set %s", e.From, e.To, e.Setting)
}

// New returns a client that follows redirects only within one origin. A redirect to another origin
// is an [Error]. A nil transport means the default transport.
func New(transport http.RoundTripper) *http.Client {
	return &http.Client{Transport: transport, CheckRedirect: sameOriginOnly("the address in the configuration")}
}

// Restrict returns a copy of client that is limited to the origin of the given address. Requests to
// other origins fail with an [Error] that names the setting to change.
func Restrict(client *http.Client, address *url.URL, setting string) *http.Client {
	own := *client
	own.Transport = &boundTransport{address: address, setting: setting, next: client.Transport}
	own.CheckRedirect = sameOriginOnly(setting)
	return &own
}

// Pages returns a client that follows redirects to any origin. If the origin changes, the client
// drops most headers and refuses to send a body.
func Pages(transport http.RoundTripper) *http.Client {
	return &http.Client{Transport: transport, CheckRedirect: func(request *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("more than %d redirects; the last one led to %s", maxRedirects, request.URL.Host)
		}
		request.Header.Del("Referer")
		first := via[0]
		if Same(first.URL, request.URL) {
			return nil
		}
		if hasBody(request) {
			return &Error{From: forMessage(first.URL), To: forMessage(request.URL), Setting: "the address in the configuration"}
		}
		for name := range request.Header {
			switch name {
			case "Accept", "Accept-Language", "Range", "User-Agent":
			default:
				request.Header.Del(name)
			}
		}
		return nil
	}}
}

// sameOriginOnly returns a redirect policy that allows only the origin of the first request.
func sameOriginOnly(setting string) func(*http.Request, []*http.Request) error {
	return func(request *http.Request, via []*http.Request) error {
		first := via[0]
		switch {
		case !Same(first.URL, request.URL):
			return &Error{From: forMessage(first.URL), To: forMessage(request.URL), Setting: setting}
		case len(via) > maxRedirects:
			return fmt.Errorf("more than %d redirects; the last one led to %s", maxRedirects, forMessage(request.URL))
		case request.Method != first.Method: // a redirect that changes the method drops the body
			return &Error{From: forMessage(first.URL), To: forMessage(request.URL), Setting: setting}
		}
		request.Header.Del("Referer")
		return nil
	}
}

// boundTransport is a transport that sends requests to one origin only.
type boundTransport struct {
	address *url.URL
	setting string
	next    http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (b *boundTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if !Same(b.address, request.URL) {
		err := error(&Error{From: forMessage(b.address), To: forMessage(request.URL), Setting: b.setting})
		if request.Body != nil {
			err = errors.Join(err, request.Body.Close())
		}
		return nil, err
	}
	if b.next == nil {
		return http.DefaultTransport.RoundTrip(request)
	}
	return b.next.RoundTrip(request)
}

// CloseIdleConnections is called by [http.Client.CloseIdleConnections].
func (b *boundTransport) CloseIdleConnections() {
	if next, ok := b.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

// Same reports whether two addresses have the same scheme, host and port.
func Same(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(address *url.URL) string {
	if port := address.Port(); port != "" {
		return port
	}
	switch strings.ToLower(address.Scheme) {
	case "http":
		return "80"
	case "https":
		return "443"
	}
	return ""
}

func hasBody(request *http.Request) bool {
	return request.Body != nil && request.Body != http.NoBody
}

// forMessage formats an address for error messages. It omits the user, password and query, and cuts
// the result to 300 bytes.
func forMessage(address *url.URL) string {
	host := address.Host
	if name, number, err := net.SplitHostPort(host); err == nil && number == "" {
		host = name
	}
	text := address.Scheme + "://" + host + address.EscapedPath()
	return text[:min(len(text), 300)]
}
