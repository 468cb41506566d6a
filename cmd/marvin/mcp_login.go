package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"marvin/messages"
	"marvin/persistence/logins"
	"marvin/tools/mcp"
)

// mcpLogin has a person log in at a server.
type mcpLogin struct {
	Client string `long:"client" value-name:"ID" description:"Marvin's client id at this server"`
	Port   int    `long:"port" value-name:"PORT" description:"the local port that the browser returns to"`
	Forget bool   `long:"forget" description:"take away what was kept of an earlier login"`
	oneServer
}

func (c mcpLogin) Run(ctx context.Context, world World, opts options) error {
	return withServers(ctx, world, opts, func(ctx context.Context, s *servers) error {
		name := string(c.Args.Name)
		server, err := s.named(name)
		known := logins.Servers{Home: s.home}
		switch {
		case err != nil:
			return err
		case c.Forget:
			if err := known.Set(name, logins.ServerLogin{}); err != nil {
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
		wanted, err := c.login(ctx, world, known, name, server.URL, checked)
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
		fmt.Fprintf(world.Stdout, "You are logged in at %s, which has %s. The login is kept in ~/.config/marvin/logins.json, which only you can read.\n", name, messages.Counted(len(manifest.Tools), "tool"))
		return nil
	})
}

// login waits for the browser's callback.
func (c mcpLogin) login(ctx context.Context, world World, logins logins.Servers, name, address string, checked *http.Client) (bool, error) {
	ctx, stop := context.WithTimeoutCause(ctx, patienceLogin, fmt.Errorf("there was no login within %s; marvin mcp login prints the address again", patienceLogin))
	defer stop()
	visit, err := expect(ctx, "/callback", c.Port)
	if err != nil {
		return false, err
	}
	defer visit.close()
	login := mcp.Login{Client: c.Client, Redirect: fmt.Sprintf("http://127.0.0.1:%d/callback", visit.port), Checked: checked}
	login.Browse = func(ctx context.Context, address string) (*url.URL, error) {
		back, err := visit.browse(ctx, world.Stderr, address)
		if errors.Is(err, errNoPage) {
			err = fmt.Errorf("%w; if it takes a key, give that with marvin mcp add --header", err)
		}
		return back, err
	}
	return login.Run(ctx, logins, name, address)
}
