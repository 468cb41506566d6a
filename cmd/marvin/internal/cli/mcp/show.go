package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

// shownServer is the JSON form of a server, as documented in docs/mcp.md.
type shownServer struct {
	Name       string            `json:"name"`
	From       string            `json:"from"` // "yours", "project" or "offer"
	Command    []string          `json:"command,omitempty"`
	URL        string            `json:"url,omitempty"`
	Env        []string          `json:"env,omitempty"`
	Enabled    bool              `json:"enabled"`
	Known      bool              `json:"known"`
	Tools      int               `json:"tools"`
	Unapproved []string          `json:"unapproved,omitempty"`
	Jail       string            `json:"jail,omitempty"`   // description of the server's confinement
	Wanted     string            `json:"wanted,omitempty"` // permissions that the server requested and does not have
	File       string            `json:"file,omitempty"`   // the file that offers the server
	Gives      []extensions.Gift `json:"gives,omitempty"`  // headers and variables that a project's server would receive

	brought []string // lines that describe an offered server
}

func (c mcpList) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(_ context.Context, s *Servers) error {
		list := s.shown()
		if s.json {
			return cli.WriteJSON(world.Stdout, list)
		}
		if len(list) == 0 {
			fmt.Fprintln(world.Stderr, "There is no server yet. To add one, run marvin mcp add NAME -- COMMAND.")
			return nil
		}
		table := tabwriter.NewWriter(world.Stdout, 0, 8, 2, ' ', 0)
		for _, one := range list {
			fmt.Fprintf(table, "%s\t%s\t%s\n", one.Name, one.state(), tools.Visible(one.address()))
		}
		if err := table.Flush(); err != nil {
			return err
		}
		for _, one := range list {
			if one.Jail != "" {
				fmt.Fprintln(world.Stdout, HeldText(one.Name, one.Jail, one.Wanted))
			}
			for _, line := range one.brought {
				fmt.Fprintf(world.Stdout, "%s: %s\n", one.Name, line)
			}
		}
		return nil
	})
}

func (s *Servers) shown() []shownServer {
	list := []shownServer{}
	for _, name := range ServerNames(s.all) {
		server := s.all[name]
		one := shownServer{Name: name, From: "yours", Command: server.Command, URL: server.URL, Env: extensions.EnvNames(server), Enabled: !server.Off}
		if _, own := s.settings.Servers[name]; !own {
			one.From = "project"
			one.Gives, one.brought = s.keys.Gifts(server), s.keys.DescribeServer(server)
		}
		manifest, known, err := mcp.ReadManifest(s.Home, name, server)
		if err != nil {
			fmt.Fprintln(s.world.Stderr, "warning:", err)
		}
		one.Known, one.Tools, one.Unapproved = known, len(manifest.Tools), manifest.Unapproved()
		one.Jail, one.Wanted = mcp.DescribeConfinement(server, manifest, s.sandbox.Mode())
		list = append(list, one)
	}
	for _, offered := range s.offers {
		one := shownServer{Name: offered.Name, From: "offer", Command: offered.Server.Command, URL: offered.Server.URL, Env: extensions.EnvNames(offered.Server), File: offered.File}
		// Values from another program's file are not shown, because they can contain keys.
		if !offered.Theirs {
			one.Gives, one.brought = s.keys.Gifts(offered.Server), s.keys.DescribeServer(offered.Server)
		}
		list = append(list, one)
	}
	return list
}

// HeldText formats the results of [mcp.DescribeConfinement] for the user.
func HeldText(name, held, wanted string) string {
	text := name + ": " + tools.Visible(held)
	if wanted != "" {
		text += fmt.Sprintf("\n%s tried to %s, which is not allowed; to allow it, run marvin mcp approve %[1]s", name, tools.Visible(wanted))
	}
	return text
}

// sayHeld prints how a server is confined.
func (s *Servers) sayHeld(name string) error {
	manifest, _, err := mcp.ReadManifest(s.Home, name, s.all[name])
	if err != nil {
		return err
	}
	held, wanted := mcp.DescribeConfinement(s.all[name], manifest, s.sandbox.Mode())
	fmt.Fprintln(s.world.Stdout, HeldText(name, held, wanted))
	return nil
}

func (s shownServer) state() string {
	switch {
	case s.From == "offer":
		return fmt.Sprintf("offered by %s: marvin mcp accept %s", s.File, s.Name)
	case !s.Enabled:
		return "off"
	case !s.Known:
		return "not checked yet"
	case len(s.Unapproved) > 0:
		return fmt.Sprintf("%s, %d not approved", messages.Counted(s.Tools, "tool"), len(s.Unapproved))
	}
	return messages.Counted(s.Tools, "tool")
}

func (s shownServer) address() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(s.Command, " ")
}

func (c mcpTools) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		name := string(c.Args.Name)
		server, err := s.Named(name)
		if err != nil {
			return err
		}
		manifest, known, err := mcp.ReadManifest(s.Home, name, server)
		if !known || err != nil {
			if manifest, _, err = s.fetchManifest(ctx, name, false); err != nil {
				return err
			}
		}
		return s.PrintTools(name, manifest)
	})
}

// shownTool is the JSON form of a tool, as documented in docs/mcp.md.
type shownTool struct {
	Name     string          `json:"name"`
	Tool     string          `json:"tool"` // the server's name for the tool
	Doc      string          `json:"description"`
	Claims   string          `json:"claims,omitempty"`
	Reads    bool            `json:"reads"` // the user declared the tool read-only
	Approved bool            `json:"approved"`
	Schema   json.RawMessage `json:"parameters"`
}

func (s *Servers) PrintTools(name string, manifest mcp.Manifest) error {
	source, problems := mcp.NewSource(name, s.all[name], manifest, s.direct)
	list := []shownTool{}
	at := 0
	for _, tool := range manifest.Tools {
		called := toolbox.ForeignName("mcp", name, tool.Name)
		if at >= len(source.Tools) || source.Tools[at].Name != called {
			continue // NewSource has rejected the tool
		}
		list = append(list, shownTool{
			Name: called, Tool: tool.Name, Doc: tool.Doc, Claims: tool.Claims, Reads: source.Tools[at].Effect == tools.Reads, Approved: manifest.Approved(tool), Schema: tool.Schema,
		})
		at++
	}
	for _, problem := range append(problems, manifest.Left...) {
		fmt.Fprintln(s.world.Stderr, "warning:", problem)
	}
	if s.json {
		return cli.WriteJSON(s.world.Stdout, list)
	}
	claimed := 0
	for i, one := range list {
		mark := "asks"
		if one.Reads {
			mark = "reads"
		}
		if !one.Approved {
			mark = "NOT APPROVED"
		}
		if one.Claims == "reads" && !one.Reads {
			claimed++
		}
		fmt.Fprintf(s.world.Stdout, "%s (%s) %s\n    %s\n", one.Name, mark, strings.Join(source.Tools[i].Signature(), " "), tools.Visible(topLine(one.Doc)))
	}
	if claimed > 0 {
		fmt.Fprintf(s.world.Stdout, "\nThe server reports %s. If you trust that, list those tools under \"reads:\" in the entry of %s in config.yaml (or [\"*\"] for all); Marvin then runs them without asking.\n", messages.Counted(claimed, "read-only tool"), name)
	}
	return nil
}

func topLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func (c mcpLog) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		_, session, err := s.fetchManifest(ctx, string(c.Args.Name), false)
		if session != nil {
			fmt.Fprintln(world.Stdout, strings.TrimRight(tools.Visible(session.Log()), "\n"))
		}
		return err
	})
}

func (c mcpRead) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	return WithServers(ctx, world, opts, func(ctx context.Context, s *Servers) error {
		if _, err := s.Named(string(c.Args.Name)); err != nil {
			return err
		}
		session, err := s.direct.Session(ctx, string(c.Args.Name), nil)
		if err != nil {
			return err
		}
		return PrintResources(ctx, world, session, c.Args.URI)
	})
}

// PrintResources prints the resource at uri. If uri is "", PrintResources lists all resources of
// the server.
func PrintResources(ctx context.Context, world cli.World, session *mcp.Session, uri string) error {
	if uri != "" {
		text, err := session.Read(ctx, uri)
		if text != "" {
			fmt.Fprintln(world.Stdout, strings.TrimRight(tools.Visible(text), "\n"))
		}
		return err
	}
	list, err := session.Resources(ctx)
	if err == nil && len(list) == 0 {
		fmt.Fprintf(world.Stderr, "The server %s offers nothing to read.\n", session.Name)
	}
	for _, one := range list {
		fmt.Fprintln(world.Stdout, tools.Visible(strings.TrimSpace(fmt.Sprintf("%s  %s  %s", one.URI, one.Name, topLine(one.Description)))))
	}
	return err
}
