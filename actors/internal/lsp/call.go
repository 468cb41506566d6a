package lsp

import (
	"context"
	"errors"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/mail"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/language"
)

// At the end of a call, language servers check the files that the call wrote.

// ClientFor returns a client for the conversation. It returns nil if the conversation has no
// directory or if config.Languages is nil.
func ClientFor(c actor.Context, config *conv.Setup, conversation *conv.LiveConversation, jobs, session *actor.PID) *Client {
	if conversation.Dir == "" || config.Languages == nil {
		return nil
	}
	top := conversation.Dir
	if place := conversation.Root; place != "" && (top == place || strings.HasPrefix(top, place+"/")) {
		top = place
	}
	return &Client{
		root: c.ActorSystem().Root, table: TableBeside(jobs), session: session, set: config.Languages, limit: config.Tuning.Problems,
		on: language.Ground{Version: config.Version, Environ: config.Environ, Sandbox: config.Sandbox, Top: top},
	}
}

// TableBeside returns the actor that owns the language servers. That actor and the jobs actor have
// the same parent, so their ids differ only in the last part.
func TableBeside(jobs *actor.PID) *actor.PID {
	return actor.NewPID(jobs.Address, strings.TrimSuffix(jobs.Id, "jobs")+LanguagesName)
}

// Problems returns the problems that language servers find in the written files, and adds them to
// the output. It formats the files before the check. The requests to the servers take at most
// d.limit in total.
func (d *Client) Problems(ctx context.Context, tool *tools.Tool, env tools.Env, output tools.Output) (tools.Output, []messages.CodeProblem) {
	if d == nil || ctx.Err() != nil {
		return output, nil
	}
	limited, stop := context.WithTimeout(ctx, d.limit)
	defer stop()
	output = d.formatFiles(ctx, limited, tool, env, output)
	found := d.Found(limited)
	if text := found.Text(); text != "" {
		output.Text = strings.TrimRight(output.Text, "\n") + "\n" + tools.Visible(text)
	}
	return output, found.All()
}

// Found returns the problems in the files that were written, and reports the problems to the
// session.
func (d *Client) Found(ctx context.Context) (found language.Findings) {
	d.mu.Lock()
	files := language.MergeChanges(d.wrote)
	d.mu.Unlock()
	if len(files) == 0 {
		return found
	}
	ctx, stop := context.WithTimeout(ctx, d.limit)
	defer stop()
	for _, part := range d.set.Parts(files, d.on) {
		if part.Wish.Program == "" {
			found.AddSyntax(part.Files, d.on.Top)
			continue
		}
		d.check(ctx, part, &found)
	}
	if len(found.Files) > 0 {
		d.root.Send(d.session, mail.Diagnosed{Files: found.Files})
	}
	return found
}

// RecordRun makes the language servers check the disk for changed files. It does nothing if the
// tool only reads, or if the call's changes are known.
func (d *Client) RecordRun(tool *tools.Tool) {
	if d == nil || tool.Effect <= tools.Reads {
		return
	}
	d.mu.Lock()
	known := len(d.wrote) > 0
	d.mu.Unlock()
	if !known {
		d.root.Send(d.table, DoubtFiles{})
	}
}

func (d *Client) check(ctx context.Context, part language.Assignment, found *language.Findings) {
	report := language.Report{Late: true}
	session, err := (*language.Session)(nil), d.refused[part.Wish.Key()]
	if err == nil {
		session, err = d.lease(ctx, wantLanguage{wish: part.Wish, problems: true}, nil)
	}
	if err == nil {
		report, err = session.Check(ctx, part.Files)
	}
	switch {
	case err != nil && !errors.Is(err, errBehind) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ctx.Err()):
		found.AddSyntax(part.Files, d.on.Top)
		return // the command /lsp shows the server's error
	case err != nil:
		report = language.Report{Late: true}
	}
	found.Add(part.Wish.Server.Name, report)
	if report.Late {
		paths := lists.Map(part.Files, func(file language.File) string { return file.Path })
		d.root.Send(d.table, lateCheck{wish: part.Wish, on: d.on, files: paths, to: d.session})
	}
}
