package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/tools"
)

func (c mcpAccept) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		text, err := s.Accept(ctx, c.Args.Name, extensions.CommaList(c.Give))
		if err != nil {
			return err
		}
		fmt.Fprintln(world.Stdout, text)
		return nil
	})
}

// Accept accepts the current definition of the server with the given name. If a project offers the
// server, the user must confirm each variable that the server receives. The given variables need no
// confirmation.
func (s *Servers) Accept(ctx context.Context, name string, variables []string) (string, error) {
	at := slices.IndexFunc(s.offers, func(one extensions.Offer) bool { return one.Name == name })
	if at < 0 {
		return "", fmt.Errorf("neither this project nor another program on this machine offers a server called %s; to list all servers, run marvin mcp list", tools.Visible(name))
	}
	one, where := s.offers[at], "in this directory"
	if one.Theirs {
		where = "everywhere"
		if err := settings.ServersOf(s.Home).Set(name, one.Server); err != nil {
			return "", err
		}
	} else {
		if err := s.askConsent(one, variables); err != nil {
			return "", err
		}
		if err := projects.OffersOf(s.Home).Accept(s.direct.Ground.Dir, name, s.keys.Acceptance(one.Server)); err != nil {
			return "", err
		}
	}
	s.all[name] = one.Server
	manifest, _, err := s.fetchManifest(ctx, name, true)
	if err != nil {
		return "", fmt.Errorf("%w\n%s is accepted anyway. To test the server again, run marvin mcp test %[2]s; to remove it, run marvin mcp remove %[2]s", err, name)
	}
	return fmt.Sprintf("%s is now used %s. It has %s; to list them, run marvin mcp tools %s.", one.Describe(), where, messages.Counted(len(manifest.Tools), "tool"), name), nil
}

// askConsent shows a project's server and what the server receives. It asks the user to allow each
// variable that is not in the given list.
func (s *Servers) askConsent(one extensions.Offer, variables []string) error {
	for _, line := range s.keys.DescribeServer(one.Server) {
		fmt.Fprintf(s.world.Stderr, "%s: %s\n", one.Name, line)
	}
	if err := s.keys.Refused(one.Server); err != nil {
		return fmt.Errorf("%s from %s is not accepted: %w; write the server into config.yaml yourself if you want it anyway", one.Name, one.File, err)
	}
	to := one.Server.URL
	if to == "" {
		to = "the program " + one.Server.Command[0]
	}
	taken := s.keys.ReceivedVariables(one.Server)
	asked := slices.DeleteFunc(slices.Clone(taken), func(key string) bool { return slices.Contains(variables, key) })
	if len(asked) > 0 && !cli.Terminal(s.world.Stdin) {
		return fmt.Errorf("%s from %s is not accepted: it would get your %s, and without a terminal Marvin cannot ask you; to allow it, run marvin mcp accept %[1]s --give %[4]s", one.Name, one.File, strings.Join(asked, " and your "), strings.Join(taken, ","))
	}
	for _, key := range asked {
		if err := cli.Confirm(s.world, fmt.Sprintf("Give your %s to %s?", key, tools.Visible(to)), one.Name+" is not accepted."); err != nil {
			return err
		}
	}
	return nil
}
