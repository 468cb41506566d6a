package relay

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools/internal/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a relay with a server for site.example, and returns a client that uses the relay.
func start(t *testing.T, allowance int64, handler http.HandlerFunc) (*Relay, *http.Client) {
	t.Helper()
	server := httptest.NewServer(handler)
	guarded := web.NewClient(map[string]string{"site.example": server.URL})
	relay, err := Start(t.Context(), guarded.Transport, time.Now(), allowance)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &url.URL{Scheme: "http", Host: relay.Address}
	transport := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		relay.Close()
		guarded.CloseIdleConnections()
		server.Close()
	})
	return relay, &http.Client{Transport: transport}
}

func get(t *testing.T, client *http.Client, address string) (status int, body string) {
	t.Helper()
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		body = err.Error() + " "
	}
	return response.StatusCode, body + string(data)
}

func TestBothWaysEndAtTheTable(t *testing.T) {
	_, client := start(t, 1<<20, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.Method+" "+r.RequestURI+" "+r.Header.Get("X-Own")+r.Header.Get("X-Forwarded-For")+string(data))
	})
	for _, scheme := range []string{"http", "https"} {
		if status, body := get(t, client, scheme+"://site.example/a%2Fb?c=d"); status != 200 || body != "GET /a%2Fb?c=d " {
			t.Errorf("%s: %d %s", scheme, status, body)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, scheme+"://site.example/x", strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Own", "own")
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(data) != "PUT /x ownbody" {
			t.Errorf("%s: %s, %v", scheme, data, err)
		}
	}
}

func TestRelayRefusesPrivateAddresses(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("reached by %s", r.Host) }))
	defer secret.Close()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(secret.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	relay, client := start(t, 1<<20, func(http.ResponseWriter, *http.Request) {})
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port, "[::ffff:127.0.0.1]:" + port, "169.254.169.254", "10.0.0.1", relay.Address, RefusedHost} {
		for _, scheme := range []string{"http", "https"} {
			status, body := get(t, client, scheme+"://"+host+"/")
			name := (&url.URL{Host: host}).Hostname()
			if err := relay.FailureIn(body); status != http.StatusBadGateway || err == nil || !strings.HasPrefix(err.Error(), name+": not allowed") || relay.Failure().Error() != err.Error() {
				t.Errorf("%s://%s: %d %s, %v", scheme, host, status, body, err)
			}
		}
	}
}

func TestTheRelayRefusesWhatNoPageAskedFor(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") }))
	defer server.Close()
	guarded := web.NewClient(map[string]string{"site.example": server.URL, "update.example": server.URL})
	defer guarded.CloseIdleConnections()
	relay, err := Start(t.Context(), guarded.Transport, time.Now(), 1<<20, "update.example")
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	transport := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: relay.Address}), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	for _, address := range []string{"http://update.example/x", "https://update.example/x", "http://UPDATE.example./x"} {
		if status, body := get(t, client, address); status != http.StatusBadGateway {
			t.Errorf("%s: %d %s", address, status, body)
		}
	}
	if status, body := get(t, client, "https://site.example/"); status != http.StatusOK || body != "a page" {
		t.Errorf("the page: %d %s", status, body)
	}
}

func TestAPageOfAFailureKeepsItsReason(t *testing.T) {
	relay, client := start(t, 1<<20, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<title>fine</title>") })
	_, first := get(t, client, "http://10.0.0.1/")
	_, _ = get(t, client, "http://10.0.0.2/")
	_, fine := get(t, client, "http://site.example/")
	if err := relay.FailureIn(first); err == nil || !strings.HasPrefix(err.Error(), "10.0.0.1: ") {
		t.Errorf("the first: %v", err)
	}
	if err := relay.FailureIn(fine); err != nil {
		t.Errorf("a page: %v", err)
	}
}

func TestItIsNoWebServer(t *testing.T) {
	relay, _ := start(t, 1<<20, func(http.ResponseWriter, *http.Request) {})
	connection, err := net.Dial("tcp", relay.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_, _ = io.WriteString(connection, "GET / HTTP/1.1\r\nHost: site.example\r\n\r\n")
	if line, err := bufio.NewReader(connection).ReadString('\n'); err != nil || !strings.Contains(line, "400") {
		t.Errorf("%q, %v", line, err)
	}
}

func TestLoadingEndsWithTheAllowance(t *testing.T) {
	const allowance = 4 << 20
	relay, client := start(t, allowance, func(w http.ResponseWriter, _ *http.Request) {
		block := make([]byte, 1<<16)
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	if _, body := get(t, client, "http://site.example/"); len(body) < allowance || len(body) > allowance+1<<20 {
		t.Errorf("%d bytes came", len(body))
	}
	if status, _ := get(t, client, "https://site.example/"); status != http.StatusBadGateway || !strings.Contains(relay.Failure().Error(), "more than 4 MiB") {
		t.Errorf("the next one: %d, %v", status, relay.Failure())
	}
}

// Close also ends connections that became web sockets.
func TestCloseEndsEverything(t *testing.T) {
	relay, _ := start(t, 1<<20, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		w.WriteHeader(http.StatusSwitchingProtocols)
		connection, stream, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = io.Copy(connection, stream)
	})
	connection, err := net.Dial("tcp", relay.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_, _ = io.WriteString(connection, "GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	reader := bufio.NewReader(connection)
	for line := ""; line != "\r\n"; {
		if line, err = reader.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = io.WriteString(connection, "echo\n")
	if line, err := reader.ReadString('\n'); err != nil || line != "echo\n" {
		t.Errorf("%q, %v", line, err)
	}
	relay.Close()
	if _, err := reader.ReadByte(); err == nil {
		t.Error("the connection is still open")
	}
}
