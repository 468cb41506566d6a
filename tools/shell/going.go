package shell

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// movedCommand holds the process and the output of a command that continues as a job.
type movedCommand struct {
	*proc.Away
	spool *tools.Spool
}

func (g movedCommand) Process() tools.Process { return tools.Process(g.Identity) }

func (g movedCommand) Divert(to io.Writer) error { return g.spool.Divert(to) }

// continueAsJob starts a job for a command that was moved to the background. If the job does not
// start, continueAsJob stops the command.
func continueAsJob(ctx context.Context, env tools.Env, in commandArgs, running movedCommand, so proc.Result, open bool) (tools.Output, tools.Job, error) {
	job, err := env.Jobs.Start(ctx, tools.JobWish{
		Kind: tools.JobCommand, Title: title(in.Command), Dir: env.Dir, Shell: in.Command, Environ: env.Environ, Going: running, Open: open,
	})
	if err != nil { // without a job, nothing supervises the command
		running.End()
		return tools.Output{}, job, fmt.Errorf("the command was moved to the background but could not continue there, so all its processes were stopped: %w", err)
	}
	text, _ := readBoth(so.Stdout, so.Stderr, ends).withinLimits(part(ends, 2))
	text = cmp.Or(text, "(no output yet)\n")
	text += fmt.Sprintf("[The command was moved to the background: it continues as job %s, and all its output is in %s. It has no time limit there, and ends when Marvin ends. You will get a report when it ends; do not run it again. The jobs tool shows the job's new output, waits for the job or cancels it.]\n", job.ID, job.Log)
	return tools.Output{Text: text + env.LastWord(""), Offer: []string{"jobs"}, Job: job.ID}, job, nil
}
