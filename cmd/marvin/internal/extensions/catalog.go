package extensions

import (
	"net/http"
	"os"
	"time"

	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/academic"
	"marvin/tools/agents"
	"marvin/tools/alarms"
	"marvin/tools/ask"
	"marvin/tools/blender"
	"marvin/tools/bookmarks"
	"marvin/tools/browse"
	"marvin/tools/calendar"
	"marvin/tools/clock"
	"marvin/tools/coding"
	"marvin/tools/downloads"
	"marvin/tools/feeds"
	"marvin/tools/files"
	"marvin/tools/git"
	"marvin/tools/github"
	"marvin/tools/history"
	"marvin/tools/jobs"
	"marvin/tools/language"
	"marvin/tools/location"
	"marvin/tools/maps"
	"marvin/tools/media"
	"marvin/tools/memory"
	"marvin/tools/music"
	"marvin/tools/notes"
	"marvin/tools/ntfy"
	"marvin/tools/packages"
	"marvin/tools/places"
	"marvin/tools/plan"
	"marvin/tools/profiles"
	"marvin/tools/putback"
	"marvin/tools/recipes"
	"marvin/tools/schedule"
	"marvin/tools/shell"
	"marvin/tools/skills"
	"marvin/tools/spotify"
	"marvin/tools/stack"
	"marvin/tools/steam"
	"marvin/tools/sums"
	"marvin/tools/system"
	"marvin/tools/tickets"
	"marvin/tools/timers"
	"marvin/tools/toolbox"
	"marvin/tools/travel"
	"marvin/tools/units"
	"marvin/tools/weather"
	"marvin/tools/wiki"
	"marvin/tools/words"
)

// NewRegistry returns the registry of all tools, in the order in which models see them.
func NewRegistry(home *persistence.Home, client *http.Client, now func() time.Time) *toolbox.Registry {
	registry, _, _ := NewTools(home, client, now)
	return registry
}

// NewTools returns a registry with all tools. It also returns the alarm and ntfy services, which
// can send messages without a tool call. The topics count as subscriptions of this process.
func NewTools(home *persistence.Home, client *http.Client, now func() time.Time, topics ...string) (*toolbox.Registry, *alarms.Service, *ntfy.Service) {
	rings, news := alarms.New(home, client, Program()), ntfy.New(client, home, topics...)
	where, dates := location.New(client, home), calendar.New(home, client, Program())
	registry := &toolbox.Registry{}
	section := func(title string, lists ...[]tools.Tool) {
		registry.Section(title)
		for _, list := range lists {
			registry.Add(list...)
		}
	}
	section("Files and code", files.Tools(), coding.Tools(), git.New().Tools(), shell.Tools(), language.Tools(), packages.Tools())
	section("Sub-agents and background work", agents.New(tickets.Brief, othersOf(home)).Tools(), jobs.New(home, Program()).Tools(), skills.Tools())
	section("Plans and questions", plan.Tools(), ask.Tools())
	section("Tickets", tickets.New().Tools())
	section("Notes", notes.Tools())
	section("Memory", memory.New(home).Tools())
	section("The web", browse.New(client).Tools(), feeds.New(client).Tools(), downloads.New(client).Tools())
	section("Where things are", where.Tools(), places.New(home).Tools(), travel.New(client, home).Tools(), maps.New(client).Tools())
	section("Weather", weather.New(client, home, where.Coordinates).Tools())
	section("Calendar, alarms and messages", clock.New(client, home, now).Tools(), dates.Tools(), rings.Tools(), timers.New(now, rings).Tools(), schedule.New(home, client, Program()).Tools(), news.Tools())
	section("Knowledge", wiki.New(client).Tools(), academic.New(client).Tools(), stack.New(client).Tools(), github.New(client, Program()).Tools())
	section("Units and words", sums.Tools(), units.New(client).Tools(), words.New(client).Tools())
	section("Films, games, music and food", media.New(client).Tools(), steam.New(client).Tools(), music.New(client).Tools(), spotify.New(client, home).Tools(), recipes.New(client).Tools())
	section("Blender", blender.Tools())
	section("Bookmarks, profiles and history", bookmarks.New(home).Tools(), profiles.New(home).Tools(), history.New(home).Tools())
	section("Marvin itself", system.New(home).Tools(), []tools.Tool{toolbox.FindTool(registry)})
	registry.AddUndoing(putback.Tool(home, dates))
	return registry, rings, news
}

// othersOf returns a function that reads the external agents from config.yaml.
func othersOf(home *persistence.Home) agents.ConfiguredAgents {
	return func() (map[string]settings.Agent, error) {
		config, err := settings.Read(home)
		return config.Agents, err
	}
}

// Program returns the path of this program, or "" if the path is unknown.
func Program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}
