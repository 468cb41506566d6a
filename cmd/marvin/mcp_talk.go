package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/actors"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/mcp"
)

// extensions are what others bring: MCP servers, language servers and hooks.
type extensions struct{ parts *parts }

// Servers implements [command.Host].
func (h extensions) Servers(ctx context.Context, words string) (string, error) {
	told := h.renewed()
	text, err := h.servers(ctx, words)
	return told + text, err
}

// Verbs of /mcp, and those that only a shell has.
var (
	serverVerbs = []string{"tools", "log", "restart", "test", "start", "approve", "read", "accept"}
	shellVerbs  = []string{"add", "call", "disable", "enable", "list", "login", "remove", "serve"}
)

func (h extensions) servers(ctx context.Context, words string) (string, error) {
	fields := strings.Fields(words)
	switch len(fields) {
	case 0:
		return listServers(ctx, h)
	case 1:
		if states := h.parts.system.Servers(ctx, fields[0]); len(states) == 1 {
			return serverText(states[0]) + "\n  " + heldServer(h, fields[0]), nil
		}
		if verb := strings.ToLower(fields[0]); slices.Contains(serverVerbs, verb) || slices.Contains(shellVerbs, verb) {
			return "", errors.New("usage: /mcp lists the servers; /mcp NAME tells of one; /mcp tools|log|restart|approve|read|accept NAME")
		}
		return "", noServer(fields[0])
	}
	verb, name := strings.ToLower(fields[0]), fields[1]
	if other := strings.ToLower(name); slices.Contains(serverVerbs, other) || slices.Contains(shellVerbs, other) {
		if _, named := h.parts.system.Entries()[fields[0]]; named || !slices.Contains(serverVerbs, verb) {
			verb, name = other, fields[0] // both orders are in use: /mcp office log
		}
	}
	if slices.Contains(shellVerbs, verb) {
		return "", fmt.Errorf("marvin mcp %s does that, in a shell; changes apply here from the next prompt", verb)
	}
	return h.doServer(ctx, verb, name, fields[2:])
}

func noServer(name string) error {
	return fmt.Errorf("there is no server called %s; /mcp lists them", tools.Visible(name))
}

func (h extensions) doServer(ctx context.Context, verb, name string, rest []string) (text string, err error) {
	var said bytes.Buffer
	world := h.parts.world
	world.Stdin, world.Stdout, world.Stderr = nil, &said, &said // the keyboard belongs to the screen
	switch verb {
	case "restart", "test", "start":
		if err := h.parts.system.RestartServer(ctx, name); err != nil {
			return "", errors.New(messages.ForPeople(err.Error()))
		}
		return h.servers(ctx, name)
	case "log":
		return h.logOf(ctx, name)
	case "approve":
		manifest, err := mcp.ApproveAll(h.parts.config.Home, name, h.parts.system.Entries()[name])
		if err != nil {
			return "", err
		}
		h.parts.system.Reshelve(name)
		return fmt.Sprintf("Approved of %[2]s: %[1]s, as described now. %[3]s. New permissions apply from its next start (/mcp restart %[2]s).", messages.Counted(len(manifest.Tools), "tool"), name, heldServer(h, name)), nil
	}
	err = withServers(ctx, world, h.parts.opts, func(ctx context.Context, s *servers) error {
		switch verb {
		case "tools":
			server, err := s.named(name)
			if err != nil {
				return err
			}
			manifest, known, err := mcp.Known(s.home, name, server)
			if err == nil && !known {
				err = fmt.Errorf("nothing is known of %s yet; /mcp restart %[1]s looks", name)
			}
			if err != nil {
				return err
			}
			return s.printTools(name, manifest)
		case "read":
			session, err := h.parts.system.Session(ctx, name)
			if err != nil {
				return err
			}
			return printResources(ctx, world, session, strings.Join(rest, " "))
		case "accept":
			text, err := s.accept(ctx, name, commaList(rest))
			fmt.Fprintln(&said, text)
			fmt.Fprint(&said, h.renewed())
			return err
		}
		return fmt.Errorf("/mcp %s is not known; there are tools, log, restart, approve, read and accept", tools.Visible(verb))
	})
	return strings.TrimRight(said.String(), "\n"), err
}

// logOf is a server's output except its messages.
func (h extensions) logOf(ctx context.Context, name string) (string, error) {
	states := h.parts.system.Servers(ctx, name)
	switch {
	case len(states) == 0:
		return "", noServer(name)
	case states[0].Log != "":
		return tools.Visible(strings.TrimRight(states[0].Log, "\n")), nil
	case states[0].State == actors.ServerNotStarted:
		return fmt.Sprintf("%s was not started here yet; its first call does that, or /mcp restart %[1]s.", name), nil
	}
	return name + " printed nothing besides its messages.", nil
}

// heldServer says what holds a server.
func heldServer(h extensions, name string) string {
	server := h.parts.system.Entries()[name]
	manifest, _, err := mcp.Known(h.parts.config.Home, name, server)
	if err != nil {
		return tools.Visible(messages.ForPeople(err.Error()))
	}
	held, wanted := mcp.Held(server, manifest, h.parts.config.Sandbox.Mode())
	return heldText(name, held, wanted)
}

func listServers(ctx context.Context, h extensions) (string, error) {
	var lines []string
	for _, state := range h.parts.system.Servers(ctx, "") {
		lines = append(lines, serverText(state))
	}
	_, offers, err := projectServers(h.parts.config.Home, h.parts.dir, *h.parts.reading.own.Load(), modelKeys(h.parts.settings, h.parts.world.Environ))
	for _, one := range offers {
		lines = append(lines, fmt.Sprintf("%s: offered by %s, not started; /mcp accept %s uses it", one.told(), one.File, one.Name))
	}
	if len(lines) == 0 && err == nil {
		return "No MCP server is configured. marvin mcp add NAME -- COMMAND configures one.", nil
	}
	if err != nil && len(lines) > 0 { // the others are still shown
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
		text += ", not looked at yet"
	}
	if len(state.Unapproved) > 0 {
		text += fmt.Sprintf(", not approved as they are now: %s (/mcp tools %s shows them, /mcp approve %[2]s approves them)", strings.Join(state.Unapproved[:min(len(state.Unapproved), 5)], ", "), state.Name)
	}
	if state.Err != "" {
		text += "\n  " + tools.Visible(messages.ForPeople(state.Err))
	}
	return text
}

// Hooks implements [command.Host].
func (h extensions) Hooks(context.Context) string {
	told := h.renewed()
	table, err := hookTableOf(h.parts.world, h.parts.opts)
	if err != nil {
		return told + err.Error()
	}
	return told + strings.Join(table.lines(), "\n")
}

// renewed takes up what changed, for a command, and says it.
func (h extensions) renewed() (text string) {
	for _, notice := range h.parts.system.Renew() {
		text += tools.Visible(messages.ForPeople(notice.Text)) + "\n"
	}
	return text
}
