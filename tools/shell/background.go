package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// background starts a command without waiting for it.
func background(ctx context.Context, env tools.Env, in commandArgs) (tools.Output, error) {
	if env.Jobs == nil {
		return tools.Output{}, tools.Advise(errors.New("background work is not available here"), "Run it without background.")
	}
	var begun atomic.Pointer[tools.Job]
	beside := env.Background(func() string { return nameOf(begun.Load()) }, nil, in.Input)
	beside.Told = func(host string) { tellLog(logOf(begun.Load()), beside, host) }
	cell, err := beside.Jail()
	if err != nil {
		return tools.Output{}, err
	}
	before, err := copied(env, in.Command)
	if err != nil {
		return tools.Output{}, errors.Join(errNotCopied, err)
	}
	if err := irretrievable(ctx, env, before, in.Command); err != nil {
		_ = destroyed(env, before)
		return tools.Output{}, err
	}
	if before != nil {
		before.InBackground(true)
	}
	job, err := env.Jobs.Start(ctx, tools.JobWish{
		Kind: tools.JobCommand, Title: title(in.Command), Dir: env.Dir, Shell: in.Command, Environ: env.Environ, Jail: cell, Shown: env.Shown(), Input: in.Input,
	})
	if err != nil {
		return tools.Output{}, tools.Unconfined(err)
	}
	begun.Store(&job)
	more := ""
	if in.Input {
		more = " job_input writes to it."
	}
	if cell.HasNetwork() {
		more += " When Marvin ends it can make no new connections."
	}
	text := fmt.Sprintf("Job %s runs in the background (pid %d), its output goes to %s. You will get a report when it ends. The jobs tool shows its output, waits for it or cancels it.", job.ID, job.PID, job.Log) + more
	return tools.Output{Text: text + env.LastWord(" ") + "\n", Offer: []string{"jobs"}, Job: job.ID}, nil
}

func nameOf(job *tools.Job) string {
	if job == nil {
		return ""
	}
	return job.ID
}

func logOf(job *tools.Job) *string {
	if job == nil {
		return nil
	}
	return &job.Log
}

// tellLog writes behind what a job put out that it may not speak to a host. A job without a
// file hears it from its connection alone.
func tellLog(log *string, env tools.Env, host string) {
	if log == nil {
		return
	}
	file, err := os.OpenFile(*log, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return
	}
	defer file.Close()
	_, _ = file.WriteString(env.HostRefused(host))
}

// title is a command in one line.
func title(command string) string {
	const most = 120
	line := strings.Join(strings.Fields(tools.Visible(command)), " ")
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	return line
}

// handOver makes what a command left running a job, which can be seen and ended.
func handOver(env tools.Env, left []proc.Process) {
	if env.Jobs == nil || len(left) == 0 {
		return
	}
	all := make([]tools.Left, len(left))
	for i, process := range left {
		all[i] = tools.Left{Command: title(process.Command), Process: tools.Process{PID: process.PID, Started: process.Started, Mark: process.Mark}}
	}
	env.Jobs.Left(env.Dir, all)
}
