package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/docs"
	"marvin/persistence"
	"marvin/persistence/customtools"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/shell"
)

// guards are the rules of the user's configuration and the sandbox. broken is the error of reading
// the configuration: Marvin does not run with unreadable rules.
func guards(world World, opts options, home *persistence.Home, config settings.Config, broken error) (*tools.Permissions, *tools.Sandbox, error) {
	var unread *settings.GuardsError
	if errors.As(broken, &unread) {
		return nil, nil, broken
	}
	rules := config.Permissions
	permissions, err := tools.NewPermissions(slices.Concat(rules.Allow, opts.editor.rules), rules.Ask, rules.Deny)
	if err != nil {
		return nil, nil, fmt.Errorf("%s/config.yaml: %w", home.State, err)
	}
	if opts.may != nil {
		permissions.Limit(opts.may, "this scheduled run")
	}
	mode, err := sandboxMode(world, opts, config)
	if err != nil {
		return nil, nil, err
	}
	private, err := privateRules(world, config)
	if err != nil {
		return nil, nil, err
	}
	return permissions, tools.NewSandbox(tools.SandboxConfig{
		Mode: tools.SandboxMode(mode),
		Home: world.Home, State: home.State, Data: home.Data, Environ: world.Environ, Readable: config.SandboxRead, Private: privateDirs(private), Hosts: config.Hosts,
	}), nil
}

// checkRules refuses rules that mean nothing, each with its line in config.yaml.
func checkRules(permissions *tools.Permissions, registry *tools.Registry, home *persistence.Home, settings settings.Config) error {
	var wrong []error
	for _, problem := range ruleProblems(permissions, registry, home, settings) {
		wrong = append(wrong, fmt.Errorf("%s: %w", settingPlace(home, problem), problem))
	}
	return errors.Join(wrong...)
}

// ruleProblems are the rules that mean nothing.
func ruleProblems(permissions *tools.Permissions, registry *tools.Registry, home *persistence.Home, settings settings.Config) []tools.RuleProblem {
	servers := slices.Collect(maps.Keys(settings.Servers))
	return permissions.Check(tools.RuleTools{Registry: registry, Servers: servers, Others: func(name string) bool {
		return customtools.Brought{Home: home}.AnywhereAccepted(name)
	}})
}

// settingPlace is where a rule is written: the file, and the line if it is found there.
func settingPlace(home *persistence.Home, problem tools.RuleProblem) string {
	place := home.State + "/config.yaml"
	if line := settings.LineOf(home, problem.Rule); line > 0 {
		place = fmt.Sprintf("%s:%d", place, line)
	}
	return place
}

// sandboxMode is the option, else MARVIN_SANDBOX, else what the configuration says.
func sandboxMode(world World, opts options, settings settings.Config) (string, error) {
	variable := world.Getenv("MARVIN_SANDBOX")
	if !slices.Contains([]string{"", "off", "workspace", "strict"}, variable) {
		return "", fmt.Errorf("MARVIN_SANDBOX=%q: choose off, workspace or strict", variable)
	}
	return cmp.Or(opts.Sandbox, variable, settings.Sandbox), nil
}

// sandboxFinding tries the sandbox, and says how much of it this system has.
func sandboxFinding(ctx context.Context, world World, opts options) finding {
	home := openHome(world)
	settings, _ := settings.Read(home) // fileFindings says what is wrong with it
	mode, err := sandboxMode(world, opts, settings)
	if err != nil {
		return finding{what: "sandbox", state: err.Error()}
	}
	f := finding{what: "sandbox", good: true, state: "on for commands you were not asked about"}
	switch mode {
	case "off":
		f.state = "off, by your configuration"
		return f
	case "":
	default:
		f.state = mode + ", for all commands"
	}
	sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxMode(cmp.Or(mode, "workspace")), Home: world.Home, State: home.State, Data: home.Data, Environ: world.Environ, Readable: settings.SandboxRead})
	defer func() { _ = sandbox.Close() }()
	if err := shell.Try(ctx, tools.Env{Dir: world.Dir, Root: world.Dir, Held: tools.Held{Sandbox: sandbox}, Environ: world.Environ}); err != nil {
		var advice *tools.Advice
		if errors.As(err, &advice) {
			err = advice.Err
		}
		f.good, f.state = false, strings.ReplaceAll(err.Error(), "\n", ": ")
		f.mend = "--sandbox off, in a container or where commands may do what you may"
		return f
	}
	if lacks := sandbox.Lacks(); lacks != "" {
		f.good, f.state, f.mend = false, "smaller: "+strings.TrimSuffix(lacks, ". `marvin doctor` says how to raise it"), sandbox.Raise()
		return f
	}
	f.state += " (mounts, Landlock, seccomp)"
	return f
}

// sandboxOf is the sandbox for one call that no conversation makes.
func sandboxOf(w World, dir string) (*tools.Sandbox, error) {
	home := openHome(w)
	settings, err := w.settings(home)
	if err != nil {
		return nil, err
	}
	w = w.passing(settings)
	_, sandbox, err := guards(w, options{WorkingDir: dir}, home, settings, nil)
	return sandbox, err
}

// directEnv is the environment of a call that no conversation makes.
func directEnv(world World, home *persistence.Home, dir string) (tools.Env, error) {
	dir, err := workingDir(world, options{WorkingDir: dir})
	if err != nil {
		return tools.Env{}, err
	}
	profile, err := home.LastProfile()
	if err != nil {
		return tools.Env{}, err
	}
	env := tools.Env{
		Home: home.User, State: home.State, Profile: home.Profile(profile).Dir, Dir: dir, Coding: true, Held: tools.Held{Approved: true}, // it was typed
		Now: world.Now, Environ: world.Environ, Progress: func(string) {}, Room: tools.ResultLimits.Tokens,
		Seen:         &tools.Stamps{},
		Conversation: tools.Conversation{SetDir: func(string) error { return nil }, SetProfile: func(string) error { return nil }, Exit: func() {}},
	}
	env.Manual = docs.Pages
	return env, nil
}
