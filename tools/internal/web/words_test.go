package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"marvin/tools/internal/reason"
)

func TestServiceErrors(t *testing.T) {
	for _, row := range []struct {
		status      int
		after, body string
		want        string
	}{
		{401, "", "", "a.example answered 401 Unauthorized; the key for this service may be missing or rejected"},
		{403, "", `{"error":{"message":"no"}}`, "a.example answered 403 Forbidden (no); the key for this service may be missing or rejected"},
		{404, "", "<html>", "a.example answered 404 Not Found; the requested data does not exist"},
		{429, "", " \n", "a.example answered 429 Too Many Requests; the service accepts no requests for now; try again in a minute"},
		{429, "30", "slow\n down", "a.example answered 429 Too Many Requests (slow down); the service accepts no requests for now; try again after 30 (seconds, or a date)"},
		{500, "", `{"message":"a","error":"b"}`, "a.example answered 500 Internal Server Error (a); the service has a problem; try again later"},
		{599, "", `{"error":"b","detail":"c"}`, "a.example answered 599  (b); the service has a problem; try again later"},
		{400, "", `{"detail":"c","reason":"d"}`, "a.example answered 400 Bad Request (c); check the request"},
		{499, "", `{"reason":"d","error_message":"e"}`, "a.example answered 499  (d); check the request"},
		{300, "", `{"error_message":"e"}`, "a.example answered 300 Multiple Choices (e); check the request"},
		{400, "", `{"message":"","error":5}`, `a.example answered 400 Bad Request ({"message":"","error":5}); check the request`},
		{400, "", `{"error":{"message":"` + strings.Repeat("é", 201) + `"}}`, "a.example answered 400 Bad Request (" + strings.Repeat("é", 200) + "…); check the request"},
		{400, "", "key s3cret+/ and s3cret%2B%2F and bear", "a.example answered 400 Bad Request (key ‹key› and ‹key› and ‹key›); check the request"},
	} {
		_, client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if row.after != "" {
				w.Header().Set("Retry-After", row.after)
			}
			w.WriteHeader(row.status)
			_, _ = w.Write([]byte(row.body))
		}, "a.example")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://a.example/?q=1&api_key="+url.QueryEscape("s3cret+/"), http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer bear")
		_, err = Ask(client, request, 1000)
		status := &StatusError{}
		if err == nil || err.Error() != row.want || !errors.As(err, &status) || status.Status != row.status || string(status.Body) != row.body {
			t.Errorf("%d: %v\nwant %s", row.status, err, row.want)
		}
	}
	for body, want := range map[string]string{
		"": "nothing", " \n": "nothing", " <html>": "a page for browsers", "plain": `"plain"`, `{"a":`: `"{\"a\":"`,
	} {
		asked := &http.Request{URL: &url.URL{Host: "a.example"}}
		var value map[string]int
		want := "a.example did not answer with the expected JSON: " + want + "; the service may have changed, or a login page may have answered"
		if err := Decode(asked, []byte(body), &value); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", body, err, want)
		}
	}
	for name, want := range map[string]bool{"key": true, "API_KEY": true, "access_token": true, "client_secret": true, "APPID": true, "password": true, "sig": false, "signature": true, "client_id": true, "q": false, "id": false} {
		if isKey(name) != want {
			t.Errorf("%s is a key: %v", name, !want)
		}
	}
	asked := &http.Request{URL: &url.URL{RawQuery: "token=a&token=&q=b"}, Header: http.Header{"X-Api-Key": {"c", "d e"}, "Authorization": {"f"}, "Accept": {"g"}}}
	found := keys(asked)
	for _, key := range []string{"a", "c", "e", "f"} {
		if !strings.Contains(" "+strings.Join(found, " ")+" ", " "+key+" ") {
			t.Errorf("%s is no key: %q", key, found)
		}
	}
	if len(found) != 4 {
		t.Errorf("keys are %q", found)
	}
}

func TestAnswersThatAreNotTaken(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cut" {
			w.Header().Set("Content-Length", "100")
		}
		_, _ = w.Write([]byte("12345"))
	}, "a.example")
	ask := func(address string, limit int64) (string, error) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		body, err := Ask(client, request, limit)
		return string(body), err
	}
	if got, err := ask("http://a.example/", 5); got != "12345" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := ask("http://a.example/", 4); err == nil || err.Error() != "a.example answered with more than 4 bytes; ask for less" {
		t.Errorf("%v", err)
	}
	if _, err := ask("http://a.example/cut", 50); err == nil || err.Error() != "cannot reach a.example: the connection ended in the middle of the answer; check the network connection, or try again later" {
		t.Errorf("%v", err)
	}
	var value any
	for _, err := range []error{GetJSON(t.Context(), client, "http://a example/?key=s3cret", 10, &value), func() error {
		_, err := PostForm(t.Context(), client, "http://a example/?key=s3cret", nil, 10)
		return err
	}()} {
		if err == nil || !strings.HasPrefix(err.Error(), "not a valid URL: ") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%v", err)
		}
	}
	over, stop := context.WithCancelCause(t.Context())
	stop(errors.New("it took too long"))
	for _, row := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{t.Context(), fmt.Errorf("x: %w", ErrRefused), "a: x: not allowed"},
		{t.Context(), &url.Error{Op: "Get", URL: "http://u:p@a/?key=b", Err: &net.OpError{Op: "dial", Err: ErrRefused}}, "a: not allowed"},
		{over, errors.New("x"), "a did not answer: it took too long; try again later"},
		{t.Context(), &url.Error{Err: &net.DNSError{IsNotFound: true}}, "a is not known; check its spelling and the network connection"},
		{t.Context(), &net.DNSError{IsTimeout: true}, "cannot reach a: the name server did not answer; check the network connection, or try again later"},
		{t.Context(), errors.New("odd"), "cannot reach a: odd; check the network connection, or try again later"},
	} {
		got := explain(row.ctx, "a", row.err)
		if got.Error() != row.want || !errors.Is(got, errors.Unwrap(reason.Reword(withoutURL(row.err), ""))) && row.ctx == t.Context() && !errors.Is(row.err, ErrRefused) {
			t.Errorf("%v: %v, want %s", row.err, got, row.want)
		}
	}
}

func TestProxyHosts(t *testing.T) {
	for host, refused := range map[string]bool{
		"a.example": false, "1.1.1.1": false, "2606:4700::1111": false, "10.0.0.1": true, "::1": true, "printer": true, "a.localhost": true, "a.local": true, "a.internal": true, "a.lan": true, "a.home": true, "a.home.arpa": true, "home.arpa": false,
		"arpa": true, "127.1": true, "0x7f.1": true, "a.b9": false, "a.9b": true, "a.": true, "": true, "münchen.example": true, "homes.example": false, "xhome.arpa": false,
	} {
		if err := checkName(host); (err != nil) != refused || err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("%q: %v", host, err)
		}
	}
	for address, want := range map[string]string{
		"1.1.1.1:443": "", "127.0.0.1:80": "not allowed: 127.0.0.1 is not a public address" + allowHint, "somewhere": "not allowed: the tcp address somewhere is not an IP address with a port", "[::1]:80": "not allowed: ::1 is not a public address" + allowHint,
	} {
		got := ""
		if err := refusePrivate(t.Context(), "tcp", address, nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
	for text, want := range map[string]string{
		"http://A.Example./x": "a.example", "ftp://a": `not allowed: only http and https URLs can be fetched, not "ftp"`, "http://u@a/": "not allowed: the URL of a contains a user name or password; use the URL without them", "http:///x": "not allowed: the URL has no valid host", "https://./": "not allowed: the URL has no valid host",
	} {
		at, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := checkURL(at)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for _, host := range []string{"a b", "a\tb", "a\x7fb", `a\b`} {
		if _, err := checkURL(&url.URL{Scheme: "http", Host: host}); !errors.Is(err, ErrRefused) {
			t.Errorf("%q: %v", host, err)
		}
	}
	for text, want := range map[string]bool{"100.63.255.255": true, "100.64.0.0": false, "100.127.255.255": false, "100.128.0.0": true, "64:ff9b::10.0.0.1": false, "64:ff9b::1.1.1.1": true, "2002:a00:1::": false, "2002:101:101::": true, "::ffff:10.0.0.1": false, "fe80::1%a": false, "::ffff:100.64.0.1": false, "::ffff:1.1.1.1": true, "2001:db8::1%a": false, "2606:4700::1111%a": true} {
		if public(netip.MustParseAddr(text)) != want {
			t.Errorf("%s is public: %v", text, !want)
		}
	}
}

// A request may take several routes, each with its own errors.
func TestTheWayOfARequest(t *testing.T) {
	badProxy := func(*http.Request) (*url.URL, error) { return nil, errors.New("http://u:p@[bad") }
	toProxy := http.ProxyURL(&url.URL{Scheme: "http", Host: "127.0.0.1:1"})
	for _, row := range []struct {
		what  string
		base  string
		proxy func(*http.Request) (*url.URL, error)
		host  string
		says  string
		free  bool
	}{
		{"straight", "", noProxy, "b.example", "", false},
		{"by a proxy", "", toProxy, "b.example", "", true},
		{"a private name by a proxy", "", toProxy, "printer", "not allowed: printer is not a public host", true},
		{"a proxy that is none", "", badProxy, "b.example", "the proxy named in the environment (HTTPS_PROXY, HTTP_PROXY) is not a valid URL; correct or unset it", false},
		{"by the table", "http://127.0.0.1:9/x/", badProxy, "a.example", "", true},
		{"a table with no scheme", "127.0.0.1:9", noProxy, "a.example", "the hosts table (hosts in config.yaml, or MARVIN_HOSTS) sends a.example to \"127.0.0.1:9\", which is not a URL such as http://localhost:8080; correct it", true},
		{"a table with no host", "http:///x", noProxy, "a.example", "the hosts table", true},
		{"a table of files", "file://host/x", noProxy, "a.example", "the hosts table", true},
		{"a table of https", "https://host/x", noProxy, "a.example", "", true},
	} {
		client := newClient(map[string]string{"A.example": row.base}, row.proxy, UserAgent{})
		transport := client.Transport.(*transport)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+row.host+"/p%2Fq?r", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		way, err := transport.route(request, row.host)
		if (err == nil) != (row.says == "") || err != nil && !strings.HasPrefix(err.Error(), row.says) {
			t.Errorf("%s: %v", row.what, err)
		}
		if err == nil && (way == transport.free) != row.free {
			t.Errorf("%s: it goes the free way: %v", row.what, !row.free)
		}
		if row.what == "by the table" && request.URL.String() != "http://127.0.0.1:9/x/p%2Fq?r" {
			t.Errorf("%s: %s", row.what, request.URL)
		}
		client.CloseIdleConnections()
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	client := newClient(nil, noProxy, UserAgent{})
	transport := client.Transport.(*transport)
	transport.pace = newPace(map[string]time.Duration{"paced.example": time.Hour})
	for _, ended := range []bool{false, true} {
		ctx := t.Context()
		if ended {
			ctx = gone
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://paced.example/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := transport.route(request, "paced.example"); (err != nil) != ended {
			t.Errorf("waiting, and no one waits %v: %v", ended, err)
		}
	}
	if made := NewClient(nil); made.Transport.(interface{ CloseIdleConnections() }) == nil || made.CheckRedirect == nil {
		t.Error("the client of all has no rules")
	}
	for host, want := range map[string]string{"wikipedia.org": "Marvin/1.2 (terminal assistant; me@x.example)", "de.wikipedia.org": "Marvin/1.2 (terminal assistant; me@x.example)", "xwikipedia.org": "Marvin/1.2 (terminal assistant)", "a.example": "Marvin/1.2 (terminal assistant)"} {
		if got := (UserAgent{Version: "1.2 (", Contact: "me@x.example"}).header(host); got != want {
			t.Errorf("%s is told %s", host, got)
		}
	}
	if got := (UserAgent{}).header("wikipedia.org"); got != "Marvin/0 (terminal assistant)" {
		t.Errorf("%s", got)
	}
}
