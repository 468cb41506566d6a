package schedule

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/permissions"
	"marvin/cmd/marvin/internal/cli/tool"
	"marvin/cmd/marvin/internal/talk"
	"marvin/messages"
	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/schedule"
)

type performer struct{ world cli.World }

// Ask implements [schedule.Performer]. A run has the rights that are stored in its entry.
func (p performer) Ask(ctx context.Context, entry schedules.Entry, prompt messages.Prompt, session string) (answer schedule.Answer) {
	world, opts, err := p.rights(entry)
	if err != nil {
		return schedule.Answer{Err: err.Error()}
	}
	opts.Session = cli.ConversationName(session)
	var out bytes.Buffer
	world.Stdout = &out
	result := talk.RunPrompt(ctx, world, opts, prompt)
	var object struct {
		Text string  `json:"text"`
		Cost float64 `json:"cost"`
	}
	_ = json.Unmarshal(out.Bytes(), &object) // if there is no object, result.Err contains the reason
	answer = schedule.Answer{Text: strings.TrimSpace(object.Text), Session: session, Cost: object.Cost, Err: result.Err}
	if result.Outcome != messages.Completed && answer.Err == "" {
		answer.Err = "it ended early: " + string(result.Outcome)
	}
	return answer
}

func (p performer) rights(entry schedules.Entry) (cli.World, cli.Options, error) {
	world := p.world
	world.Stdin, world.Stderr, world.Dir = nil, new(bytes.Buffer), entry.Dir
	opts := cli.Options{
		NonInteractive: true, WorkingDir: entry.Dir, Output: "json", Provider: entry.Asks.Provider, Model: entry.Asks.Model,
		MaxCost: entry.Asks.Cost, MaxRounds: entry.Asks.Rounds, MaxTime: entry.Asks.Time,
	}
	if _, err := cli.WorkingDir(world, opts); err != nil {
		return world, opts, err
	}
	world = world.DistrustDirs(opts)
	switch may := entry.May; {
	case !may.Write && !may.Run && !may.Send:
		world.Environ = onlyReading(world.Environ)
	case may.Run || may.Send:
		opts.Approve = string(messages.ApproveAuto)
	default:
		opts.Approve = string(messages.ApproveEdits)
	}
	if entry.May.Run && !entry.May.Send {
		opts.Sandbox = string(tools.SandboxStrict)
	}
	opts.May = func(tool tools.Tool) bool { return allowed(tool, entry.May) }
	return world, opts, nil
}

func onlyReading(environ []string) []string {
	return append(slices.Clone(environ), "MARVIN_READONLY=1")
}

func allowed(tool tools.Tool, may schedules.Permissions) bool {
	switch {
	case !tool.Writes && !tool.Confirms && tool.Effect == tools.Reads:
		return true
	case slices.Contains(lastingTools, tool.Name):
		return false
	case tool.Pool == tools.Command || tool.Name == "job_input":
		return may.Run
	case tool.Pool == tools.Net || tool.Effect == tools.Outside:
		return may.Send
	}
	return may.Write || may.Run
}

// lastingTools lists the tools that would change the rights, models or prompts of later runs.
var lastingTools = []string{"schedule_prompt", "cancel_schedule", "switch_profile", "setup_google_auth", "spotify_auth"}

// Call implements [schedule.Performer].
func (p performer) Call(ctx context.Context, entry schedules.Entry) (string, error) {
	world := p.world
	var out bytes.Buffer
	world.Stdout, world.Stderr, world.Dir = &out, new(bytes.Buffer), entry.Dir
	world.Environ = onlyReading(world.Environ)                 // watchable() ignores MCP tools
	call := tool.Command{WorkingDir: entry.Dir, NoEmpty: true} // a condition must not match text such as "No file matches report*"
	call.Args.Name, call.Args.Values = permissions.ToolName(entry.Watch.Tool), []string{string(entry.Watch.Arguments)}
	err := cli.UserError(call.Call(ctx, world.DistrustDirs(cli.Options{WorkingDir: entry.Dir})))
	if errors.Is(err, cli.ErrReported) { // the output contains the error
		err = nil
	}
	return out.String(), err
}

// WatchEnv implements [schedule.Performer]. It takes the sandbox mode from the entry, so a later
// change to the mode in config.yaml gives an existing watch no additional rights.
func (p performer) WatchEnv(entry schedules.Entry) (env tools.Env, err error) {
	entry.May.Run = true // a watch's command is always permitted; the stored May.Run applies only to the prompt
	world, opts, err := p.rights(entry)
	if err != nil {
		return env, err
	}
	if off, err := tools.ReadOnly(p.world.Environ); off || err != nil {
		return env, cmp.Or(err, errors.New("MARVIN_READONLY=1 is set, so no command runs"))
	}
	opts.Sandbox = string(tools.SandboxStrict)
	if entry.May.Send {
		opts.Sandbox = string(tools.SandboxWorkspace)
	}
	guarded, err := app.Guard(world, opts)
	if err != nil {
		return env, err
	}
	if env, err = app.DirectEnv(guarded.World, guarded.Home, entry.Dir); err != nil {
		return env, err
	}
	env.Sandbox, env.Root = guarded.Sandbox, env.Dir
	return env, nil
}
