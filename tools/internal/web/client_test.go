package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// serve starts a server, and a client that reaches it under the given host names.
func serve(t *testing.T, handler http.HandlerFunc, hosts ...string) (*httptest.Server, *http.Client) {
	t.Helper()
	server := httptest.NewServer(handler)
	table := map[string]string{}
	for _, host := range hosts {
		table[host] = server.URL
	}
	client := newClient(table, noProxy, UserAgent{})
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.Close()
	})
	return server, client
}

func get(t *testing.T, client *http.Client, address string) (body string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return string(data), err
}

func TestTableKeepsPathAndQuery(t *testing.T) {
	server, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %s", r.Host, r.RequestURI, r.UserAgent())
	})
	own := strings.TrimPrefix(server.URL, "http://")
	client := newClient(map[string]string{
		"nominatim.openstreetmap.org": server.URL,
		"Upper.example":               server.URL + "/base/",
		"port.example:8443":           server.URL,
	}, noProxy, UserAgent{})
	defer client.CloseIdleConnections()
	for address, want := range map[string]string{
		"https://nominatim.openstreetmap.org/search?q=a+b&key=%2F": "/search?q=a+b&key=%2F",
		"https://Nominatim.OpenStreetMap.org./a%2Fb/%C3%A9":        "/a%2Fb/%C3%A9",
		"http://nominatim.openstreetmap.org:8080":                  "/",
		"http://upper.example/x/y?":                                "/base/x/y?",
		"http://upper.example":                                     "/base",
		"https://port.example:8443/p":                              "/p",
	} {
		got, err := get(t, client, address)
		if err != nil || got != own+" "+want+" "+(UserAgent{}).header("") {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

func TestResponseNamesTheHostThatWasAsked(t *testing.T) {
	_, client := serve(t, func(http.ResponseWriter, *http.Request) {}, "api.example")
	response, err := client.Get("https://api.example/x")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := response.Request.URL.String(); got != "https://api.example/x" {
		t.Errorf("got %s", got)
	}
}

func TestWrongTableEntrySaysWhatToCorrect(t *testing.T) {
	client := newClient(map[string]string{"api.example": "localhost:8080"}, noProxy, UserAgent{})
	if _, err := get(t, client, "https://api.example/"); err == nil || !strings.Contains(err.Error(), "config.yaml") {
		t.Errorf("got %v", err)
	}
}

func TestAtMostFiveRedirects(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var left int
		fmt.Sscanf(r.URL.Path, "/%d", &left)
		if left == 0 {
			fmt.Fprint(w, "arrived ", r.Referer())
			return
		}
		http.Redirect(w, r, fmt.Sprintf("/%d", left-1), http.StatusFound)
	}, "api.example")
	if got, err := get(t, client, "http://api.example/5?key=secret"); err != nil || got != "arrived " {
		t.Errorf("five: %q, %v", got, err)
	}
	if _, err := get(t, client, "http://api.example/6"); err == nil || !strings.Contains(err.Error(), "more than 5 redirects") {
		t.Errorf("six: %v", err)
	}
}

// A page may redirect to another host. The request's body goes only to the first host.
func TestNoBodyAcrossOrigins(t *testing.T) {
	asked := false
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "other.example" || r.URL.Path == "/seen" {
			asked = true
			return
		}
		http.Redirect(w, r, "http://other.example/seen", http.StatusTemporaryRedirect)
	}, "api.example", "other.example")
	_, err := PostForm(t.Context(), client, "http://api.example/token", map[string][]string{"code": {"secret"}}, 100)
	if err == nil || !strings.Contains(err.Error(), "http://other.example/seen") || asked {
		t.Errorf("asked %v, %v", asked, err)
	}
}

func TestNoCredentialsAcrossOrigins(t *testing.T) {
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "http://other.example/seen", http.StatusFound)
		case "/here":
			http.Redirect(w, r, "/seen", http.StatusFound)
		default:
			fmt.Fprintf(w, "%s|%s|%s", r.Header.Get("X-Api-Key"), r.Header.Get("Accept"), r.Header.Get("Authorization"))
		}
	}, "api.example", "other.example")
	for path, want := range map[string]string{"here": "k|a/b|Bearer k", "away": "|a/b|"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.example/"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"X-Api-Key": {"k"}, "Accept": {"a/b"}, "Authorization": {"Bearer k"}}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
}

// proxied returns a client behind a real proxy that responds for every host.
func proxied(t *testing.T) *http.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "proxy for ", r.RequestURI)
	}))
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(nil, http.ProxyURL(address), UserAgent{})
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.Close()
	})
	return client
}

func TestProxyIsUsedForPublicNamesOnly(t *testing.T) {
	client := proxied(t)
	if got, err := get(t, client, "http://news.example/x"); err != nil || got != "proxy for http://news.example/x" {
		t.Errorf("got %q, %v", got, err)
	}
	for _, host := range []string{
		"localhost", "printer", "a.localhost", "nas.local", "metadata.google.internal", "127.0.0.1", "[::1]",
		"127.1", "0x7f.1", "2130706433", "169.254.169.254", "10.0.0.1.", "ｌｏｃａｌｈｏｓｔ",
	} {
		if got, err := get(t, client, "http://"+host+"/"); err == nil || !strings.Contains(err.Error(), "not allowed") {
			t.Errorf("%s: %q, %v", host, got, err)
		}
	}
}

func TestBrokenProxySettingDoesNotShowItsPassword(t *testing.T) {
	setting := "http://me:hunter2@[proxy"
	client := newClient(nil, func(*http.Request) (*url.URL, error) { return url.Parse(setting) }, UserAgent{})
	_, err := get(t, client, "http://news.example/")
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "HTTPS_PROXY") {
		t.Errorf("got %v", err)
	}
}

func TestRequestsToAPacedHostKeepTheirDistance(t *testing.T) {
	client := proxied(t)
	client.Transport.(*transport).pace = newPace(map[string]time.Duration{"slow.example": 40 * time.Millisecond})
	began := time.Now()
	for range 3 {
		if _, err := get(t, client, "http://Slow.example/"); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(began); took < 80*time.Millisecond {
		t.Errorf("three requests took %s", took)
	}
}
