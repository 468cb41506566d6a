package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli/hooks"
	climcp "marvin/cmd/marvin/internal/cli/mcp"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/mcp"
)

// additions implements the [command.Host] methods that manage MCP servers, language servers and
// hooks.
type additions struct{ parts *app.App }

// Servers implements [command.Host].
func (h additions) Servers(ctx context.Context, words string) (string, error) {
	told := h.reloadChanged()
	text, err := h.servers(ctx, words)
	return told + text, err
}

// serverVerbs are the subcommands of /mcp. shellVerbs are subcommands that only "marvin mcp" has.
var (
	serverVerbs = []string{"tools", "log", "restart", "test", "start", "approve", "read", "accept"}
	shellVerbs  = []string{"add", "call", "disable", "enable", "list", "login", "remove", "serve"}
)

func (h additions) servers(ctx context.Context, words string) (string, error) {
	fields := strings.Fields(words)
	switch len(fields) {
	case 0:
		return listServers(ctx, h)
	case 1:
		if states := h.parts.System.Servers.States(ctx, fields[0]); len(states) == 1 {
			return serverText(states[0]) + "\n  " + describeConfinement(h, fields[0]), nil
		}
		if verb := strings.ToLower(fields[0]); slices.Contains(serverVerbs, verb) || slices.Contains(shellVerbs, verb) {
			return "", errors.New("type /mcp to list the servers, /mcp NAME to describe one, or /mcp tools|log|restart|approve|read|accept NAME")
		}
		return "", noServer(fields[0])
	}
	verb, name := strings.ToLower(fields[0]), fields[1]
	if other := strings.ToLower(name); slices.Contains(serverVerbs, other) || slices.Contains(shellVerbs, other) {
		if _, named := h.parts.System.Servers.Entries()[fields[0]]; named || !slices.Contains(serverVerbs, verb) {
			verb, name = other, fields[0] // the name comes first, as in "/mcp office log"
		}
	}
	if slices.Contains(shellVerbs, verb) {
		return "", fmt.Errorf("/mcp cannot do that; in a shell, run marvin mcp %s. Changes apply here from the next prompt", verb)
	}
	return h.doServer(ctx, verb, name, fields[2:])
}

func noServer(name string) error {
	return fmt.Errorf("there is no server called %s; /mcp lists the servers", tools.Visible(name))
}

func (h additions) doServer(ctx context.Context, verb, name string, rest []string) (text string, err error) {
	var said bytes.Buffer
	world := h.parts.World
	world.Stdin, world.Stdout, world.Stderr = nil, &said, &said // the front end owns standard input
	switch verb {
	case "restart", "test", "start":
		if err := h.parts.System.Servers.Restart(ctx, name); err != nil {
			return "", errors.New(messages.ForPeople(err.Error()))
		}
		return h.servers(ctx, name)
	case "log":
		return h.logOf(ctx, name)
	case "approve":
		manifest, err := mcp.ApproveAll(h.parts.Config.Home, name, h.parts.System.Servers.Entries()[name])
		if err != nil {
			return "", err
		}
		h.parts.System.Servers.ApplyApprovals(name)
		return fmt.Sprintf("You have approved %[1]s of %[2]s, with the current descriptions. %[3]s. New permissions apply when the server next starts (/mcp restart %[2]s).", messages.Counted(len(manifest.Tools), "tool"), name, describeConfinement(h, name)), nil
	}
	err = climcp.WithServers(ctx, world, h.parts.Opts, func(ctx context.Context, s *climcp.Servers) error {
		switch verb {
		case "tools":
			server, err := s.Named(name)
			if err != nil {
				return err
			}
			manifest, known, err := mcp.ReadManifest(s.Home, name, server)
			if err == nil && !known {
				err = fmt.Errorf("%s has not been checked yet; check it with /mcp restart %[1]s", name)
			}
			if err != nil {
				return err
			}
			return s.PrintTools(name, manifest)
		case "read":
			session, err := h.parts.System.Servers.Connect(ctx, name)
			if err != nil {
				return err
			}
			return climcp.PrintResources(ctx, world, session, strings.Join(rest, " "))
		case "accept":
			text, err := s.Accept(ctx, name, extensions.CommaList(rest))
			fmt.Fprintln(&said, text)
			fmt.Fprint(&said, h.reloadChanged())
			return err
		}
		return fmt.Errorf("there is no /mcp %s; the subcommands are tools, log, restart, approve, read and accept", tools.Visible(verb))
	})
	return strings.TrimRight(said.String(), "\n"), err
}

// logOf returns the output that a server printed, without the protocol messages.
func (h additions) logOf(ctx context.Context, name string) (string, error) {
	states := h.parts.System.Servers.States(ctx, name)
	switch {
	case len(states) == 0:
		return "", noServer(name)
	case states[0].Log != "":
		return tools.Visible(strings.TrimRight(states[0].Log, "\n")), nil
	case states[0].State == actors.ServerNotStarted:
		return fmt.Sprintf("%s has not started in this conversation yet. The first call to it starts it; to start it now, type /mcp restart %[1]s.", name), nil
	}
	return name + " wrote nothing to its log.", nil
}

func describeConfinement(h additions, name string) string {
	server := h.parts.System.Servers.Entries()[name]
	manifest, _, err := mcp.ReadManifest(h.parts.Config.Home, name, server)
	if err != nil {
		return tools.Visible(messages.ForPeople(err.Error()))
	}
	held, wanted := mcp.DescribeConfinement(server, manifest, h.parts.Config.Sandbox.Mode())
	return climcp.HeldText(name, held, wanted)
}

func listServers(ctx context.Context, h additions) (string, error) {
	var lines []string
	for _, state := range h.parts.System.Servers.States(ctx, "") {
		lines = append(lines, serverText(state))
	}
	_, offers, err := extensions.ProjectServers(h.parts.Config.Home, h.parts.Dir, *h.parts.Reading.Own.Load(), extensions.ModelKeys(h.parts.Settings, h.parts.World.Environ))
	for _, one := range offers {
		lines = append(lines, fmt.Sprintf("%s: offered by %s, not in use; to use it, type /mcp accept %s", one.Describe(), one.File, one.Name))
	}
	if len(lines) == 0 && err == nil {
		return "No MCP server is configured. To add one, run marvin mcp add NAME -- COMMAND.", nil
	}
	if err != nil && len(lines) > 0 { // the error is shown below the list
		lines, err = append(lines, "warning: "+tools.Visible(err.Error())), nil
	}
	return strings.Join(lines, "\n"), err
}

func serverText(state actors.ServerState) string {
	text := state.Name + ": " + state.State
	switch {
	case state.Looked:
		text += ", " + messages.Counted(state.Tools, "tool")
	case state.State != actors.ServerOff:
		text += ", not checked yet"
	}
	if len(state.Unapproved) > 0 {
		text += fmt.Sprintf(", not approved in their current form: %s (read them with /mcp tools %s, approve them with /mcp approve %[2]s)", strings.Join(state.Unapproved[:min(len(state.Unapproved), 5)], ", "), state.Name)
	}
	if state.Err != "" {
		text += "\n  " + tools.Visible(messages.ForPeople(state.Err))
	}
	return text
}

// Hooks implements [command.Host].
func (h additions) Hooks(context.Context) string {
	told := h.reloadChanged()
	table, err := hooks.HookTable(h.parts.World, h.parts.Opts)
	if err != nil {
		return told + err.Error()
	}
	return told + strings.Join(table.Lines(), "\n")
}

// reloadChanged reloads the extensions that changed, and returns a description of the changes.
func (h additions) reloadChanged() (text string) {
	for _, notice := range h.parts.System.Servers.Renew() {
		text += tools.Visible(messages.ForPeople(notice.Text)) + "\n"
	}
	return text
}
