package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func TestPublicAddresses(t *testing.T) {
	for _, address := range []string{
		"1.1.1.1", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.167.1.1",
		"2606:4700::1111", "2001:4860:4860::8888", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1",
	} {
		if !public(netip.MustParseAddr(address)) {
			t.Errorf("%s is refused", address)
		}
	}
	for _, address := range []string{
		"0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "198.18.0.1", "224.0.0.1",
		"239.255.255.250", "240.0.0.1", "255.255.255.255", "192.0.2.1", "203.0.113.7",
		"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "100::1",
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::101:101",
		"2002:7f00:1::", "2002:a00:1::1", "2001::1",
	} {
		if public(netip.MustParseAddr(address)) {
			t.Errorf("%s is allowed", address)
		}
	}
}

// closed starts a server that must not be reached.
func closed(t *testing.T, hosts ...string) (port string, client *http.Client) {
	t.Helper()
	var reached atomic.Int32
	server, client := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) }, hosts...)
	t.Cleanup(func() {
		if reached.Load() > 0 {
			t.Errorf("the server was reached %d times", reached.Load())
		}
	})
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port, client
}

func TestNothingPrivateIsReached(t *testing.T) {
	port, client := closed(t)
	for _, address := range []string{
		"http://127.0.0.1:PORT/", "http://localhost:PORT/", "http://0.0.0.0:PORT/", "http://[::]:PORT/",
		"http://[::1]:PORT/", "http://[::ffff:127.0.0.1]:PORT/", "http://[::ffff:7f00:1]:PORT/", "http://169.254.169.254/latest/meta-data/",
		"https://127.0.0.1:PORT/", "http://user:pass@127.0.0.1:PORT/", "http://8.8.8.8@127.0.0.1:PORT/",
		"file:///etc/passwd", "gopher://127.0.0.1:PORT/x", "ftp://127.0.0.1/", "unix:///run/docker.sock", "//127.0.0.1:PORT/",
	} {
		_, err := get(t, client, strings.ReplaceAll(address, "PORT", port))
		if !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A URL that parsers interpret differently is not sent anywhere.
func TestTwoParsers(t *testing.T) {
	port, client := closed(t)
	for _, address := range []string{
		"http://127.0.0.1:PORT\\@ok.example/", "http://127.0.0.1\x00.ok.example:PORT/", "http://ok.example\n127.0.0.1:PORT/", "http://:PORT/",
	} {
		if _, err := get(t, client, strings.ReplaceAll(address, "PORT", port)); err == nil {
			t.Errorf("%q was sent", address)
		}
	}
}

func TestRedirectsAreCheckedAgain(t *testing.T) {
	port, _ := closed(t)
	for _, target := range []string{"http://127.0.0.1:" + port + "/", "//localhost:" + port + "/", "file:///etc/passwd", "gopher://localhost:" + port} {
		_, client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusFound)
		}, "api.example")
		if _, err := get(t, client, "http://api.example/"); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// The table opens the hosts that it names, not the servers behind them, not even over a connection
// that is still open from an allowed request.
func TestTableDoesNotOpenTheServerItself(t *testing.T) {
	server, client := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("secret")) }, "api.example")
	if got, err := get(t, client, "http://api.example/"); err != nil || got != "secret" {
		t.Fatalf("%q, %v", got, err)
	}
	if got, err := get(t, client, server.URL); !errors.Is(err, ErrRefused) {
		t.Errorf("%q, %v", got, err)
	}
}

// A name on the internet may mean this machine, as a real name server responds here.
func TestNamesThatLeadHere(t *testing.T) {
	port, client := closed(t)
	resolver := &net.Resolver{PreferGo: true, Dial: nameServer(t)}
	dialer := &net.Dialer{Resolver: resolver, ControlContext: refusePrivate}
	client.Transport.(*transport).guarded.DialContext = dialer.DialContext
	_, err := get(t, client, "http://innocent.example:"+port+"/")
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "127.0.0.1 is not a public address") {
		t.Errorf("got %v", err)
	}
}

// nameServer responds to every query with 127.0.0.1, and returns a function that connects to it.
func nameServer(t *testing.T) func(ctx context.Context, network, address string) (net.Conn, error) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 512)
		for {
			n, from, err := socket.ReadFrom(buffer)
			if err != nil {
				return
			}
			var message dnsmessage.Message
			if message.Unpack(buffer[:n]) != nil {
				continue
			}
			message.Response = true
			question := message.Questions[0]
			if question.Type == dnsmessage.TypeA {
				message.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: question.Name, Class: question.Class},
					Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
				}}
			}
			message.Additionals = nil
			if answer, err := message.Pack(); err == nil {
				_, _ = socket.WriteTo(answer, from)
			}
		}
	}()
	t.Cleanup(func() {
		socket.Close()
		<-done
	})
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", socket.LocalAddr().String())
	}
}
