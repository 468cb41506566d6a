package spotify

import (
	"context"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/tools"
)

// patience is the time limit for a login.
const patience = 10 * time.Minute

// callback is the local server to which Spotify redirects the browser after a login.
type callback struct {
	address string // the address on which the server listens
	server  *http.Server
	group   errgroup.Group // runs Serve; net/http recovers panics in handlers
	end     *time.Timer
}

// hear closes the previous callback server, if any, and starts a new callback server.
func (s *Service) hear(ctx context.Context, env tools.Env) error {
	s.Close()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return err
	}
	c := &callback{address: listener.Addr().String()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) { s.handleCallback(w, r, env, c) })
	c.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10, BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) }}
	c.server.SetKeepAlivesEnabled(false)
	c.end = time.AfterFunc(patience, func() { _ = c.server.Close() })
	c.group.Go(func() error { return c.server.Serve(listener) })
	s.mu.Lock()
	s.waiting = c
	s.mu.Unlock()
	return nil
}

// handleCallback completes the login and then stops the server. The server continues after a failed
// request, so other programs cannot stop the server with a false request.
func (s *Service) handleCallback(w http.ResponseWriter, r *http.Request, env tools.Env, c *callback) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Referrer-Policy", "no-referrer") // the URL contains the authorization code
	if err := s.finish(r.Context(), env, r.URL.String()); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte("Marvin: " + err.Error() + "\n"))
		return
	}
	_, _ = w.Write([]byte("Marvin can use Spotify now. You can close this page.\n"))
	c.end.Reset(time.Second) // the page must be sent before the server closes
}

// Close stops the callback server, if any.
func (s *Service) Close() {
	s.mu.Lock()
	c := s.waiting
	s.waiting = nil
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.end.Stop()
	_ = c.server.Close()
	_ = c.group.Wait() // if Serve failed, the user can give the callback URL to spotify_auth
}
