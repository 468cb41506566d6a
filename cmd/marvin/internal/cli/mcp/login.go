package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/persistence/logins"
	"marvin/tools"
	"marvin/tools/mcp"
)

type mcpLogin struct {
	Client string `long:"client" value-name:"ID" description:"Marvin's client id at this server"`
	Port   int    `long:"port" value-name:"PORT" description:"the local port that the browser is redirected to"`
	Forget bool   `long:"forget" description:"remove the stored login"`
	oneServer
}

func (c mcpLogin) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		name := string(c.Args.Name)
		server, err := s.Named(name)
		known := logins.Servers{Home: s.Home}
		switch {
		case err != nil:
			return err
		case c.Forget:
			if err := known.Set(name, logins.ServerLogin{}); err != nil {
				return err
			}
			fmt.Fprintf(world.Stdout, "Marvin no longer stores a login for %s.\n", name)
			return nil
		case server.URL == "":
			return fmt.Errorf("%s needs no login, because it is a program: it gets its keys through \"env:\" in its entry. Only a server with \"url:\" has a login", name)
		}
		checked, err := s.world.Client(s.settings)
		if err != nil {
			return err
		}
		wanted, err := c.login(ctx, world, known, name, server.URL, checked)
		switch {
		case err != nil:
			return err
		case !wanted:
			fmt.Fprintf(world.Stdout, "%s needs no login; to check whether it answers, run marvin mcp test %[1]s.\n", name)
			return nil
		}
		manifest, _, err := s.fetchManifest(ctx, name, false)
		if err != nil {
			return fmt.Errorf("you are logged in, but the server does not answer: %w", err)
		}
		fmt.Fprintf(world.Stdout, "You are logged in to %s, which has %s. The login is stored in ~/.config/marvin/logins.json, which only you can read.\n", name, messages.Counted(len(manifest.Tools), "tool"))
		return nil
	})
}

// login lets the user log in with a browser, and stores the tokens. If the server works without a
// login, the result is false.
func (c mcpLogin) login(ctx context.Context, world cli.World, logins logins.Servers, name, address string, checked *http.Client) (bool, error) {
	ctx, stop := context.WithTimeoutCause(ctx, accounts.LoginTimeout, fmt.Errorf("you did not log in within %s; to print the address again, run marvin mcp login", accounts.LoginTimeout))
	defer stop()
	visit, err := accounts.ListenForLogin(ctx, "/callback", c.Port)
	if err != nil {
		return false, err
	}
	defer visit.Close()
	login := mcp.Login{Client: c.Client, Redirect: fmt.Sprintf("http://127.0.0.1:%d/callback", visit.Port), Checked: checked}
	login.Browse = func(ctx context.Context, address string) (*url.URL, error) {
		back, err := visit.Browse(ctx, world.Stderr, address)
		if errors.Is(err, accounts.ErrNoPage) {
			err = fmt.Errorf("%w; if the server takes a key instead, give it with \"marvin mcp add --header\"", err)
		}
		return back, err
	}
	if cli.Terminal(world.Stdin) {
		login.AllowElsewhere = func(page, to string) error {
			return cli.Confirm(world, fmt.Sprintf("You logged in at %s, but the code from this login would be sent to %s. Send it there?", tools.Visible(page), tools.Visible(to)), "Marvin did not send it.")
		}
	}
	return login.Run(ctx, logins, name, address)
}
