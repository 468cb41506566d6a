package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// background executes a command without waiting for it.
func background(ctx context.Context, env tools.Env, in commandArgs) (tools.Output, error) {
	if env.Jobs == nil {
		return tools.Output{}, tools.Advise(errors.New("background work is not available here"), "Run it without \"background\".")
	}
	told := &refusedHosts{env: env}
	beside := env.Background(told.job, told.add)
	cell, err := beside.Jail()
	if err != nil {
		return tools.Output{}, err
	}
	before, err := makeCopies(env, in.Command)
	if err != nil {
		return tools.Output{}, errors.Join(errNotCopied, err)
	}
	if err := irretrievable(ctx, env, before, in.Command); err != nil {
		_ = keepLost(env, before)
		return tools.Output{}, err
	}
	if before != nil {
		before.InBackground(true)
	}
	job, err := env.Jobs.Start(ctx, tools.JobWish{
		Kind: tools.JobCommand, Title: title(in.Command), Dir: env.Dir, Shell: in.Command, Environ: env.Environ, Jail: cell, Shown: env.ReadableDirs(), Input: in.Input, Open: mayContactAnyHost(env, cell),
	})
	if err != nil {
		return tools.Output{}, tools.AdviseUnconfined(err)
	}
	told.setJob(job, true)
	more := ""
	if in.Input {
		more = " job_input writes to it."
	}
	if cell.HasNetwork() {
		more += " After Marvin ends, the job cannot open new connections."
	}
	text := fmt.Sprintf("Job %s runs in the background (pid %d); its output goes to %s. You will get a report when it ends. The jobs tool shows the job's output, waits for the job or cancels it.", job.ID, job.PID, job.Log) + more
	return tools.Output{Text: text + env.LastWord(" ") + "\n", Offer: []string{"jobs"}, Job: job.ID}, nil
}

// refusedHosts collects the hosts that a command was not allowed to contact. Once the command is a
// job, the hosts are shown with the job.
type refusedHosts struct {
	env   tools.Env
	mu    sync.Mutex
	is    *tools.Job // nil until the job is known
	early []string   // the hosts that were refused before the job was known
}

// mayContactAnyHost reports whether a command runs in a jail that lets it contact any host, even
// after private or untrusted text arrives. For an unconfined command, it returns false: the user
// already knows that nothing restricts the command.
func mayContactAnyHost(env tools.Env, cell *jail.Jail) bool {
	return env.Tainted == "" && cell != nil && cell.Open()
}

func (r *refusedHosts) job() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.is == nil {
		return ""
	}
	return r.is.ID
}

// add puts a refused host into the job table and into the job's output. Before setJob is called,
// add appends the host to r.early instead.
func (r *refusedHosts) add(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.is == nil {
		r.early = append(r.early, host)
		return
	}
	r.env.Jobs.Refused(r.is.ID, host)
	file, err := os.OpenFile(r.is.Log, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return // the job table shows the host
	}
	defer file.Close()
	_, _ = file.WriteString(r.env.HostRefused(host))
}

// setJob stores the job, and adds the hosts in r.early to the job table. If inOutput is true,
// setJob also writes these hosts to the job's output. Otherwise, the call's result lists them.
func (r *refusedHosts) setJob(job tools.Job, inOutput bool) {
	r.mu.Lock()
	r.is = &job
	hosts := r.early
	r.mu.Unlock()
	for _, host := range hosts {
		if inOutput {
			r.add(host)
		} else {
			r.env.Jobs.Refused(job.ID, host)
		}
	}
}

func title(command string) string {
	const most = 120
	line := strings.Join(strings.Fields(tools.Visible(command)), " ")
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	return line
}

// handOver registers jobs for the processes that outlived a command, so that the user can see and
// end these processes. If anyHost is true, the processes can contact any host.
func handOver(env tools.Env, left []proc.Process, anyHost bool) {
	if env.Jobs == nil || len(left) == 0 {
		return
	}
	all := make([]tools.LeftProcess, len(left))
	for i, process := range left {
		all[i] = tools.LeftProcess{Open: anyHost, Command: title(process.Command), Process: tools.Process{PID: process.PID, Started: process.Started, Mark: process.Mark}}
	}
	env.Jobs.AddLeft(env.Dir, all)
}
