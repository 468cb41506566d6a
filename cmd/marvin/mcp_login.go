package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/mcp"
)

// mcpLogin has a person log in at a server.
type mcpLogin struct {
	Client string `long:"client" value-name:"ID" description:"who Marvin is at this server, where it does not let programs introduce themselves"`
	Port   int    `long:"port" value-name:"PORT" description:"the port of this machine where the browser comes back to; any free one if not given"`
	Forget bool   `long:"forget" description:"take away what was kept of an earlier login"`
	oneServer
}

// patienceLogin is how long a person may take in the browser.
const patienceLogin = 10 * time.Minute

func (c mcpLogin) run(ctx context.Context, world World, opts options) error {
	return withServers(ctx, world, opts, func(ctx context.Context, s *servers) error {
		name := string(c.Args.Name)
		server, err := s.named(name)
		logins := persistence.ServerLogins{Home: s.home}
		switch {
		case err != nil:
			return err
		case c.Forget:
			if err := logins.Set(name, persistence.ServerLogin{}); err != nil {
				return err
			}
			fmt.Fprintf(world.Stdout, "Marvin keeps no login of %s any more.\n", name)
			return nil
		case server.URL == "":
			return fmt.Errorf("%s is a program, which gets its keys by env; only a server with a url has a login", name)
		}
		checked, err := s.world.client(s.settings)
		if err != nil {
			return err
		}
		wanted, err := c.login(ctx, world, logins, name, server.URL, checked)
		switch {
		case err != nil:
			return err
		case !wanted:
			fmt.Fprintf(world.Stdout, "%s wants no login; marvin mcp test %[1]s looks whether it answers.\n", name)
			return nil
		}
		manifest, _, err := s.look(ctx, name, false)
		if err != nil {
			return fmt.Errorf("you are logged in, and it does not answer: %w", err)
		}
		fmt.Fprintf(world.Stdout, "You are logged in at %s, which has %d tools. The login is kept in ~/.config/local-finder/logins.json, which only you can read.\n", name, len(manifest.Tools))
		return nil
	})
}

// login waits at an address of this machine for what the browser brings back.
func (c mcpLogin) login(ctx context.Context, world World, logins persistence.ServerLogins, name, address string, checked *http.Client) (bool, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", c.Port))
	if err != nil {
		return false, fmt.Errorf("no port where the browser could come back to: %w", err)
	}
	ctx, stop := context.WithTimeoutCause(ctx, patienceLogin, fmt.Errorf("nobody logged in within %s; marvin mcp login prints the address again", patienceLogin))
	defer stop()
	came := make(chan *url.URL, 1)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path != "/callback" || request.Method != http.MethodGet {
			http.NotFound(w, request)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "Marvin has what it needs. You can close this page.\n")
		select {
		case came <- request.URL:
		default: // the first one counts
		}
	})}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	login := mcp.Login{Client: c.Client, Redirect: fmt.Sprintf("http://%s/callback", listener.Addr()), Checked: checked}
	login.Browse = func(ctx context.Context, address string) (*url.URL, error) {
		at, err := url.Parse(address)
		if err != nil || at.Scheme != "https" && at.Scheme != "http" {
			return nil, errors.New("the server names no page to log in at; if it takes a key, give that with marvin mcp add --header")
		}
		fmt.Fprintf(world.Stderr, "Open this address in a browser on this machine, and say yes there:\n\n  %s\n\nMarvin waits for %s.\n", tools.Visible(address), patienceLogin)
		for {
			select {
			case back := <-came:
				if back.Query().Get("state") == at.Query().Get("state") { // others on this machine can ask, too
					return back, nil
				}
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
	}
	return login.Run(ctx, logins, name, address)
}
