package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/actors"
	"marvin/persistence"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/tools"
	"marvin/tools/academic"
	"marvin/tools/agents"
	"marvin/tools/alarms"
	"marvin/tools/blender"
	"marvin/tools/bookmarks"
	"marvin/tools/browse"
	"marvin/tools/calendar"
	"marvin/tools/coding"
	"marvin/tools/downloads"
	"marvin/tools/feeds"
	"marvin/tools/files"
	"marvin/tools/git"
	"marvin/tools/github"
	"marvin/tools/history"
	"marvin/tools/location"
	"marvin/tools/maps"
	"marvin/tools/media"
	"marvin/tools/music"
	"marvin/tools/notes"
	"marvin/tools/ntfy"
	"marvin/tools/packages"
	"marvin/tools/places"
	"marvin/tools/profiles"
	"marvin/tools/recipes"
	"marvin/tools/shell"
	"marvin/tools/spotify"
	"marvin/tools/stack"
	"marvin/tools/steam"
	"marvin/tools/system"
	"marvin/tools/tickets"
	"marvin/tools/timers"
	"marvin/tools/travel"
	"marvin/tools/units"
	"marvin/tools/weather"
	"marvin/tools/wiki"
	"marvin/tools/words"
)

// parts is the program put together.
type parts struct {
	selection providers.Selection
	config    actors.Config
	dir       string // the working directory, "" for none
	profile   string
	settings  persistence.Config
	notices   []string // what is wrong with the configuration, for people
	client    *http.Client
	copilot   *copilot.CLI
	world     World
	opts      options
}

// wire makes the parts from the options and the world. It touches no network unless
// nothing at all says which provider to use.
func wire(world World, opts options) (*parts, error) {
	home := persistence.Open(world.Home, world.Now)
	p := &parts{world: world, opts: opts, copilot: copilot.NewCLI(copilot.CLIConfig{Environ: world.Environ})}
	var err error
	if p.dir, err = workingDir(world, opts); err != nil {
		return nil, err
	}
	settings, err := home.Config()
	p.note(err)
	p.settings = settings
	prices, err := providers.NewPrices(ownPrices(settings.Prices))
	p.note(err)
	if p.selection, err = choose(world, opts); err != nil {
		return nil, err
	}
	if p.profile, err = home.LastProfile(); err != nil {
		p.note(err)
	}
	hosts, err := hosts(settings.Hosts, world.Getenv("MARVIN_HOSTS"))
	p.note(err)
	p.client = tools.NewHTTPClient(hosts)
	topics, err := p.topics()
	if err != nil {
		return nil, err
	}
	registry, rings, news := newTools(home, p.client, world.Now, topics...)
	p.config = actors.Config{
		Context:  actors.ContextLimits(settings.Context),
		Registry: registry, Price: prices, Home: home, Environ: world.Environ, System: world.system(), Now: world.Now,
		Connect: newModels(p).connect, Choose: p.chooseByName, Fallback: p.fallback,
		Files: openFiles(), Alarms: rings, Notifier: news,
		Audit:   persistence.Audit{Path: world.Getenv("MARVIN_SUBAGENT_LOG"), Now: world.Now},
		Log:     slog.New(slog.DiscardHandler),
		Problem: func(err error) { fmt.Fprintln(world.Stderr, "warning:", err) },
	}
	if text := world.Getenv("MARVIN_SILENCE_TIMEOUT"); text != "" {
		limit, err := time.ParseDuration(text)
		if err != nil || limit <= 0 {
			return nil, fmt.Errorf("MARVIN_SILENCE_TIMEOUT=%q is not a duration such as 90s or 5m", text)
		}
		p.config.Tuning.Silence, p.config.Tuning.SilenceCoding = limit, limit
	}
	for _, notice := range p.notices {
		fmt.Fprintln(world.Stderr, "warning:", notice)
	}
	return p, nil
}

// close ends what outlives the tree of actors, at the program's end.
func (p *parts) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	p.copilot.Stop(ctx)
}

func (p *parts) note(err error) {
	if err != nil {
		p.notices = append(p.notices, err.Error())
	}
}

// newRegistry is the table of contents of the tools. The order is the order in which
// models see them.
func newRegistry(home *persistence.Home, client *http.Client, now func() time.Time) *tools.Registry {
	registry, _, _ := newTools(home, client, now)
	return registry
}

// newTools also gives what reaches a conversation unasked. The topics are those of
// this process.
func newTools(home *persistence.Home, client *http.Client, now func() time.Time, topics ...string) (*tools.Registry, *alarms.Service, *ntfy.Service) {
	rings, news := alarms.New(home, client, program()), ntfy.New(client, home, topics...)
	registry := &tools.Registry{}
	registry.Add(files.Tools()...)
	registry.Add(coding.Tools()...)
	registry.Add(git.New().Tools()...)
	registry.Add(shell.Tools()...)
	registry.Add(notes.Tools()...)
	registry.Add(units.New(client).Tools()...)
	registry.Add(timers.New(now).Tools()...)
	registry.Add(places.New(home).Tools()...)
	registry.Add(calendar.New(home, client, program()).Tools()...)
	registry.Add(rings.Tools()...)
	registry.Add(news.Tools()...)
	registry.Add(bookmarks.New(home).Tools()...)
	registry.Add(history.New(home).Tools()...)
	registry.Add(profiles.New(home).Tools()...)
	registry.Add(agents.New(tickets.Brief).Tools()...)
	where := location.New(client, home)
	registry.Add(where.Tools()...)
	registry.Add(travel.New(client, home).Tools()...)
	registry.Add(weather.New(client, home, where.Here).Tools()...)
	registry.Add(maps.New(client).Tools()...)
	registry.Add(tickets.New().Tools()...)
	registry.Add(packages.Tools()...)
	registry.Add(browse.New(client).Tools()...)
	registry.Add(feeds.New(client).Tools()...)
	registry.Add(words.New(client).Tools()...)
	registry.Add(media.New(client).Tools()...)
	registry.Add(downloads.New(client).Tools()...)
	registry.Add(github.New(client).Tools()...)
	registry.Add(wiki.New(client).Tools()...)
	registry.Add(academic.New(client).Tools()...)
	registry.Add(stack.New(client).Tools()...)
	registry.Add(steam.New(client).Tools()...)
	registry.Add(music.New(client).Tools()...)
	registry.Add(recipes.New(client).Tools()...)
	registry.Add(blender.Tools()...)
	registry.Add(spotify.New(client, home).Tools()...)
	registry.Add(system.New(home).Tools()...)
	registry.Add(tools.FindTool(registry))
	return registry, rings, news
}

// workingDir is what --working-dir says, made absolute; without it coding happens
// where Marvin was started.
func workingDir(world World, opts options) (string, error) {
	path := opts.WorkingDir
	if path == "" {
		return world.Dir, nil
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') && world.Home != "" {
		path = world.Home + rest
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("--working-dir: %w", err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("--working-dir: %s does not exist; make it with mkdir, or name another", path)
	case err != nil:
		return "", fmt.Errorf("--working-dir: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("--working-dir: %s is a file, not a directory", path)
	}
	return filepath.EvalSymlinks(path)
}

// hosts joins the host table of the configuration with MARVIN_HOSTS
// ("host=URL,host=URL"), which wins.
func hosts(configured map[string]string, variable string) (map[string]string, error) {
	table := map[string]string{}
	for host, url := range configured {
		table[host] = url
	}
	for _, entry := range strings.Split(variable, ",") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		host, url, ok := strings.Cut(strings.TrimSpace(entry), "=")
		if !ok || !strings.HasPrefix(url, "http") {
			return table, fmt.Errorf("MARVIN_HOSTS: %q is not host=URL, such as api.frankfurter.dev=http://localhost:8080", entry)
		}
		table[host] = url
	}
	return table, nil
}

func ownPrices(configured map[string]persistence.Price) map[string]providers.Price {
	prices := make(map[string]providers.Price, len(configured))
	for model, price := range configured {
		prices[model] = providers.Price(price)
	}
	return prices
}

// conversation says how a conversation of these parts begins.
func (p *parts) conversation(policy actors.Policy) actors.Conversation {
	policy.ReadOnly = policy.ReadOnly || p.readOnly()
	policy.Limits = actors.Limits{Cost: p.opts.MaxCost, Rounds: p.opts.MaxRounds, Time: p.opts.MaxTime}
	dir := p.dir
	if !policy.Coding {
		dir = ""
	}
	return actors.Conversation{
		Choice: actors.Choice{Provider: p.selection.Provider, Model: p.selection.Model},
		Dir:    dir, Profile: p.profile, Policy: policy,
	}
}

func (p *parts) readOnly() bool {
	for _, variable := range p.config.Environ {
		if variable == "MARVIN_READONLY=1" {
			return true
		}
	}
	return false
}

// choiceLine says which model answers, and why.
func (p *parts) choiceLine() string {
	emoji := ""
	if provider, err := providers.Lookup(p.selection.Provider); err == nil {
		emoji = provider.Emoji + " "
	}
	return fmt.Sprintf("%s%s, %s (%s)", emoji, p.selection.Provider, p.selection.Model, p.selection.Why)
}
