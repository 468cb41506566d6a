package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

type mcpServe struct {
	Tools []string `long:"tools" value-name:"NAME,…" description:"offer only these tools"`
}

// Run serves Marvin's tools to another agent. Anyone could be behind a request, so requests have
// only the rights of a headless run that has read untrusted text.
func (c mcpServe) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	guarded, err := app.Guard(world, opts)
	if err != nil {
		return err
	}
	world, home, sandbox := guarded.World, guarded.Home, guarded.Sandbox
	defer func() { _ = sandbox.Close() }()
	client, err := world.Client(guarded.Settings)
	if err != nil {
		return err
	}
	readOnly, err := tools.ReadOnly(world.Environ)
	if err != nil {
		return err
	}
	env, err := app.DirectEnv(world, home, opts.WorkingDir)
	if err != nil {
		return err
	}
	mode := tools.Mode{Coding: true, ReadOnly: readOnly, Agent: true}
	env.Approved, env.Agent, env.ReadOnly, env.Sandbox, env.Root, env.Approval = false, true, readOnly, sandbox, env.Dir, messages.Approval(opts.Approve)
	env.Environ, env.Known, env.Tainted = tools.WithMode(env.Environ, mode), &tools.KnownHosts{}, "the agent that calls"
	registry := extensions.NewRegistry(home, client, world.Now)
	offers, err := c.offers(registry, mode, guarded.Permissions, env)
	if err != nil {
		return err
	}
	return mcp.Serve(ctx, io.NopCloser(world.Stdin), noClose{world.Stdout}, world.Version, offers)
}

type noClose struct{ io.Writer }

func (noClose) Close() error { return nil }

// offers collects the tools that other agents can call.
func (c mcpServe) offers(registry *toolbox.Registry, mode tools.Mode, permissions *tools.Permissions, env tools.Env) (offers []mcp.Offer, err error) {
	only := extensions.CommaList(c.Tools)
	for _, name := range only {
		if _, err := registry.Find(strings.TrimSpace(name), mode); err != nil {
			return nil, cli.UserError(err)
		}
	}
	for _, tool := range registry.ToolsFor(mode) {
		if len(only) > 0 && !slices.Contains(only, tool.Name) || tool.Pool == tools.Agent || tool.Name == "find_tools" {
			continue // skip tools that were not requested or that need a conversation
		}
		schema, err := tool.Schema()
		if err != nil {
			return nil, err
		}
		offers = append(offers, mcp.Offer{
			Name: tool.Name, Doc: tool.Doc, Schema: schema, Reads: tool.Effect == tools.Reads,
			Call: func(ctx context.Context, arguments json.RawMessage, progress func(string)) (string, error) {
				return serveCall(ctx, tool, permissions, env, arguments, progress)
			},
		})
	}
	return offers, nil
}

// serveCall runs another agent's tool call if permissions.Judge allows the call.
func serveCall(ctx context.Context, tool tools.Tool, permissions *tools.Permissions, env tools.Env, arguments json.RawMessage, progress func(string)) (string, error) {
	call, err := tool.Decode(arguments)
	if err != nil {
		return "", err
	}
	env.Progress = progress
	asks := false
	if call.Confirm != nil {
		title, _ := call.Confirm(env)
		asks = title != ""
	}
	verdict := permissions.Judge(call, env, arguments, asks)
	if verdict.Decision != tools.Allow {
		return "", tools.Refused(verdict, call)
	}
	env.Beyond, env.Writes = verdict.Beyond, verdict.Writes
	ctx, stop := context.WithTimeoutCause(ctx, call.Timeout, tools.ErrDeadline)
	defer stop()
	output, err := call.Run(ctx, env)
	text, _ := tools.ResultLimits.Cut(output.Text)
	if tool.Foreign() {
		text = messages.Frame("", tools.Unhidden(text))
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return text, err
}
