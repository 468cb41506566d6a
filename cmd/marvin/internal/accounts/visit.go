package accounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"marvin/tools"
)

// LoginTimeout is the maximum time for logging in with the browser or typing a key.
const LoginTimeout = 10 * time.Minute

var ErrNoPage = errors.New("the server does not say where you can log in")

// callbackServer receives the callback that the browser sends to a local address after a login.
type callbackServer struct {
	Port   int
	came   chan *url.URL
	server *http.Server
}

// ListenForLogin starts a server for the browser's callback after a login. The server listens on
// the first free port in ports; 0 means any free port. The caller must close the server.
func ListenForLogin(ctx context.Context, path string, ports ...int) (*callbackServer, error) {
	var problems error
	for _, port := range ports {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			problems = errors.Join(problems, err)
			continue
		}
		v := &callbackServer{Port: listener.Addr().(*net.TCPAddr).Port, came: make(chan *url.URL, 1)}
		v.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: v.handler(path)}
		go func() { _ = v.server.Serve(listener) }()
		return v, nil
	}
	return nil, fmt.Errorf("no local port is free to receive the login from the browser: %w", problems)
}

func (v *callbackServer) Close() { _ = v.server.Close() }

func (v *callbackServer) handler(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path != path || request.Method != http.MethodGet {
			http.NotFound(w, request)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "You are logged in. You can close this page.\n")
		select {
		case v.came <- request.URL:
		default: // only the first callback counts
		}
	}
}

// Browse asks the user to open the login page in a browser. It waits for the browser's callback,
// and returns the URL of the callback.
func (v *callbackServer) Browse(ctx context.Context, stderr io.Writer, address string) (*url.URL, error) {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" && at.Scheme != "http" {
		return nil, ErrNoPage
	}
	fmt.Fprintf(stderr, "Open this address in a browser on this machine, and approve the login there:\n\n  %s\n\nMarvin waits for %s.\n", tools.Visible(address), LoginTimeout)
	for {
		select {
		case back := <-v.came:
			if back.Query().Get("state") == at.Query().Get("state") { // any program on this machine can connect
				return back, nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
