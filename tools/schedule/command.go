package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/when"
)

// A watch can have two commands: the first is observed, and the second runs after a report. Both
// run in the sandbox, with the rights that the user confirmed.

// commandTool is the name of the tool that a watch uses to observe a command.
const commandTool = "run_command"

// keptOutput is the maximum number of bytes of a command's output that are kept.
const keptOutput = 64 << 10

func watched(watch *schedules.Watch) string {
	if watch == nil || watch.Tool != commandTool {
		return ""
	}
	var in struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(watch.Arguments, &in) // checkWatchedCommand checked the arguments when the watch was added
	return in.Command
}

func checkWatchedCommand(watch *schedules.Watch) error {
	var in map[string]string
	if err := json.Unmarshal(watch.Arguments, &in); err != nil || len(in) != 1 || strings.TrimSpace(in["command"]) == "" {
		return tools.Advise(errors.New("in a watch, run_command takes only the argument \"command\""), `Write marvin watch add 'run_command command="make test"' --when fails. --max-time sets its timeout.`)
	}
	return nil
}

func commands(entry schedules.Entry) (lines []string) {
	if line := watched(entry.Watch); line != "" {
		lines = append(lines, line)
	}
	if entry.Watch != nil && entry.Watch.Run != "" {
		lines = append(lines, entry.Watch.Run)
	}
	return lines
}

// CheckCommands returns an error if the sandbox cannot run an entry's commands.
func CheckCommands(entry schedules.Entry, do Performer) error {
	for _, line := range commands(entry) {
		if strings.ContainsRune(line, 0) || len(line) > 64<<10 {
			return errors.New("the command is longer than 64 KB or contains a NUL byte, which no shell accepts")
		}
	}
	if len(commands(entry)) == 0 {
		return nil
	}
	env, err := do.WatchEnv(entry)
	if err != nil {
		return err
	}
	_, err = cell(env, entry)
	return errors.Join(err, env.Sandbox.Close())
}

// cell returns the jail for an entry's commands.
func cell(env tools.Env, entry schedules.Entry) (*jail.Jail, error) {
	held, err := env.JailAlways(env.Root)
	switch {
	case errors.Is(err, jail.ErrPlace):
		return nil, tools.Advise(fmt.Errorf("the command was not run: %w", err), "Create the watch in the directory of a project: go there with cd, or add --working-dir PATH.")
	case err != nil:
		return nil, tools.Advise(fmt.Errorf("the command was not run: %w", err), "A watch runs commands only in the sandbox; \"marvin doctor\" says what the sandbox needs.")
	case entry.May.Send:
		return held, nil
	}
	return held.WithoutNetwork(), nil
}

// execute invokes one of an entry's commands. The values are environment variables in the form
// "NAME=value", so the shell does not parse their text.
func (s *Service) execute(ctx context.Context, do Performer, entry schedules.Entry, line string, values ...string) (output string, exit int, err error) {
	env, err := do.WatchEnv(entry)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, env.Sandbox.Close()) }()
	held, err := cell(env, entry)
	if err != nil {
		return "", 0, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, entry.Asks.Time, tools.ErrDeadline)
	defer stop()
	result, err := proc.Run(ctx, proc.Command{
		Shell: "exec 2>&1\n" + line, Dir: entry.Dir, Environ: env.Environ, Jail: held, Unattended: true, Ends: true, Limit: keptOutput,
		Env: append([]string{"MARVIN_WATCH=" + entry.ID}, values...),
	})
	output = strings.TrimSpace(result.Stdout.Text())
	if errors.Is(err, tools.ErrDeadline) {
		err = fmt.Errorf("the command was stopped after %s; to change this limit, use --max-time", when.Length(entry.Asks.Time.Round(time.Second)))
	}
	return output, result.ExitCode, err
}

// runCommand runs the watch's command after a report. The returned run contains the command's
// output and any error.
func (s *Service) runCommand(ctx context.Context, do Performer, entry schedules.Entry, run schedules.Run) schedules.Run {
	value := func(text string) string { return strings.ReplaceAll(text, "\x00", "") }
	said, exit, err := s.execute(ctx, do, entry, entry.Watch.Run, "MARVIN_WATCH_OLD="+value(run.Old), "MARVIN_WATCH_NEW="+value(run.New))
	if err == nil && exit != 0 {
		err = fmt.Errorf("the command ended with exit code %d", exit)
	}
	if err == nil {
		said = strings.TrimSpace("the command ran (exit code 0)\n" + said)
	}
	run.Text = strings.TrimSpace(run.Text + "\n\n" + said)
	if err != nil {
		run.Error = strings.TrimPrefix(run.Error+"; "+err.Error(), "; ")
	}
	return run
}

// call makes the tool call of a watch. exit is the exit code of the observed command, or 0 if the
// watch observes no command.
func (s *Service) call(ctx context.Context, do Performer, entry schedules.Entry) (result string, exit int, err error) {
	line := watched(entry.Watch)
	if line == "" {
		result, err = do.Call(ctx, entry)
		return result, 0, err
	}
	result, exit, err = s.execute(ctx, do, entry, line)
	return strings.TrimSpace(fmt.Sprintf("%s\nexit code: %d", result, exit)), exit, err
}
