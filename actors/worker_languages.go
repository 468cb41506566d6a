package actors

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/language"
)

// The last phase of a call that writes files: what language servers say of them.

// problemsLimit is how long a call waits for it.
const problemsLimit = 3 * time.Second

// languagesOf makes what a call may ask language servers by; nil outside of coding.
func languagesOf(w *worker, c actor.Context) *languageClient {
	if !w.mode.Coding || w.conversation.Dir == "" || w.config.Languages == nil {
		return nil
	}
	top := w.conversation.Dir
	if place := w.conversation.Root; place != "" && (top == place || strings.HasPrefix(top, place+"/")) {
		top = place
	}
	return &languageClient{
		root: c.ActorSystem().Root, table: actor.NewPID(w.jobs.Address, strings.TrimSuffix(w.jobs.Id, "jobs")+languagesName), session: w.session, set: w.config.Languages,
		on: language.Ground{Version: w.config.Version, Environ: w.config.Environ, Sandbox: w.config.Sandbox, Top: top},
	}
}

// problems asks about what the call wrote, at most for [problemsLimit].
func (d *languageClient) problems(ctx context.Context, output tools.Output) (tools.Output, []messages.CodeProblem) {
	if d == nil {
		return output, nil
	}
	d.mu.Lock()
	files := language.Written(d.wrote)
	d.mu.Unlock()
	if len(files) == 0 || ctx.Err() != nil {
		return output, nil
	}
	ctx, stop := context.WithTimeout(ctx, problemsLimit)
	defer stop()
	var found language.Findings
	for _, part := range d.set.Parted(files, d.on) {
		if part.Wish.Program == "" {
			found.Problems = append(found.Problems, language.Syntax(part.Files, d.on.Top)...)
			continue
		}
		d.check(ctx, part, &found)
	}
	if text := found.Text(); text != "" {
		output.Text = strings.TrimRight(output.Text, "\n") + "\n" + tools.Visible(text)
	}
	return output, found.All()
}

func (d *languageClient) check(ctx context.Context, part language.Part, found *language.Findings) {
	report := language.Report{Late: true}
	session, err := d.lease(ctx, part.Wish, nil)
	if err == nil {
		report, err = session.Check(ctx, part.Files)
	}
	switch {
	case err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ctx.Err()):
		found.Problems = append(found.Problems, language.Syntax(part.Files, d.on.Top)...)
		return // /lsp says what is wrong with the server
	case err != nil:
		report = language.Report{Late: true}
	}
	found.Add(part.Wish.Server.Name, report)
	if report.Late {
		var paths []string
		for _, file := range part.Files {
			paths = append(paths, file.Path)
		}
		d.root.Send(d.table, lateCheck{wish: part.Wish, on: d.on, files: paths, to: d.session})
	}
}
