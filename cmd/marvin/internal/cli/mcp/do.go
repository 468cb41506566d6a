package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

func (c mcpAdd) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		server := settings.Server{Command: c.Args.Command, URL: c.URL, Timeout: c.Timeout, Free: c.Free}
		var err error
		if server.Env, err = pairs("--env", c.Env); err != nil {
			return err
		}
		if server.Headers, err = pairs("--header", c.Header); err != nil {
			return err
		}
		server.Reads = extensions.CommaList(c.Reads)
		if _, taken := s.settings.Servers[c.Args.Name]; taken {
			return fmt.Errorf("there is already a server called %s; to remove it, run marvin mcp remove %[1]s", c.Args.Name)
		}
		if err := settings.ServersOf(s.Home).Set(c.Args.Name, server); err != nil {
			return err
		}
		s.all[c.Args.Name] = server
		manifest, _, err := s.fetchManifest(ctx, c.Args.Name, true)
		if err != nil {
			fmt.Fprintf(world.Stderr, "%s is configured, but it did not start. To try it again, run marvin mcp test %[1]s; to remove it, run marvin mcp remove %[1]s.\n", c.Args.Name)
			return err
		}
		fmt.Fprintf(world.Stdout, "%s is configured (%s) and has %s:\n", c.Args.Name, tools.Visible(manifest.Program), messages.Counted(len(manifest.Tools), "tool"))
		return s.PrintTools(c.Args.Name, manifest)
	})
}

// pairs builds a map from words of the form NAME=VALUE.
func pairs(flag string, words []string) (map[string]string, error) {
	if len(words) == 0 {
		return nil, nil
	}
	all := map[string]string{}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%s %q is not NAME=VALUE", flag, word)
		}
		all[name] = value
	}
	return all, nil
}

func (c mcpTest) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		begun := world.Now()
		manifest, _, err := s.fetchManifest(ctx, string(c.Args.Name), false)
		if err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "%s answers after %s: %s, %s\n", c.Args.Name, world.Now().Sub(begun).Round(time.Millisecond), tools.Visible(manifest.Program), messages.Counted(len(manifest.Tools), "tool"))
		if changed := manifest.Unapproved(); len(changed) > 0 {
			fmt.Fprintf(world.Stdout, "You have not approved the current descriptions of these tools: %s. To read them, run marvin mcp tools %s; to approve them, run marvin mcp approve %[2]s.\n", strings.Join(changed, ", "), c.Args.Name)
		}
		return s.sayHeld(string(c.Args.Name))
	})
}

func (c mcpApprove) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		name := string(c.Args.Name)
		server, err := s.Named(name)
		if err != nil {
			return err
		}
		if err := mcp.Allow(s.Home, name, server, c.Args.Wishes...); err != nil {
			return err
		}
		if len(c.Args.Wishes) > 0 {
			return s.sayHeld(name)
		}
		manifest, _, err := s.fetchManifest(ctx, name, true)
		if err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "You have approved the current descriptions of %[2]s from %[1]s.\n", name, messages.Counted(len(manifest.Tools), "tool"))
		return s.sayHeld(name)
	})
}

func switchedOff(name string) error {
	return fmt.Errorf("the server %s is switched off; to switch it on, run marvin mcp enable %[1]s", name)
}

func (c mcpEnable) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return switchServer(ctx, world, opts, string(c.Args.Name), false)
}

func (c mcpDisable) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return switchServer(ctx, world, opts, string(c.Args.Name), true)
}

func switchServer(ctx context.Context, world cli.World, opts cli.Options, name string, off bool) error {
	return WithServers(ctx, world, opts, func(_ context.Context, s *Servers) error {
		server, ok := s.settings.Servers[name]
		if !ok {
			_, err := s.Named(name)
			return cmp.Or(err, fmt.Errorf("%s is not in config.yaml, because this project offers it; to stop using it, run marvin mcp remove %[1]s", name))
		}
		server.Off = off
		if err := settings.ServersOf(s.Home).Set(name, server); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "The server %s is switched %s.\n", name, map[bool]string{true: "off", false: "on"}[off])
		return nil
	})
}

func (c mcpRemove) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(_ context.Context, s *Servers) error {
		name := string(c.Args.Name)
		if _, own := s.settings.Servers[name]; !own {
			if _, err := s.Named(name); err != nil {
				return err
			}
			if err := projects.OffersOf(s.Home).Refuse(s.direct.Ground.Dir, name); err != nil {
				return err
			}
			fmt.Fprintf(world.Stdout, "The server %s, which this project offers, is no longer accepted.\n", name)
			return nil
		}
		if err := settings.ServersOf(s.Home).Remove(name); err != nil {
			return err
		}
		if err := settings.ServersOf(s.Home).ForgetFile(name); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "The server %s is removed.\n", name)
		return nil
	})
}

func (c mcpCall) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		name := string(c.Args.Name)
		if s.all[name].Off {
			return switchedOff(name)
		}
		manifest, _, err := s.fetchManifest(ctx, name, false)
		if err != nil {
			return err
		}
		source, problems := mcp.NewSource(name, s.all[name], manifest, s.direct)
		for _, problem := range problems {
			fmt.Fprintln(world.Stderr, "warning:", problem)
		}
		at := slices.IndexFunc(source.Tools, func(tool tools.Tool) bool { return tool.Name == toolbox.ForeignName("mcp", name, c.Args.Tool) })
		if at < 0 {
			return fmt.Errorf("the server %s has no tool called %s; to list its tools, run marvin mcp tools %[1]s", name, tools.Visible(c.Args.Tool))
		}
		readOnly, err := tools.ReadOnly(s.world.Environ)
		if err != nil {
			return err
		}
		if readOnly && source.Tools[at].Writes {
			return fmt.Errorf("%s of %s can write, but this run is read-only (MARVIN_READONLY); if the tool only reads, list it under \"reads:\" in the server's entry in config.yaml", c.Args.Tool, name)
		}
		arguments, err := cli.KeyValues(c.Args.Values)
		if err != nil {
			return err
		}
		env, err := app.DirectEnv(s.world, s.Home, opts.WorkingDir)
		if err != nil {
			return err
		}
		return cli.UserError(runTool(ctx, s.world, source.Tools[at], env, arguments))
	})
}

func runTool(ctx context.Context, world cli.World, tool tools.Tool, env tools.Env, arguments json.RawMessage) error {
	call, err := tool.Decode(arguments)
	if err != nil {
		return err
	}
	if cli.Terminal(world.Stdin) && cli.Terminal(world.Stderr) {
		env.Person, env.Ask = true, cli.TerminalAsker(world)
	}
	ctx, stop := context.WithTimeoutCause(ctx, call.Timeout, tools.ErrDeadline)
	defer stop()
	output, err := call.Run(ctx, env)
	text, _ := tools.ResultLimits.Cut(output.Text)
	fmt.Fprint(world.Stdout, text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(world.Stdout)
	}
	return err
}

// RunForeign runs an MCP server's tool. The full name of the tool is "mcp_SERVER_TOOL".
func RunForeign(ctx context.Context, world cli.World, opts cli.Options, name string, values []string, own *toolbox.Registry, env tools.Env) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		shelf := toolbox.NewShelf(own)
		for _, server := range ServerNames(s.all) {
			manifest, known, err := mcp.ReadManifest(s.Home, server, s.all[server])
			wanted := strings.HasPrefix(name, toolbox.ForeignName("mcp", server)+"_")
			if s.all[server].Off && wanted {
				return switchedOff(server)
			}
			if err != nil || s.all[server].Off {
				continue
			}
			if !known && wanted {
				if manifest, _, err = s.fetchManifest(ctx, server, false); err != nil {
					return err
				}
			}
			source, _ := mcp.NewSource(server, s.all[server], manifest, s.direct)
			shelf.Add(source)
		}
		tool, err := shelf.Snapshot().Find(name, tools.Mode{Coding: true, ReadOnly: env.ReadOnly})
		if err != nil {
			return err
		}
		arguments, err := cli.KeyValues(values)
		if err != nil {
			return err
		}
		return runTool(ctx, s.world, tool, env, arguments)
	})
}
