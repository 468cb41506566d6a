package main

import (
	"context"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/ui/command"
	"marvin/ui/slash"
)

// Prompts of MCP servers are commands: /mcp:SERVER:PROMPT. The list is from a server's last run, so
// that completing a name starts nothing.

// promptMark is their prefix.
const promptMark = "mcp:"

// serverPrompts are those of the servers that are used.
func serverPrompts(p *parts) (all []slash.Written) {
	for _, name := range serverNames(p.system.Entries()) {
		for _, one := range promptsOf(p, name) {
			all = append(all, slash.Written{Name: "/" + promptMark + name + ":" + one.Name, Hint: one.Usage(), Description: tools.Visible(one.Doc)})
		}
	}
	return all
}

func promptsOf(p *parts, name string) []mcp.Prompt {
	server := p.system.Entries()[name]
	if server.Off {
		return nil
	}
	manifest, known, err := mcp.Known(p.config.Home, name, server)
	if err != nil || !known {
		return nil
	}
	return manifest.Prompts
}

// askServer gets the text of a prompt. It is always untrusted.
func askServer(ctx context.Context, p *parts, of, arguments string) (command.Asked, error) {
	server, name, _ := strings.Cut(of, ":")
	for _, prompt := range promptsOf(p, server) {
		if prompt.Name != name {
			continue
		}
		session, err := p.system.Session(ctx, server)
		if err != nil {
			return command.Asked{}, err
		}
		text, err := session.Prompt(ctx, prompt, arguments)
		return command.Asked{Prompt: messages.Ask(messages.By(messages.Stranger, text, "the MCP server "+server))}, err
	}
	return command.Asked{}, command.ErrNotWritten
}
