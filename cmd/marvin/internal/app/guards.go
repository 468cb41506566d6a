package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/docs"
	"marvin/persistence"
	"marvin/persistence/customtools"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/shell"
	"marvin/tools/toolbox"
)

// PermissionsAndSandbox returns the user's permission rules and the sandbox. If configErr contains
// a [settings.GuardsError], PermissionsAndSandbox returns configErr, because Marvin must not run
// without rules.
func PermissionsAndSandbox(world cli.World, opts cli.Options, home *persistence.Home, config settings.Config, configErr error) (*tools.Permissions, *tools.Sandbox, error) {
	if errors.As(configErr, new(*settings.GuardsError)) {
		return nil, nil, configErr
	}
	rules := config.Permissions
	permissions, err := tools.NewPermissions(slices.Concat(rules.Allow, opts.Editor.Rules), rules.Ask, rules.Deny)
	if err != nil {
		return nil, nil, fmt.Errorf("%s/config.yaml: %w", home.State, err)
	}
	if opts.May != nil {
		permissions.Limit(opts.May, "this scheduled run")
	}
	mode, err := sandboxMode(world, opts, config)
	if err != nil {
		return nil, nil, err
	}
	private, err := accounts.PrivateRules(world, config)
	if err != nil {
		return nil, nil, err
	}
	return permissions, tools.NewSandbox(tools.SandboxConfig{
		Mode: tools.SandboxMode(mode),
		Home: world.Home, State: home.State, Data: home.Data, Environ: world.Environ, Readable: config.SandboxRead, Private: accounts.PrivateDirs(private), Hosts: config.Hosts,
		Opened: opts.Editor.Opened,
	}), nil
}

// CheckRules returns an error if a rule can never match. The error names each such rule and its
// place in config.yaml.
func CheckRules(permissions *tools.Permissions, registry *toolbox.Registry, home *persistence.Home, settings settings.Config) error {
	var wrong []error
	for _, problem := range RuleProblems(permissions, registry, home, settings) {
		wrong = append(wrong, fmt.Errorf("%s: %w", SettingPlace(home, problem), problem))
	}
	return errors.Join(wrong...)
}

// RuleProblems returns the rules that can never match.
func RuleProblems(permissions *tools.Permissions, registry *toolbox.Registry, home *persistence.Home, settings settings.Config) []toolbox.RuleProblem {
	servers := slices.Collect(maps.Keys(settings.Servers))
	return toolbox.CheckRules(permissions, toolbox.RuleTools{Registry: registry, Servers: servers, Others: func(name string) bool {
		return customtools.ProjectTools{Home: home}.AnywhereAccepted(name)
	}})
}

// SettingPlace returns the location of a rule in config.yaml as path:line, or only the path if the
// line is unknown.
func SettingPlace(home *persistence.Home, problem toolbox.RuleProblem) string {
	place := home.State + "/config.yaml"
	if line := settings.LineOf(home, problem.Rule); line > 0 {
		place = fmt.Sprintf("%s:%d", place, line)
	}
	return place
}

// sandboxMode returns the sandbox mode from the option, else from MARVIN_SANDBOX, else from the
// configuration.
func sandboxMode(world cli.World, opts cli.Options, settings settings.Config) (string, error) {
	variable := world.Getenv("MARVIN_SANDBOX")
	if !slices.Contains([]string{"", "off", "workspace", "strict"}, variable) {
		return "", fmt.Errorf("MARVIN_SANDBOX=%q: choose off, workspace or strict", variable)
	}
	return cmp.Or(opts.Sandbox, variable, settings.Sandbox), nil
}

// SandboxFinding reports whether the sandbox works on this system, and what the sandbox lacks.
func SandboxFinding(ctx context.Context, world cli.World, opts cli.Options) cli.Finding {
	home := cli.OpenHome(world)
	settings, _ := settings.Read(home) // the error is reported at startup and by "marvin doctor"
	mode, err := sandboxMode(world, opts, settings)
	if err != nil {
		return cli.Finding{What: "sandbox", State: err.Error()}
	}
	f := cli.Finding{What: "sandbox", Good: true, State: "on, for commands that run without your approval"}
	switch mode {
	case "off":
		f.State = "off, as you configured it"
		return f
	case "":
	default:
		f.State = mode + ", for all commands"
	}
	sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxMode(cmp.Or(mode, "workspace")), Home: world.Home, State: home.State, Data: home.Data, Environ: world.Environ, Readable: settings.SandboxRead})
	defer func() { _ = sandbox.Close() }()
	if err := shell.Try(ctx, tools.Env{Dir: world.Dir, Root: world.Dir, Held: tools.Held{Sandbox: sandbox}, Environ: world.Environ}); err != nil {
		if advice, ok := errors.AsType[*tools.Advice](err); ok {
			err = advice.Err
		}
		f.Good, f.State = false, strings.ReplaceAll(err.Error(), "\n", ": ")
		f.Mend = "use \"--sandbox off\" in a container, or if you are willing to give commands all your permissions"
		if state, mend, found := strings.Cut(f.State, "; start Marvin"); found { // the directory is the reason
			f.State, f.Mend = state, "start Marvin"+mend
		}
		return f
	}
	if lacks := sandbox.Lacks(); lacks != "" {
		f.Good, f.State, f.Mend = false, "weaker: "+strings.TrimSuffix(lacks, tools.DoctorHint), sandbox.Raise()
		return f
	}
	f.State += " (mounts, Landlock, seccomp)"
	return f
}

// NewSandbox returns the sandbox that [Guard] creates for dir.
func NewSandbox(w cli.World, dir string) (*tools.Sandbox, error) {
	guarded, err := Guard(w, cli.Options{WorkingDir: dir})
	return guarded.Sandbox, err
}

// Guarded is the result of [Guard].
type Guarded struct {
	World       cli.World // the result of [cli.World.WithPassEnv]
	Home        *persistence.Home
	Settings    settings.Config
	Permissions *tools.Permissions
	Sandbox     *tools.Sandbox
}

// Guard reads the settings, and creates the permissions and the sandbox. Callers without a
// conversation use Guard instead of [New].
func Guard(world cli.World, opts cli.Options) (g Guarded, err error) {
	g.Home = cli.OpenHome(world)
	if g.Settings, err = world.Settings(g.Home); err != nil {
		return g, err
	}
	g.World = world.WithPassEnv(g.Settings)
	g.Permissions, g.Sandbox, err = PermissionsAndSandbox(g.World, opts, g.Home, g.Settings, nil)
	return g, err
}

// DirectEnv returns the environment for tools that are called without a conversation.
func DirectEnv(world cli.World, home *persistence.Home, dir string) (tools.Env, error) {
	dir, err := cli.WorkingDir(world, cli.Options{WorkingDir: dir})
	if err != nil {
		return tools.Env{}, err
	}
	profile, err := home.LastProfile()
	if err != nil {
		return tools.Env{}, err
	}
	env := tools.Env{
		Home: home.User, State: home.State, Profile: home.Profile(profile).Dir, Dir: dir, Coding: true, Held: tools.Held{Approved: true}, // the user approves a call by typing it
		Now: world.Now, Environ: world.Environ, Progress: func(string) {}, Room: tools.ResultLimits.Tokens,
		Seen:         &tools.Stamps{},
		Conversation: tools.Conversation{SetDir: func(string) error { return nil }, SetProfile: func(string) error { return nil }, Exit: func() {}},
	}
	env.Manual = docs.Pages
	return env, nil
}
