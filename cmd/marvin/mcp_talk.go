package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

func (h extensions) servers(ctx context.Context, words string) (string, error) {
	fields := strings.Fields(words)
	if len(fields) == 0 {
		return listServers(ctx, h)
	}
	if len(fields) == 1 {
		if states := h.parts.system.Servers(ctx, fields[0]); len(states) == 1 {
			return serverText(states[0]) + "\n  " + heldServer(h, fields[0]), nil
		}
	}
	if len(fields) < 2 {
		return "", errors.New("usage: /mcp lists the servers; /mcp NAME tells of one; /mcp tools|log|restart|approve|read|accept NAME")
	}
	return h.doServer(ctx, strings.ToLower(fields[0]), fields[1], fields[2:])
}

func (h extensions) doServer(ctx context.Context, verb, name string, rest []string) (text string, err error) {
	var said bytes.Buffer
	world := h.parts.world
	world.Stdout, world.Stderr = &said, &said
	switch verb {
	case "restart", "test", "start":
		if err := h.parts.system.RestartServer(ctx, name); err != nil {
			return "", errors.New(messages.ForPeople(err.Error()))
		}
		return h.servers(ctx, name)
	case "log":
		if states := h.parts.system.Servers(ctx, name); len(states) > 0 {
			if states[0].Log == "" {
				return name + " said nothing besides its messages.", nil
			}
			return tools.Visible(strings.TrimRight(states[0].Log, "\n")), nil
		}
		return "", fmt.Errorf("there is no server called %s; /mcp lists them", tools.Visible(name))
	case "approve":
		manifest, err := mcp.ApproveAll(h.parts.config.Home, name, h.parts.system.Entries()[name])
		if err != nil {
			return "", err
		}
		h.parts.system.Reshelve(name)
		return fmt.Sprintf("%d tools of %s are approved as they describe themselves now. %s. What else it may do holds from its next start on (/mcp restart %[2]s).", len(manifest.Tools), name, heldServer(h, name)), nil
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
			text, err := s.accept(ctx, name)
			fmt.Fprintln(&said, text)
			fmt.Fprint(&said, h.renewed())
			return err
		}
		return fmt.Errorf("/mcp %s is not known; there are tools, log, restart, approve, read and accept", tools.Visible(verb))
	})
	return strings.TrimRight(said.String(), "\n"), err
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
	_, offers, err := projectServers(h.parts.config.Home, h.parts.dir, *h.parts.reading.own.Load())
	for _, one := range offers {
		lines = append(lines, fmt.Sprintf("%s: offered by %s, not started; /mcp accept %s uses it", one.told(), one.File, one.Name))
	}
	if len(lines) == 0 && err == nil {
		return "No MCP server is configured. marvin mcp add NAME -- COMMAND configures one.", nil
	}
	return strings.Join(lines, "\n"), err
}

func serverText(state actors.ServerState) string {
	text := fmt.Sprintf("%s: %s, %d tools", state.Name, state.State, state.Tools)
	if len(state.Unapproved) > 0 {
		text += fmt.Sprintf(", not approved as they are now: %s (/mcp tools %s shows them, /mcp approve %[2]s approves them)", strings.Join(state.Unapproved[:min(len(state.Unapproved), 5)], ", "), state.Name)
	}
	if state.Err != "" {
		text += "\n  " + tools.Visible(messages.ForPeople(state.Err))
	}
	return text
}
