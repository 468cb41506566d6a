package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Sessions manages the connections to servers and stores the user's approvals.
type Sessions interface {
	// Session returns the connection to a server, and starts the server if necessary.
	Session(ctx context.Context, name string, progress func(line string)) (*Session, error)
	// ReportLost discards a lost session. A later call to Sessions.Session reconnects.
	ReportLost(name string, session *Session)
	// Approve stores the user's approval of a tool's description.
	Approve(name string, tool Tool) error
	// Widen stores the user's consent to the rights that a server's program requested. The rights
	// apply from the next call.
	Widen(name string, wish Profile, session *Session) error
}

// defaultTimeout limits a call if the server's configuration sets no timeout.
const defaultTimeout = 60 * time.Second

// SourceName returns the display name of a server's tools.
func SourceName(server string) string { return "MCP server " + server }

// NewSource returns a server's tools for the registry. It also returns messages that tell the user
// which tools cannot be used.
func NewSource(name string, server settings.Server, manifest Manifest, sessions Sessions) (source toolbox.Source, problems []string) {
	source.Name = SourceName(name)
	for _, tool := range manifest.Tools {
		def := tools.Definition{
			Name: toolbox.ForeignName("mcp", name, tool.Name), Doc: tool.Doc, Schema: tool.Schema, Taken: true, Server: name,
			Pool: tools.Agent, Timeout: cmp.Or(server.Timeout, defaultTimeout), Brings: tools.Messages, OutsiderDoc: true,
		}
		if slices.Contains(server.Reads, "*") || slices.Contains(server.Reads, tool.Name) {
			def.Effect = tools.Reads
		}
		caller := caller{server: name, tool: tool, approved: manifest.Approved(tool), reads: def.Effect == tools.Reads, sessions: sessions}
		def.Run = caller.run
		made, err := tools.Raw(def)
		if err != nil {
			problems = append(problems, fmt.Sprintf("a tool of the server %s is left out, because Marvin cannot use it: %v", name, err))
			continue
		}
		source.Tools = append(source.Tools, made)
	}
	return source, firstLines(problems)
}

// A caller runs one tool of a server.
type caller struct {
	server          string
	tool            Tool
	approved, reads bool
	sessions        Sessions
}

// run executes a call. It repeats the call once after errForgotten, or if a read-only tool loses
// the connection. Any other call may already have had an effect.
func (c caller) run(ctx context.Context, env tools.Env, arguments json.RawMessage) (tools.Output, error) {
	if err := c.askApproval(ctx, env); err != nil {
		return tools.Output{}, err
	}
	for attempt := 1; ; attempt++ {
		session, err := c.sessions.Session(ctx, c.server, env.Progress)
		if err != nil {
			return tools.Output{}, tools.Advise(err, "Do without this tool. Tell the user: \"marvin mcp test %s\" shows what is wrong, and \"marvin mcp log %[1]s\" prints the server's output.", c.server)
		}
		output, err := session.Call(ctx, env, c.tool.Name, arguments)
		if !errors.Is(err, ErrLost) {
			output, err, again := c.handleWish(ctx, env, session, output, err)
			if !again || attempt > 1 {
				return output, err
			}
			continue
		}
		c.sessions.ReportLost(c.server, session)
		if !c.reads && !errors.Is(err, errForgotten) || attempt > 1 {
			return output, tools.Advise(err, "The effect of the call is unknown, so check before you repeat it. The next call starts the server again.")
		}
	}
}

// askApproval returns nil for an approved tool. For any other tool, it asks the user for approval.
func (c caller) askApproval(ctx context.Context, env tools.Env) error {
	if c.approved {
		return nil
	}
	refused := tools.Advise(fmt.Errorf("%w: %s of the server %s: %w", tools.ErrForbidden, c.tool.Name, c.server, errNotApproved),
		"Do without it. Tell the user to read its current description with \"marvin mcp tools %s\", and approve it with \"marvin mcp approve %[1]s\".", c.server)
	if env.Ask == nil || !env.Person {
		return refused
	}
	const yes, no = "use it", "do not use it"
	reply, err := env.Ask(ctx, tools.Inquiry{
		Kind: messages.AskChoice, Title: "A tool changed",
		Detail:    fmt.Sprintf("The tool %s of the MCP server %s is new, or its description has changed since your approval. A description can contain instructions for the model. The description is now:\n%s\n%s", tools.Visible(c.tool.Name), c.server, tools.Visible(c.tool.Doc), tools.Visible(string(c.tool.Schema))),
		Questions: []messages.Question{{Text: "Use this tool as it is now?", Options: []messages.Option{{Label: yes}, {Label: no}}, Default: []string{no}}},
	})
	if err != nil {
		return err
	}
	if reply.Unanswered != "" || reply.Choice != messages.Yes || len(reply.Chosen) == 0 || !slices.Contains(reply.Chosen[0].Options, yes) {
		return refused
	}
	return c.sessions.Approve(c.server, c.tool)
}
