package command

import "context"

// servers lists the MCP servers, or does with one what the words say.
func (e *Engine) servers(text string) {
	name := "look at the MCP servers"
	if text != "" {
		name = "/mcp " + text
	}
	e.beside(name, func(ctx context.Context) func() { return e.told(e.Host.Servers(ctx, text)) })
}

// languages lists the language servers, or does with one what the words say.
func (e *Engine) languages(text string) {
	e.beside("look at the language servers", func(ctx context.Context) func() { return e.told(e.Host.Languages(ctx, text)) })
}
