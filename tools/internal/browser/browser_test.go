package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools/internal/relay"
	"marvin/tools/internal/web"
)

// TestMain acts as a browser if BROWSER_PLAYS describes its behavior: see plays.
func TestMain(m *testing.M) {
	if how := os.Getenv("BROWSER_PLAYS"); how != "" {
		os.Exit(plays(how))
	}
	goleak.VerifyTestMain(m)
}

// render loads a page of site.example, which the handler plays, in a real browser.
type render func(ctx context.Context, handler http.HandlerFunc, address string) (string, error)

// each runs a test with each browser that is installed.
func each(t *testing.T, test func(*testing.T, render)) {
	for i, name := range []string{"Chromium", "Firefox"} {
		t.Run(name, func(t *testing.T) {
			kind := kinds()[i]
			program := kind.find(os.Environ())
			if name == "Firefox" && testing.Short() {
				t.Skip("it takes 4 s to read a page")
			}
			if program == "" {
				t.Skipf("%s is not installed here: apt-get install chromium firefox-esr", name)
			}
			test(t, func(ctx context.Context, handler http.HandlerFunc, address string) (string, error) {
				server := httptest.NewServer(handler)
				defer server.Close()
				client := web.NewClient(map[string]string{"site.example": server.URL, "other.example": server.URL})
				defer client.CloseIdleConnections()
				transport := &asked{RoundTripper: client.Transport}
				temporary, err := os.MkdirTemp("/tmp", "b") // t.TempDir is too long for the browser's socket
				if err != nil {
					t.Fatal(err)
				}
				defer os.RemoveAll(temporary)
				t.Setenv("TMPDIR", temporary)
				request := Request{URL: address, Client: &http.Client{Transport: transport}, Environ: os.Environ(), Now: time.Now()}
				document, err := request.runProgram(ctx, program, kind.run)
				if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
					t.Errorf("left behind: %q", left)
				}
				transport.hosts.Range(func(host, _ any) bool {
					name := (&url.URL{Host: host.(string)}).Hostname()
					if !strings.HasSuffix(name, ".example") && name != "localhost" && net.ParseIP(name) == nil {
						t.Errorf("the browser asked %s of its own", host)
					}
					return true
				})
				return document, err
			})
		})
	}
}

// asked is a transport that records the requested hosts.
type asked struct {
	http.RoundTripper
	hosts sync.Map
}

func (a *asked) RoundTrip(r *http.Request) (*http.Response, error) {
	a.hosts.Store(r.URL.Host, true)
	return a.RoundTripper.RoundTrip(r)
}

func page(script string) string {
	return "<html><body><p id=out>scripts did not run</p><script>const out = document.getElementById('out');" + script + "</script></body></html>"
}

// Both routes through the proxy end at the server in the table, which has no TLS.
func TestScriptsMakeThePage(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/data" {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			_, _ = io.WriteString(w, "loaded")
			return
		}
		_, _ = io.WriteString(w, page(`setTimeout(async () => {
			const own = await (await fetch('/data')).text(), other = await (await fetch(location.protocol + '//other.example/data')).text();
			out.textContent = [own, other, location.protocol, isSecureContext].join(' ');
		}, 1000)`))
	}
	each(t, func(t *testing.T, render render) {
		for scheme, want := range map[string]string{"http": "loaded loaded http: false", "https": "loaded loaded https: true"} {
			if scheme == "http" && testing.Short() {
				continue // each browser takes 1.5 s of processor time
			}
			document, err := render(t.Context(), handler, scheme+"://site.example/page")
			if err != nil || !strings.Contains(document, want) {
				t.Errorf("%s: %.500s, %v", scheme, document, err)
			}
		}
	})
}

func TestAPageCannotReachThisMachineOrItsNetwork(t *testing.T) {
	var reached atomic.Int32
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer secret.Close()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(secret.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	handler := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, page(fmt.Sprintf(`(async () => {
			const results = [];
			for (const url of ['http://169.254.169.254/', 'http://127.0.0.1:%[1]s/', 'http://localhost:%[1]s/', 'https://127.0.0.1:%[1]s/', 'http://[::1]:%[1]s/']) {
				try { results.push((await fetch(url)).status) } catch (e) { results.push('refused') }
			}
			const frame = document.createElement('iframe'), img = new Image(), socket = new WebSocket('ws://127.0.0.1:%[1]s/');
			socket.onerror = () => { out.textContent = results.join(' ') + ' and no socket' };
			frame.src = img.src = 'http://127.0.0.1:%[1]s/'; document.body.append(frame, img);
		})()`, port)))
	}
	each(t, func(t *testing.T, render render) {
		var document string
		var err error
		for range 3 { // a browser's own time may end before a busy machine has run the page
			if document, err = render(t.Context(), handler, "https://site.example/"); err != nil || !strings.Contains(document, ">scripts did not run<") {
				break
			}
		}
		if err != nil || !strings.Contains(document, "refused refused refused refused refused and no socket") {
			t.Errorf("%.500s, %v", document, err)
		}
	})
	if n := reached.Load(); n != 0 {
		t.Errorf("the page reached this machine %d times", n)
	}
}

func TestAPageThatCannotBeLoadedIsAnError(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/inside":
			http.Redirect(w, r, "http://127.0.0.1:8080/", http.StatusFound)
		case "/hangs-up":
			panic(http.ErrAbortHandler)
		case "/part":
			_, _ = io.WriteString(w, page(`fetch('/hangs-up').catch(() => 0).then(() => { out.textContent = 'still a page' })`))
		}
	}
	each(t, func(t *testing.T, render render) {
		wanted := map[string]string{
			"https://site.example/inside":   "127.0.0.1: not allowed",
			"https://site.example/hangs-up": "site.example: EOF",
		}
		if !testing.Short() { // each browser takes 1.5 s of processor time
			wanted["http://10.0.0.1/"] = "10.0.0.1: not allowed"
			wanted["http://site.example:25/"] = "the browser does not load the page"
		}
		for address, want := range wanted {
			if document, err := render(t.Context(), handler, address); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %.500s, %v", address, document, err)
			}
		}
		if document, err := render(t.Context(), handler, "http://site.example/part"); err != nil || !strings.Contains(document, "still a page") {
			t.Errorf("a part that failed: %.500s, %v", document, err)
		}
	})
}

func TestCancelLeavesNothing(t *testing.T) {
	stopped := errors.New("the user said stop")
	each(t, func(t *testing.T, render render) {
		ctx, cancel := context.WithCancelCause(t.Context())
		began := make(chan struct{}, 8)
		_, err := render(ctx, func(_ http.ResponseWriter, r *http.Request) {
			began <- struct{}{}
			cancel(stopped)
			<-r.Context().Done()
		}, "http://site.example/")
		select {
		case <-began:
			if !errors.Is(err, stopped) {
				t.Error(err)
			}
		default:
			t.Errorf("the page was not asked for: %v", err)
		}
	})
}

// Chromium asks only the host of the page. If the path for temporary files is too long for its
// socket, its profile is created in /tmp.
func TestChromiumAsksOnlyThePageAndNeedsAShortPath(t *testing.T) {
	for dir, want := range map[string]string{strings.Repeat("x", longestDir): strings.Repeat("x", longestDir), strings.Repeat("x", longestDir+1): "/tmp"} {
		if got := shortDir(dir); got != want && runtime.GOOS != "windows" {
			t.Errorf("%q for %q", got, dir)
		}
	}
	program := kinds()[0].find(os.Environ())
	if program == "" {
		t.Skip("Chromium is not installed here: apt-get install chromium")
	}
	temporary := filepath.Join(t.TempDir(), strings.Repeat("x", 60))
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temporary)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page("")) }))
	defer server.Close()
	client := web.NewClient(map[string]string{"site.example": server.URL})
	defer client.CloseIdleConnections()
	transport := &asked{RoundTripper: client.Transport}
	proxy, err := relay.Start(t.Context(), transport, time.Now(), allowance) // refuses no services of browsers
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	profile, err := os.MkdirTemp(shortDir(os.TempDir()), "b")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile)
	request := Request{URL: "http://site.example/", Environ: os.Environ(), Now: time.Now()}
	if _, err = chromium(t.Context(), program, profile, request, proxy); err != nil {
		t.Fatal(err)
	}
	transport.hosts.Range(func(host, _ any) bool {
		if host != "site.example" {
			t.Errorf("it asked %s", host)
		}
		return true
	})
}

// The services are refused unless the requested page is on one of them.
func TestServicesOfBrowsers(t *testing.T) {
	if !slices.Contains(refused("https://site.example/"), "update.googleapis.com") || slices.Contains(refused("https://dl.google.com/x"), "dl.google.com") {
		t.Error("the wrong hosts are refused")
	}
}

func TestNoBrowser(t *testing.T) {
	_, err := Render(t.Context(), Request{URL: "http://site.example/", Environ: []string{"PATH=" + t.TempDir()}})
	if !errors.Is(err, ErrNone) {
		t.Errorf("got %v", err)
	}
}
