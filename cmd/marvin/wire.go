package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/actors"
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
	"marvin/tools/shell"
	"marvin/ui/command"
)

// parts is the program put together.
type parts struct {
	accounts  *accounts
	written   func() // has the rest of the log on the disk
	selection providers.Selection
	config    actors.Config
	dir       string // the working directory, "" for none
	profile   string
	settings  settings.Config
	readOnly  bool     // tools that write are off
	notices   []string // what is wrong with the configuration, for people
	client    *http.Client
	copilot   *copilot.CLI
	system    *actors.System  // once it has begun
	talked    *command.Engine // of the front end, once it has begun
	world     World
	opts      options
	models    sync.Once    // to look up what is known
	known     []string     // models that can be asked
	shown     showings     // files of projects that a person was shown
	own       shell.Person // in which the person's own commands run
	found     fileFinder
	pictures  []messages.Picture // of the first prompt
	keeping   keepsChoice        // of the person
	reading   *rereading         // what others bring
	newcomer  *command.Newcomer  // on the very first start, else nil
	detach    func()             // leaves the conversation, nil if it cannot continue without its terminal
	attached  bool               // it is that of another process
}

// wire makes the parts from the options and the world. It uses the network only if nothing says
// which provider to use, or which of Ollama's models.
func wire(world World, opts options) (wired *parts, err error) {
	home := openHome(world)
	p := &parts{world: world, opts: opts, copilot: copilot.NewCLI(copilot.CLIConfig{Environ: tools.Trusted(world.Environ)})}
	defer func() { warn(p, err) }()
	permissions, sandbox, err := settle(p, home)
	if err != nil {
		return nil, err
	}
	prices, err := selectModel(p, home)
	if err != nil {
		return nil, err
	}
	world, settings := p.world, p.settings
	p.again()
	p.client, err = world.client(settings)
	p.note(err)
	topics, err := p.topics()
	if err != nil {
		return nil, err
	}
	all, offers, err := projectServers(home, p.dir, settings.Servers, modelKeys(settings, world.Environ))
	p.note(err)
	maps.Copy(all, ofEditor(opts.editor, settings))
	if len(offers) > 0 {
		p.notices = append(p.notices, sayOffers(offers))
	}
	registry, rings, news := newTools(home, p.client, world.Now, topics...)
	shelf, brought, problems := shelved(registry, home, p.dir)
	for _, problem := range append(problems, toldOffers(brought)...) {
		p.note(problem)
	}
	if err := checkRules(permissions, shelf.Known(), home, settings); err != nil {
		return nil, err
	}
	words, err := library(world, settings)
	p.note(err)
	if words.Given, err = opts.given(); err != nil {
		return nil, err
	}
	if opts.editor.words != "" {
		words.Given = append(words.Given, written.Given(written.Addition, "the editor", "", opts.editor.words))
	}
	clients := newModels(p)
	p.reading = &rereading{editor: opts.editor, home: home, dir: p.dir, base: registry, environ: world.Environ}
	mapped, _ := hosts(settings.Hosts, world.Getenv("MARVIN_HOSTS")) // errors are already reported
	p.config = actors.Config{
		Context: actors.ContextLimits(settings.Context), Models: modelsOf(p, clients, prices), Version: world.Version,
		Languages: &language.Set{Own: settings.Languages, Format: settings.FormatOnWrite, Now: world.Now},
		Memory:    settings.Memory,
		Tools:     shelf, Home: home, Words: words, Environ: world.Environ, Sandbox: sandbox, Permissions: permissions, System: world.system(), Now: world.Now,
		Files: openFiles(), Commands: settings.Commands, AgentTime: time.Duration(settings.AgentMinutes) * time.Minute, Dir: p.dir, Alarms: &schedule.Open{Alarms: rings, Service: schedule.New(home, p.client, program())}, Notifier: news, Manual: docs.Pages,
		Local:  onThisMachine(mapped),
		Others: actors.Others{Servers: all, Hooks: p.hooks(shelf.Known(), home), HookClient: p.client},
		Audit:  audit.Log{Path: world.Getenv("MARVIN_SUBAGENT_LOG"), Now: world.Now}, Problem: func(err error) { fmt.Fprintln(world.Stderr, "warning:", err) },
	}
	p.config.Log, p.written = newLog(world, home)
	if p.config.Tuning.Silence, err = silenceLimit(world); err != nil {
		return nil, err
	}
	p.config.Tuning.SilenceCoding = p.config.Tuning.Silence
	return p, nil
}

// warn says what is wrong with the configuration, also where the start ends with an error:
// a line that was not understood may be why there is no such provider.
func warn(p *parts, err error) {
	for _, notice := range p.notices {
		if err == nil || !strings.Contains(err.Error(), notice) {
			fmt.Fprintln(p.world.Stderr, "warning:", notice)
		}
	}
}

// settle reads the configuration, and says where this program works and what holds it.
func settle(p *parts, home *persistence.Home) (permissions *tools.Permissions, sandbox *tools.Sandbox, err error) {
	if p.dir, err = workingDir(p.world, p.opts); err != nil {
		return nil, nil, err
	}
	if p.readOnly, err = tools.ReadOnly(p.world.Environ); err != nil {
		return nil, nil, err
	}
	config, damage := settings.Read(home)
	p.note(damage)
	if p.opts.Effort != "" && !slices.Contains(settings.Efforts, p.opts.Effort) {
		return nil, nil, fmt.Errorf("--effort takes %s, not %q", either(settings.Efforts), p.opts.Effort)
	}
	p.settings, p.world = config, p.world.passing(config)
	if permissions, sandbox, err = guards(p.world, p.opts, home, config, damage); err != nil {
		return nil, nil, err
	}
	sandbox.Sweep(p.dir)
	if righted := tools.Righted(sandbox); righted != "" {
		p.note(errors.New(righted))
	}
	return permissions, sandbox, nil
}

// selectModel finds out whom this program asks, for whom, and what that costs.
func selectModel(p *parts, home *persistence.Home) (prices providers.Prices, err error) {
	prices, problem := pricesOf(home, p.settings)
	p.note(problem)
	p.accounts, problem = newAccounts(p.world, p.settings)
	p.note(problem)
	if p.selection, err = p.accounts.choose(p.opts); err != nil {
		return prices, err
	}
	if p.selection.Provider == providers.Ollama {
		_, problem := windowVariable(p.world.Getenv("OLLAMA_CONTEXT_LENGTH"))
		p.note(problem)
	}
	if p.profile, problem = home.LastProfile(); problem != nil {
		p.note(problem)
	}
	p.profile = cmp.Or(p.opts.left.Profile, p.profile)
	return prices, nil
}

// silenceLimit is how long a model may say nothing if the environment says it, else 0.
func silenceLimit(world World) (time.Duration, error) {
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

// close ends what outlives the tree of actors, at the program's end.
func (p *parts) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	p.copilot.Stop(ctx)
	if fleet, ok := p.config.Models.Fleet.(*elsewhere); ok {
		fleet.Close()
	}
	p.written()
	_ = p.config.Sandbox.Close() // a rest of it goes with the next start
	if righted := tools.Righted(p.config.Sandbox); righted != "" {
		fmt.Fprintln(p.world.Stderr, "warning:", righted)
	}
	if kept := tools.Kept(p.config.Sandbox); kept != "" {
		fmt.Fprintln(p.world.Stderr, kept)
	}
}

func (p *parts) note(err error) {
	if err != nil {
		p.notices = append(p.notices, err.Error())
	}
}

// conversation says how a conversation of these parts begins.
func (p *parts) conversation(policy actors.Policy, kept *actors.Kept) actors.Conversation {
	policy.ReadOnly = policy.ReadOnly || p.readOnly
	policy.Approval = p.approval(policy.Person)
	policy.Delegated = tools.Env{Environ: p.world.Environ}.Depth() > 0
	policy.Limits = actors.Limits{Cost: p.opts.MaxCost, Rounds: p.opts.MaxRounds, Time: p.opts.MaxTime}
	dir := p.dir
	if !policy.Coding && p.opts.left.Dir == "" {
		dir = ""
	}
	return actors.Conversation{
		Choice: actors.Choice{Provider: p.selection.Provider, Model: p.selection.Model}, Named: p.opts.Provider != "" || p.opts.Model != "" || p.keeping.named || p.opts.left.Named,
		Effort: p.effort(),
		Dir:    dir, Root: p.opts.left.root, Profile: p.profile, Policy: policy, Kept: kept, Files: p.offerFiles(),
	}
}

// personal is the policy of a conversation with a person, at a screen or behind a program.
func (p *parts) personal() actors.Policy {
	return actors.Policy{Coding: p.coding(), Person: true, Persist: true}
}

// approval is what the option says runs unasked, or else how the conversation was left. A person
// may have settled it in the configuration too, which a program that starts Marvin for one answer
// does not know of.
func (p *parts) approval(person bool) messages.Approval {
	mode := cmp.Or(messages.Approval(p.opts.Approve), p.opts.left.Approval(person))
	if mode == "" && person {
		mode = messages.Approval(p.settings.Approve)
	}
	return mode
}

// warnOfAll warns at the start that every call runs without asking.
func (p *parts) warnOfAll(person bool) {
	if p.approval(person) != messages.ApproveAll {
		return
	}
	held := "in the sandbox where it can hold them, else with all your rights"
	switch p.config.Sandbox.Mode() {
	case tools.SandboxOff:
		held = "with all your rights"
	case tools.SandboxWorkspace, tools.SandboxStrict:
		held = "in the sandbox only"
	}
	fmt.Fprintf(p.world.Stderr, "warning: --approve all: everything runs unasked, also what cannot be undone; commands %s\n", held)
}

// choiceLine says which model answers, and why.
func (p *parts) choiceLine() string {
	emoji := ""
	if provider, err := p.accounts.pool.Lookup(p.selection.Provider); err == nil {
		emoji = provider.Emoji + " "
	}
	return fmt.Sprintf("%s%s, %s (%s)", emoji, p.selection.Provider, p.selection.Model, p.selection.Why)
}

// hooks are the user's own, and behind them those of the project that they accepted.
func (p *parts) hooks(registry *tools.Registry, home *persistence.Home) *hooks.Set {
	own, problems := ownHooks(p.settings, registry)
	for _, problem := range problems {
		p.note(problem)
	}
	accepted, offers, err := projectHooks(home, p.dir)
	p.note(err)
	if len(offers) > 0 {
		p.notices = append(p.notices, sayHookOffers(offers))
	}
	return own.With(accepted)
}
