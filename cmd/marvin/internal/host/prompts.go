package host

import (
	"context"
	"strings"

	"marvin/cmd/marvin/internal/app"
	climcp "marvin/cmd/marvin/internal/cli/mcp"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/ui/command"
	"marvin/ui/slash"
)

// Each prompt of an MCP server is available as a command, "/mcp:SERVER:PROMPT". The stored
// manifests contain the names of the prompts, so completion does not start a server.

// promptMark follows the slash in the commands for MCP prompts.
const promptMark = "mcp:"

// serverPrompts returns the prompts of the enabled servers as commands.
func serverPrompts(p *app.App) (all []slash.WrittenCommand) {
	for _, name := range climcp.ServerNames(p.System.Servers.Entries()) {
		for _, one := range promptsOf(p, name) {
			all = append(all, slash.WrittenCommand{Name: "/" + promptMark + name + ":" + one.Name, Hint: one.Usage(), Description: tools.Visible(one.Doc)})
		}
	}
	return all
}

func promptsOf(p *app.App, name string) []mcp.Prompt {
	server := p.System.Servers.Entries()[name]
	if server.Off {
		return nil
	}
	manifest, known, err := mcp.ReadManifest(p.Config.Home, name, server)
	if err != nil || !known {
		return nil
	}
	return manifest.Prompts
}

// askServer gets the text of a prompt from its server. The text is always untrusted.
func askServer(ctx context.Context, p *app.App, of, arguments string) (command.Submission, error) {
	server, name, _ := strings.Cut(of, ":")
	for _, prompt := range promptsOf(p, server) {
		if prompt.Name != name {
			continue
		}
		session, err := p.System.Servers.Connect(ctx, server)
		if err != nil {
			return command.Submission{}, err
		}
		text, err := session.Prompt(ctx, prompt, arguments)
		return command.Submission{Prompt: messages.Ask(messages.NewAuthored(messages.Stranger, text, "the MCP server "+server))}, err
	}
	return command.Submission{}, command.ErrNotWritten
}
