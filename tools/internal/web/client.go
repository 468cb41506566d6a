package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marvin/messages/origin"
)

// NewClient returns the client that tools share. The keys of the hosts map are host names or
// host:port. A request to such a host goes to the base URL in the map, followed by the request's
// path and query. The client follows at most 5 redirects. It sends no request body or API key to
// another origin.
func NewClient(hosts map[string]string) *http.Client {
	return UserAgent{}.Client(hosts)
}

func newClient(hosts map[string]string, proxy func(*http.Request) (*url.URL, error), agent UserAgent) *http.Client {
	guarded := &net.Dialer{Timeout: 10 * time.Second, ControlContext: refusePrivate}
	free := &net.Dialer{Timeout: 10 * time.Second}
	transport := &transport{hosts: make(map[string]string, len(hosts)), proxy: proxy, pace: newPace(gaps), agent: agent}
	for host, base := range hosts {
		transport.hosts[strings.ToLower(host)] = base
	}
	// There are two pools. With a single pool, a request that must go to a public address could
	// reuse a connection to a server from the hosts table.
	transport.guarded = pool(guarded, nil)
	transport.free = pool(free, proxy)
	return origin.Pages(transport)
}

func pool(dialer *net.Dialer, proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  60 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConns:           16,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// transport sends each request directly, through a proxy, or to a server in the hosts table.
type transport struct {
	hosts   map[string]string
	proxy   func(*http.Request) (*url.URL, error)
	pace    *pace
	agent   UserAgent
	guarded *http.Transport // direct connections to public addresses
	free    *http.Transport // connections to the proxy and to servers in the hosts table
}

// RoundTrip implements [http.RoundTripper]. The Request field of the response is the original
// request, even if the hosts table replaced the URL.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	host, err := checkURL(request.URL)
	if err != nil {
		return nil, errors.Join(err, closeBody(request))
	}
	sent := request.Clone(request.Context())
	if sent.Header.Get("User-Agent") == "" {
		sent.Header.Set("User-Agent", t.agent.header(host))
	}
	through, err := t.route(sent, host)
	if err != nil {
		return nil, errors.Join(err, closeBody(request))
	}
	response, err := through.RoundTrip(sent)
	if err == nil {
		response.Request = request
	}
	return response, err
}

// route waits as long as the host requires, and returns the transport for a request. If the hosts
// table replaces the host, route rewrites the URL and does not wait.
func (t *transport) route(request *http.Request, host string) (http.RoundTripper, error) {
	if base, ok := t.base(request.URL.Host, host); ok {
		return t.free, redirectTo(request, host, base)
	}
	if err := t.pace.await(request.Context(), host); err != nil {
		return nil, err
	}
	proxy, err := t.proxy(request)
	if err != nil { // the error may contain the proxy's password
		return nil, errors.New("the proxy named in the environment (HTTPS_PROXY, HTTP_PROXY) is not a valid URL; correct or unset it")
	}
	if proxy == nil {
		return t.guarded, nil
	}
	// The proxy looks up the name, so only the name can be checked here.
	return t.free, checkName(host)
}

func (t *transport) base(hostPort, host string) (string, bool) {
	base, ok := t.hosts[strings.ToLower(hostPort)]
	if !ok {
		base, ok = t.hosts[host]
	}
	return base, ok
}

// redirectTo replaces the scheme and host of the request's URL with base, a URL in the hosts table.
func redirectTo(request *http.Request, host, base string) error {
	target, err := url.Parse(base)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return fmt.Errorf("the hosts table (hosts in config.yaml, or MARVIN_HOSTS) sends %s to %q, which is not a URL such as http://localhost:8080; correct it", host, base)
	}
	asked := request.URL
	target.Path, target.RawPath = strings.TrimSuffix(target.Path, "/")+asked.Path, strings.TrimSuffix(target.EscapedPath(), "/")+asked.EscapedPath()
	target.RawQuery, target.ForceQuery = asked.RawQuery, asked.ForceQuery
	request.URL, request.Host = target, ""
	return nil
}

// CloseIdleConnections closes the idle connections of both pools.
func (t *transport) CloseIdleConnections() {
	t.guarded.CloseIdleConnections()
	t.free.CloseIdleConnections()
}

func closeBody(request *http.Request) error {
	if request.Body == nil {
		return nil
	}
	return request.Body.Close()
}
