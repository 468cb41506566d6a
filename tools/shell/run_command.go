package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// grace is added to a command's timeout, so that the call can stop the command and read the
// remaining output.
const grace = proc.DefaultGrace + proc.Drain + time.Second

// longestCommand is the maximum length of a command in bytes. Linux accepts 128 KB for one
// argument.
const longestCommand = 120 << 10

type commandArgs struct {
	Command    string `json:"command" doc:"Command line for bash (or sh, if the system has no bash)" sent:"" example:"go test ./..." alias:"cmd"`
	Timeout    int    `json:"timeout" doc:"Time limit in seconds, 1 to 600" sent:"Seconds, at most 600" default:"60" min:"1" max:"600" limits:"time" alias:"timeout_seconds"`
	Cwd        string `json:"cwd" doc:"Directory to run in, below the working directory" sent:"" default:"" alias:"workdir,working_dir,working_directory,dir,directory"`
	Background bool   `json:"background" doc:"Return at once with a job id, and run the command without a time limit (see the jobs tool)" sent:"Return at once with a job id. See jobs" default:"false" alias:"run_in_background"`
	Input      bool   `json:"input" doc:"Let job_input write to standard input; needs \"background\"" sent:"job_input can write to it" default:"false"`
}

// Tools returns the tools of this category.
func Tools() []tools.Tool {
	return []tools.Tool{tools.WithOutline("Run a line in bash (or sh); returns output and exit code. "+
		"Each call starts a new shell: cd and variables do not last. There is no terminal and no input: use flags that avoid questions (-y, --no-pager, -m). "+
		"Variables that hold keys or tokens are unset. Use \"${dir:?}\" where an unset variable is dangerous. In the sandbox, /tmp is private and lost when Marvin ends: put no results there. "+
		"Start servers and long work with background: true, never with &.", tools.New(tools.Def[commandArgs]{
		Name: "run_command",
		Doc: "Run a shell command in the working directory. Returns its output and exit code. " +
			"Each call starts a new shell: cd and variables do not last. There is no terminal and no input, so use flags that avoid questions (-y, --no-pager, -m). " +
			"Variables that hold keys or tokens are unset. Use \"${dir:?}\" where an unset variable is dangerous. " +
			"In the sandbox, /tmp is private and lost when Marvin ends, so write results to the working directory. " +
			"Start servers and long work with background: true, never with &.",
		Examples: []string{"run {go version|command}", "run the command {make test|command}", "execute {ls -la|command} in the shell"},
		Core:     true, Needs: tools.Needs{Coding: true}, Leaves: true, Effect: tools.Irreversible, Access: tools.Shared, Pool: tools.Command,
		Timeout:    time.Minute + grace,
		TimeoutFor: func(in commandArgs) time.Duration { return in.limit() + grace },
		Confirm:    confirm,
		Places:     places,
		Dirs:       func(in commandArgs) []string { return []string{in.Cwd} },
		Command:    func(in commandArgs) string { return in.Command },
		Run:        run,
	}))}
}

func (in commandArgs) limit() time.Duration { return time.Duration(in.Timeout) * time.Second }

// Try runs the program "true" in the same way as a call's command. If that fails, Try returns the
// reason.
func Try(ctx context.Context, env tools.Env) error {
	cell, err := env.Jail()
	if err != nil {
		return err
	}
	_, err = proc.Run(ctx, proc.Command{Name: "true", Dir: env.Dir, Environ: env.Environ, Jail: cell})
	return tools.AdviseUnconfined(err)
}

func confirm(env tools.Env, in commandArgs) (title, detail string) {
	if env.Dir == "" {
		return "", "" // the command will not run
	}
	title = "Run this command?"
	if in.Background {
		title = "Run this command in the background?"
	}
	dir := env.Dir
	if in.Cwd != "" {
		if named, err := env.Directory(in.Cwd); err == nil {
			dir = named
		}
	}
	return title, tools.Visible(in.Command) + "\nin " + tools.Visible(dir)
}

func run(ctx context.Context, env tools.Env, in commandArgs) (tools.Output, error) {
	if strings.TrimSpace(in.Command) == "" {
		return tools.Output{}, errors.New("the command is empty")
	}
	if strings.ContainsRune(in.Command, 0) {
		return tools.Output{}, errors.New("the command contains a NUL byte, which no shell accepts")
	}
	if len(in.Command) > longestCommand {
		return tools.Output{}, tools.Advise(fmt.Errorf("the command is %d KB long, more than the system's limit of %d KB", len(in.Command)>>10, longestCommand>>10),
			"Write the text into a file with create_file, then run a short command.")
	}
	dir, err := env.Open() // if no directory is set, the error says what to do
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	if in.Cwd != "" {
		if env.Dir, err = env.Enter(in.Cwd); err != nil {
			return tools.Output{}, err
		}
	}
	if err := stopsHalfway(env, in.Command); err != nil {
		return tools.Output{}, err
	}
	if in.Background {
		return background(ctx, env, in)
	}
	told := &refusedHosts{env: env}
	env.Told = told.add
	cell, err := env.Jail()
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
	ctx, cancel := context.WithTimeoutCause(ctx, in.limit(), tools.ErrDeadline)
	defer cancel()
	started := env.Now()
	heard := &recent{tell: env.Progress, since: func() time.Duration { return env.Now().Sub(started) }}
	printed := &outputSink{spool: env.NewSpool("run_command", title(in.Command)), recent: heard}
	result, err := proc.Run(ctx, proc.Command{
		Shell: in.Command, Dir: env.Dir, Environ: env.Environ, Jail: cell, Shown: env.ReadableDirs(), Unattended: true, Combined: printed, Away: env.Away, TidyLater: true,
		Progress: func(string) { heard.pass() },
	})
	took := env.Now().Sub(started)
	if away := (*proc.Away)(nil); before != nil && (len(result.Left) > 0 || errors.As(err, &away)) {
		before.InBackground(false)
	}
	lost := keepLost(env, before)
	if err == nil {
		handOver(env, result.Left, mayContactAnyHost(env, cell))
		held := ""
		if len(cell.Refused()) == 0 {
			held = explainFailure(cell, result)
		}
		text := report(result, took, printed) + terminalAdvice(in.Command, result) + held + lost + cell.Report() + sandboxNote(env, cell) + missed(env.Environ, in.Command, result)
		return tools.Output{Text: text, Held: held != "", Exit: result.ExitCode, Undo: tools.CannotUndo("other effects of the program are unknown")}, nil
	}
	if away := (*proc.Away)(nil); errors.As(err, &away) {
		output, job, err := continueAsJob(ctx, env, in, movedCommand{away, printed.spool}, result, mayContactAnyHost(env, cell))
		if err == nil {
			told.setJob(job, false)
		}
		return output, err
	}
	var waits *proc.WaitError
	switch partial := "Output until then:\n" + report(result, took, printed) + lost; {
	case errors.As(err, &waits):
		return tools.Output{}, tools.Advise(fmt.Errorf("%w; every process of the command was stopped", waits), "%s\n%s", alternative(waits.Program), partial)
	case ctx.Err() == nil:
		return tools.Output{}, tools.AdviseUnconfined(err) // the command did not start
	case errors.Is(err, tools.ErrDeadline):
		return tools.Output{}, tools.Advise(fmt.Errorf("timed out after %s; every process of the command was stopped (%w)", in.limit(), tools.ErrDeadline),
			"Give a longer \"timeout\" (up to 600), or start it with \"background\": true.\n%s", partial)
	default:
		return tools.Output{}, tools.Advise(fmt.Errorf("interrupted; every process of the command was stopped (%w)", context.Cause(ctx)), "%s", partial)
	}
}

// explainFailure explains how the sandbox may have caused a failure.
func explainFailure(cell *jail.Jail, result proc.Result) string {
	if result.ExitCode == 0 {
		return ""
	}
	return cell.Note(result.ExitCode, result.Stderr.Text()+result.Stdout.Text())
}

// sandboxNote describes the restrictions that this system's sandbox lacks. It returns the note only
// once per conversation.
func sandboxNote(env tools.Env, cell *jail.Jail) string {
	const told = "the sandbox of this system"
	lacks := env.Sandbox.Lacks()
	if cell == nil || lacks == "" || env.Seen.Stale(told, nil) {
		return ""
	}
	env.Seen.Record(told, []byte(lacks))
	return "[sandbox: " + lacks + "]\n"
}
