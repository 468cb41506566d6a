package gate_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"marvin/tools/internal/gate"
)

// served serves a gate and returns its address.
func served(t *testing.T, g *gate.Gate) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g.Serve(listener)
	t.Cleanup(g.Close)
	return listener.Addr().String()
}

// said returns a gate's response to lines from a program.
func said(t *testing.T, address, lines string) string {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	if _, err := io.WriteString(connection, lines); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: http.MethodGet})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, _ := io.ReadAll(answer.Body)
	return fmt.Sprint(answer.StatusCode, " ", strings.TrimSpace(string(text)))
}

// Invalid and forbidden requests get an error with the reason.
func TestGateAnswers(t *testing.T) {
	address := served(t, gate.New([]string{"closed.example:80"}, false))
	for lines, want := range map[string]string{
		"GET /x HTTP/1.1\r\nHost: a.example\r\n":                             "400 this is a proxy",
		"GET https://a.example/ HTTP/1.1\r\nHost: a.example\r\n":             "400 this is a proxy",
		"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n":              "403 Marvin does not let this server connect to a.example:80, because the server did not contact that host while Marvin observed the server",
		"GET http://A.Example.:8080/ HTTP/1.1\r\nHost: a.example\r\n":        "403 Marvin does not let this server connect to a.example:8080, because the server did not contact that host while Marvin observed the server",
		"CONNECT a.example HTTP/1.1\r\nHost: a.example\r\n":                  "400 this is not host:port",
		"CONNECT :443 HTTP/1.1\r\nHost: :443\r\n":                            "400 this is not host:port",
		"CONNECT a.example: HTTP/1.1\r\nHost: a.example:\r\n":                "400 this is not host:port",
		"CONNECT B.example:443 HTTP/1.1\r\nHost: B.example:443\r\n":          "403 Marvin does not let this server connect to b.example:443, because the server did not contact that host while Marvin observed the server",
		"CONNECT " + strings.Repeat("x", 253) + ":1 HTTP/1.1\r\nHost: x\r\n": "403 Marvin does not let this server connect to " + strings.Repeat("x", 253) + ":1, because the server did not contact that host while Marvin observed the server",
		"CONNECT " + strings.Repeat("x", 254) + ":1 HTTP/1.1\r\nHost: x\r\n": "400 this is not host:port",
	} {
		if got := said(t, address, lines+"Connection: close\r\n\r\n"); got != want {
			t.Errorf("%.60q: %s, want %s", lines, got, want)
		}
	}
	g := gate.New([]string{"b:1"}, false)
	address = served(t, g)
	for i := range 201 {
		said(t, address, fmt.Sprintf("CONNECT host%03d:1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", i))
	}
	if asked := g.ContactedHosts(false); len(asked) != 200 || asked[199] != "host199:1" {
		t.Errorf("%d hosts are noted", len(asked))
	}
	closed := gate.New(nil, true)
	closed.Close()
	late, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Serve(late)
	closed.Close()
	if connection, err := net.Dial("tcp", late.Addr().String()); err == nil {
		_ = connection.Close()
		t.Error("a gate that was closed before answers")
	}
}

func TestProxyGetsUserAgent(t *testing.T) {
	heard := make(chan string, 8)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard <- fmt.Sprint(r.Method, " ", r.Host, " ", r.Header["Proxy-Authorization"], r.Header["Authorization"])
		if r.Host == "broken.example:443" {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = connection.Close()
			}
			return
		}
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer proxy.Close()
	at := proxy.Listener.Addr().String()
	for _, row := range []struct {
		by, host, heard, answer string
	}{
		{"http://me:key@" + at, "a.example:443", "CONNECT a.example:443 [Basic bWU6a2V5] []", "502 the proxy " + at + " did not connect to a.example:443"},
		{"http://" + at, "a.example:443", "CONNECT a.example:443 [] []", "502 the proxy " + at + " did not connect to a.example:443"},
		{"http://" + at, "broken.example:443", "CONNECT broken.example:443 [] []", "502 the proxy " + at + " did not connect to broken.example:443\nunexpected EOF"},
		{"http://127.0.0.1", "a.example:443", "", "502 dial tcp 127.0.0.1:80: "},
		{"socks5://" + at, "localhost:1", "", "502 dial tcp "},
	} {
		g := gate.New(nil, true)
		by, err := url.Parse(row.by)
		if err != nil {
			t.Fatal(err)
		}
		g.Proxy = http.ProxyURL(by)
		got := said(t, served(t, g), "CONNECT "+row.host+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if !strings.HasPrefix(got, row.answer) {
			t.Errorf("%s: %s, want %s", row.by, got, row.answer)
		}
		if row.heard != "" {
			if asked := <-heard; asked != row.heard {
				t.Errorf("%s hears %s, want %s", row.by, asked, row.heard)
			}
		}
	}
}
