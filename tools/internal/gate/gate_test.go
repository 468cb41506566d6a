package gate_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"marvin/tools/internal/gate"
)

func TestOnlyNamedHostsAreReached(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	secure, plain := httptest.NewTLSServer(hello), httptest.NewServer(hello)
	defer secure.Close()
	defer plain.Close()
	hosts := []string{secure.Listener.Addr().String(), plain.Listener.Addr().String()}
	for _, allowed := range []bool{true, false} {
		var may []string
		if allowed {
			may = hosts
		}
		g := gate.New(may, false)
		client := throughGate(t, g, secure.Client())
		for _, address := range []string{secure.URL, plain.URL} {
			got, err := get(client, address)
			if reached := err == nil && got == "200 hello"; reached != allowed {
				t.Errorf("allowed %t: %s: %s %v", allowed, address, got, err)
			}
		}
		if slices.Sort(hosts); !allowed && !slices.Equal(g.ContactedHosts(false), hosts) || allowed && len(g.ContactedHosts(false)) > 0 {
			t.Errorf("it asked for %q", g.ContactedHosts(false))
		}
		if g.Allow(hosts); !allowed {
			if got, err := get(client, plain.URL); err != nil || got != "200 hello" {
				t.Errorf("allowed later: %s %v", got, err)
			}
		}
	}
	open := gate.New(nil, true)
	if got, err := get(throughGate(t, open, secure.Client()), secure.URL); err != nil || got != "200 hello" || len(open.ContactedHosts(true)) != 1 {
		t.Errorf("an open gate: %s %v, asked %q", got, err, open.ContactedHosts(true))
	}
}

func TestAddressesOfTheLinkAreNotReached(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(nil, true)
	g.Serve(listener)
	defer g.Close()
	for _, host := range []string{"169.254.169.254:80", "[::ffff:169.254.169.254]:443", "[fe80::1]:80"} {
		connection, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(connection, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host, host)
		answer, err := io.ReadAll(connection)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 502 ") || !strings.Contains(string(answer), "link-local addresses are not allowed") {
			t.Errorf("%s: %s %v", host, answer, err)
		}
		_ = connection.Close()
	}
}

func TestTheUsersProxyIsAsked(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
	defer secure.Close()
	first := gate.New(nil, true)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	first.Serve(listener)
	defer first.Close()
	g := gate.New([]string{secure.Listener.Addr().String()}, false)
	g.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: listener.Addr().String()})
	if got, err := get(throughGate(t, g, secure.Client()), secure.URL); err != nil || got != "200 hello" || len(first.ContactedHosts(true)) != 1 {
		t.Errorf("%s %v, asked %q", got, err, first.ContactedHosts(true))
	}
}

// throughGate returns a client that uses the gate, like programs that respect HTTPS_PROXY.
func throughGate(t *testing.T, g *gate.Gate, like *http.Client) *http.Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g.Serve(listener)
	t.Cleanup(g.Close)
	transport := like.Transport.(*http.Transport).Clone()
	transport.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: listener.Addr().String()})
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func get(client *http.Client, address string) (string, error) {
	response, err := client.Get(address)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return fmt.Sprint(response.StatusCode, " ", string(text)), err
}
