package packages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

const (
	perPackage = time.Minute
	beside     = 35 * time.Second // allowance for creating an environment and stopping the manager
	maxAtOnce  = 20
)

type installArgs struct {
	Packages []string `json:"packages" doc:"Package names, with versions if needed" alias:"package,names" example:"[\"requests\"]"`
	Dev      bool     `json:"dev" doc:"Install as development dependencies (npm, uv)" default:"false"`
	Manager  string   `json:"manager" doc:"Package manager; auto chooses one that fits the project's files" enum:"auto,npm,uv,pip,apt" default:"auto"`
}

// Tools returns the tools of this category.
func Tools() []tools.Tool {
	return []tools.Tool{tools.New(tools.Def[installArgs]{
		Name:     "install_packages",
		Effect:   tools.Irreversible,
		Doc:      "Install packages into the project with npm, uv or pip (in .venv, which is created if needed), or into the system with apt. Returns the result for each package.",
		Examples: []string{"install the package {requests|packages}", "add the npm package {lodash|packages} to the project"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Exclusive, Pool: tools.Command,
		Timeout: perPackage + beside,
		TimeoutFor: func(in installArgs) time.Duration {
			return time.Duration(min(max(len(in.names()), 1), maxAtOnce))*perPackage + beside
		},
		Confirm: confirm,
		Sends: func(_ tools.Env, in installArgs) (all []tools.Destination) {
			for _, name := range in.names() {
				all = append(all, tools.ToRepository(name)...)
			}
			return all
		},
		Run: install,
	})}
}

// names returns the package names. One string in Packages can contain several names.
func (in installArgs) names() []string { return strings.Fields(strings.Join(in.Packages, " ")) }

func confirm(env tools.Env, in installArgs) (title, detail string) {
	with, names, err := plan(env, in)
	if err != nil {
		return "", "" // the call will be refused
	}
	var lines []string
	if with.first != nil {
		lines = append(lines, tools.Visible(with.first.line()))
	}
	for _, name := range names {
		lines = append(lines, tools.Visible(with.line(name)))
	}
	return "Install packages? This runs code that their authors wrote.", strings.Join(lines, "\n") + "\nin " + tools.Visible(env.Dir)
}

// plan returns the command and the package names, without running anything.
func plan(env tools.Env, in installArgs) (command, []string, error) {
	names := in.names()
	for _, name := range names {
		if err := check(name); err != nil {
			return command{}, nil, err
		}
	}
	if len(names) == 0 || len(names) > maxAtOnce {
		return command{}, nil, tools.Advise(fmt.Errorf("the call names %d packages", len(names)), "Name 1 to %d at a time.", maxAtOnce)
	}
	manager := in.Manager
	if manager == "auto" {
		var err error
		if manager, err = choose(env); err != nil {
			return command{}, nil, err
		}
	}
	with, err := commandOf(env, manager, in.Dev)
	return with, names, err
}

func install(ctx context.Context, env tools.Env, in installArgs) (tools.Output, error) {
	dir, err := env.Open() // if no working directory is set, the error says what to do
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	with, names, err := plan(env, in)
	if err != nil {
		return tools.Output{}, err
	}
	cell, err := hold(env, with)
	if err != nil {
		return tools.Output{}, err
	}
	if err := prepare(ctx, env, cell, with); err != nil {
		return tools.Output{}, err
	}
	var done, failed int
	held := false
	var report strings.Builder
	for i, name := range names {
		env.Progress(fmt.Sprintf("%d of %d: %s", i+1, len(names), name))
		met, err := installOne(ctx, env, cell, with, name)
		held = held || met
		switch {
		case errors.Is(err, tools.ErrUnconfined):
			return tools.Output{}, err // nothing was started
		case ctx.Err() != nil:
			return tools.Output{}, tools.Advise(fmt.Errorf("interrupted at %s: %w", name, context.Cause(ctx)), "Until then:\n%s", report.String())
		case errors.Is(err, proc.ErrNotFound):
			return tools.Output{}, tools.Advise(err, "Choose another manager. Ask the user to install it if it is missing.")
		case err != nil:
			failed++
			fmt.Fprintf(&report, "%s: failed: %v\n", name, err)
		default:
			done++
			fmt.Fprintf(&report, "%s: installed\n", name)
		}
	}
	text := strings.TrimSpace(report.String())
	if with.first != nil && done > 0 {
		text += "\nThe packages are in the new directory .venv; run programs with .venv/bin/python."
	}
	if in.Dev && with.same && done > 0 {
		text += "\nNote: this package manager cannot mark development dependencies, so it installed ordinary ones."
	}
	if done == 0 {
		return tools.Output{Held: held}, tools.Advise(fmt.Errorf("no package was installed; %d failed:\n%s", failed, text), "Check the names and the network connection.")
	}
	return tools.Output{Text: text, Held: held}, nil
}

// prepare creates the project's Python environment if pip needs one and none exists.
func prepare(ctx context.Context, env tools.Env, cell *jail.Jail, with command) error {
	if with.first == nil {
		return nil
	}
	env.Progress(with.first.line())
	result, err := proc.Run(ctx, with.first.child(env, cell))
	switch {
	case errors.Is(err, proc.ErrNotFound):
		return tools.Advise(err, "Choose another manager. Ask the user to install it if it is missing.")
	case err != nil:
		return tools.AdviseUnconfined(err)
	case result.ExitCode != 0:
		return tools.Advise(fmt.Errorf("could not create a Python environment (%s): exit code %d: %s", with.first.line(), result.ExitCode, last(result)),
			"Nothing was installed. Ask the user to install the package python3-venv on Debian and Ubuntu, or uv on other systems.")
	}
	return nil
}

// hold returns the jail in which the package manager runs. A system-wide installation runs as root
// without a jail, so the user must agree to each such call.
func hold(env tools.Env, with command) (*jail.Jail, error) {
	if with.system {
		return nil, env.OutsideSandbox("apt installs packages for the whole system, as root and outside the sandbox, which needs approval each time")
	}
	return env.Jail()
}

// child appends the package names to the command line and returns the process to run. If cell is
// nil, the process runs without a jail.
func (c command) child(env tools.Env, cell *jail.Jail, names ...string) proc.Command {
	return proc.Command{
		Name: c.name, Args: append(append([]string{}, c.args...), names...),
		Dir: env.Dir, Environ: env.Environ, Jail: cell, WholePath: cell == nil && !c.system,
	}
}

// installOne installs one package. If the installation fails, the error contains the end of the
// manager's output, and held is true if the sandbox may have caused the failure.
func installOne(ctx context.Context, env tools.Env, cell *jail.Jail, with command, name string) (held bool, err error) {
	slow := fmt.Errorf("it took longer than %s and was stopped", perPackage)
	limited, cancel := context.WithTimeoutCause(ctx, perPackage, slow)
	defer cancel()
	child := with.child(env, cell, name)
	child.Progress = func(line string) { env.Progress(name + ": " + tools.Visible(line)) }
	result, err := proc.Run(limited, child)
	switch {
	case errors.Is(err, slow):
		return false, slow
	case err != nil:
		return false, tools.AdviseUnconfined(err)
	case result.ExitCode == 0:
		return false, nil
	}
	note := cell.Note(result.ExitCode, result.Stderr.Text()+result.Stdout.Text())
	if note != "" {
		note = "\n" + strings.TrimSpace(note)
	}
	return note != "", fmt.Errorf("exit code %d: %s%s", result.ExitCode, last(result), note)
}

// last shortens the output to its end, where package managers print the reason for a failure.
func last(result proc.Result) string {
	text := cmp.Or(strings.TrimSpace(result.Stderr.Text()), strings.TrimSpace(result.Stdout.Text()))
	if runes := []rune(text); len(runes) > 800 {
		text = "…" + string(runes[len(runes)-800:])
	}
	return tools.Visible(text)
}
