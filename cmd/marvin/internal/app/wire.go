package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/cmd/marvin/internal/remote"
	"marvin/cmd/marvin/internal/resources"
	"marvin/docs"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/audit"
	"marvin/persistence/settings"
	written "marvin/persistence/words"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/tools"
	"marvin/tools/hooks"
	"marvin/tools/language"
	"marvin/tools/schedule"
	"marvin/tools/toolbox"
)

// New assembles the program. It uses the network only if no provider is selected, or if one of the
// user's own servers is selected without a model.
func New(world cli.World, opts cli.Options) (wired *App, err error) {
	home := cli.OpenHome(world)
	p := &App{World: world, Opts: opts, copilot: copilot.NewCLI(copilot.CLIConfig{Environ: tools.Trusted(world.Environ)})}
	defer func() { warn(p, err) }()
	permissions, sandbox, err := settle(p, home)
	if err != nil {
		return nil, err
	}
	prices, err := selectModel(p, home)
	if err != nil {
		return nil, err
	}
	world, settings := p.World, p.Settings
	p.restoreModel()
	p.Client, err = world.Client(settings)
	p.note(err)
	topics, err := p.topics()
	if err != nil {
		return nil, err
	}
	all, offers, err := extensions.ProjectServers(home, p.Dir, settings.Servers, extensions.ModelKeys(settings, world.Environ))
	p.note(err)
	maps.Copy(all, cli.EditorServers(opts.Editor, settings))
	if len(offers) > 0 {
		p.Notices = append(p.Notices, extensions.SayOffers(offers))
	}
	registry, rings, news := extensions.NewTools(home, p.Client, world.Now, topics...)
	shelf, brought, problems := extensions.NewShelf(registry, home, p.Dir)
	for _, problem := range append(problems, extensions.OfferNotices(brought)...) {
		p.note(problem)
	}
	if err := CheckRules(permissions, shelf.CurrentSnapshot(), home, settings); err != nil {
		return nil, err
	}
	words, err := extensions.Library(world, settings)
	p.note(err)
	if words.Given, err = opts.ReadSystemTexts(); err != nil {
		return nil, err
	}
	if opts.Editor.Words != "" {
		words.Given = append(words.Given, written.FromFlag(written.Addition, "the editor", "", opts.Editor.Words))
	}
	clients := newModels(p)
	p.Reading = &extensionReader{editor: opts.Editor, home: home, dir: p.Dir, base: registry, environ: world.Environ}
	mapped, _ := cli.Hosts(settings.Hosts, world.Getenv("MARVIN_HOSTS")) // errors were reported before
	p.Config = actors.Config{
		Context: actors.ContextLimits(settings.Context), Models: modelsOf(p, clients, prices), Version: world.Version,
		Languages: &language.Set{Own: settings.Languages, Format: settings.FormatOnWrite, Now: world.Now},
		Memory:    settings.Memory,
		Tools:     shelf, Home: home, Words: words, Environ: world.Environ, Sandbox: sandbox, Permissions: permissions, System: world.System(), Now: world.Now,
		Files: resources.OpenFiles(), Commands: settings.Commands, AgentTime: time.Duration(settings.AgentMinutes) * time.Minute, Dir: p.Dir, Alarms: &schedule.Supervisor{Alarms: rings, Service: schedule.New(home, p.Client, extensions.Program())}, Notifier: news, Manual: docs.Pages,
		Local:  cli.LocalHosts(mapped),
		Others: actors.Extensions{Servers: all, Hooks: p.hooks(shelf.CurrentSnapshot(), home), HookClient: p.Client},
		Audit:  audit.Log{Path: world.Getenv("MARVIN_SUBAGENT_LOG"), Now: world.Now}, Problem: func(err error) { fmt.Fprintln(world.Stderr, "warning:", err) },
	}
	p.Config.Log, p.written = newLog(world, home)
	if p.Config.Tuning.Silence, err = silenceLimit(world); err != nil {
		return nil, err
	}
	p.Config.Tuning.SilenceCoding = p.Config.Tuning.Silence
	return p, nil
}

// warn writes a line to standard error for each configuration problem that err does not contain. It
// runs even if [New] fails, because a problem can be the cause of the failure.
func warn(p *App, err error) {
	for _, notice := range p.Notices {
		if err == nil || !strings.Contains(err.Error(), notice) {
			fmt.Fprintln(p.World.Stderr, "warning:", notice)
		}
	}
}

// settle determines the configuration, the working directory, the rules and the sandbox.
func settle(p *App, home *persistence.Home) (permissions *tools.Permissions, sandbox *tools.Sandbox, err error) {
	if p.Dir, err = cli.WorkingDir(p.World, p.Opts); err != nil {
		return nil, nil, err
	}
	if p.ReadOnly, err = tools.ReadOnly(p.World.Environ); err != nil {
		return nil, nil, err
	}
	config, damage := settings.Read(home)
	p.note(damage)
	if p.Opts.Effort != "" && !slices.Contains(settings.Efforts, p.Opts.Effort) {
		return nil, nil, fmt.Errorf("--effort takes %s, not %q", cli.Alternatives(settings.Efforts), p.Opts.Effort)
	}
	p.Settings, p.World = config, p.World.WithPassEnv(config)
	if permissions, sandbox, err = PermissionsAndSandbox(p.World, p.Opts, home, config, damage); err != nil {
		return nil, nil, err
	}
	sandbox.Sweep(p.Dir)
	if righted := tools.PutRight(sandbox); righted != "" {
		p.note(errors.New(righted))
	}
	return permissions, sandbox, nil
}

// selectModel selects the provider and the model, and reads the prices.
func selectModel(p *App, home *persistence.Home) (prices providers.Prices, err error) {
	prices, problem := accounts.LoadPrices(home, p.Settings)
	p.note(problem)
	p.Accounts, problem = accounts.New(p.World, p.Settings)
	p.note(problem)
	p.Accounts.AtTerminal = p.Opts.KeepsChoice
	if p.Selection, err = p.Accounts.Choose(p.Opts); err != nil {
		return prices, err
	}
	if p.Selection.Provider == providers.Ollama {
		_, problem := accounts.WindowVariable(p.World.Getenv("OLLAMA_CONTEXT_LENGTH"))
		p.note(problem)
	}
	if p.Profile, problem = home.LastProfile(); problem != nil {
		p.note(problem)
	}
	p.Profile = cmp.Or(p.Opts.Left.Profile, p.Profile)
	return prices, nil
}

// silenceLimit returns the value of MARVIN_SILENCE_TIMEOUT, or 0 if it is unset.
func silenceLimit(world cli.World) (time.Duration, error) {
	text := world.Getenv("MARVIN_SILENCE_TIMEOUT")
	if text == "" {
		return 0, nil
	}
	limit, err := time.ParseDuration(text)
	if err != nil || limit <= 0 {
		return 0, fmt.Errorf("MARVIN_SILENCE_TIMEOUT=%q is not a duration such as 90s or 5m", text)
	}
	return limit, nil
}

// Close releases everything that outlives the actor system.
func (p *App) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	p.copilot.Stop(ctx)
	if fleet, ok := p.Config.Models.Fleet.(*remote.Runner); ok {
		fleet.Close()
	}
	p.written()
	_ = p.Config.Sandbox.Close() // the next run removes remaining files
	if righted := tools.PutRight(p.Config.Sandbox); righted != "" {
		fmt.Fprintln(p.World.Stderr, "warning:", righted)
	}
	if kept := tools.SandboxNote(p.Config.Sandbox); kept != "" {
		fmt.Fprintln(p.World.Stderr, kept)
	}
}

func (p *App) note(err error) {
	if err != nil {
		p.Notices = append(p.Notices, err.Error())
	}
}

// Conversation returns the settings for a new or resumed conversation.
func (p *App) Conversation(policy actors.Policy, kept *actors.StoredSession) actors.Conversation {
	policy.ReadOnly = policy.ReadOnly || p.ReadOnly
	policy.Approval = p.approval(policy.Person)
	policy.FromOtherMarvin = tools.Env{Environ: p.World.Environ}.Depth() > 0
	policy.Limits = actors.Limits{Cost: p.Opts.MaxCost, Rounds: p.Opts.MaxRounds, Time: p.Opts.MaxTime}
	dir := p.Dir
	if !policy.Coding && p.Opts.Left.Dir == "" {
		dir = ""
	}
	return actors.Conversation{
		Choice: actors.Choice{Provider: p.Selection.Provider, Model: p.Selection.Model}, Named: p.Opts.Provider != "" || p.Opts.Model != "" || p.Keeping.Named || p.Opts.Left.Named,
		Effort: p.Effort(),
		Dir:    dir, Root: p.Opts.Left.Sandbox, Profile: p.Profile, Policy: policy, Stored: kept, Files: p.offerFiles(),
	}
}

// Personal returns the policy for a conversation with a user.
func (p *App) Personal() actors.Policy {
	return actors.Policy{Coding: p.coding(), Person: true, Persist: true}
}

// approval returns the approval mode from --approve, the resumed conversation or config.yaml, in
// this order. Without a user, approval ignores config.yaml, because a program that starts Marvin
// does not know the user's configuration.
func (p *App) approval(person bool) messages.Approval {
	mode := cmp.Or(messages.Approval(p.Opts.Approve), p.Opts.Left.Approval(person))
	if mode == "" && person {
		mode = messages.Approval(p.Settings.Approve)
	}
	return mode
}

// WarnOfAll prints a warning if the approval mode is [messages.ApproveAll].
func (p *App) WarnOfAll(person bool) {
	if p.approval(person) != messages.ApproveAll {
		return
	}
	held := "in the sandbox if it works here, otherwise with all your permissions"
	switch p.Config.Sandbox.Mode() {
	case tools.SandboxOff:
		held = "with all your permissions"
	case tools.SandboxWorkspace, tools.SandboxStrict:
		held = "in the sandbox only"
	}
	fmt.Fprintf(p.World.Stderr, "warning: --approve all: everything runs without asking, even what cannot be undone; commands run %s\n", held)
}

// ChoiceLine returns a line of text that names the provider, the model and the reason for the
// selection.
func (p *App) ChoiceLine() string {
	emoji := ""
	if provider, err := p.Accounts.Pool.Lookup(p.Selection.Provider); err == nil {
		emoji = provider.Emoji + " "
	}
	return fmt.Sprintf("%s%s, %s (%s)", emoji, p.Selection.Provider, p.Selection.Model, p.Selection.Why)
}

// hooks returns the user's own hooks, followed by the project's accepted hooks.
func (p *App) hooks(registry *toolbox.Registry, home *persistence.Home) *hooks.Set {
	own, problems := extensions.OwnHooks(p.Settings, registry)
	for _, problem := range problems {
		p.note(problem)
	}
	accepted, offers, err := extensions.ProjectHooks(home, p.Dir)
	p.note(err)
	if len(offers) > 0 {
		p.Notices = append(p.Notices, extensions.SayHookOffers(offers))
	}
	return own.Append(accepted)
}
