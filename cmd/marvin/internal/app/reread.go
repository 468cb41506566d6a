package app

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/customtools"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/hooks"
	"marvin/tools/toolbox"
)

// Marvin reads servers, hooks and tools again when their files change during a conversation.
// Changes to other settings need a restart.

// extensionReader holds the latest servers, hooks and tools. Only the Own field is safe for
// concurrent use.
type extensionReader struct {
	home    *persistence.Home
	dir     string
	base    *toolbox.Registry // Marvin's own tools
	environ []string
	editor  cli.EditorInput
	stamp   string
	now     actors.Reread
	Own     atomic.Pointer[map[string]settings.Server] // servers from config.yaml or the editor
	told    map[string]bool                            // the texts of reported offers and problems
}

// Begin makes the app read the extensions again whenever their files change.
func (r *extensionReader) Begin(p *App) {
	r.stamp = r.written()
	r.now.Servers, r.now.Hooks = p.Config.Others.Servers, p.Config.Others.Hooks
	for _, tool := range p.Config.Tools.CurrentSnapshot().All() {
		if tool.Section == extensions.OwnTools || tool.Section == extensions.ProjectToolsTitle {
			r.now.Sources = append(r.now.Sources, toolbox.Source{Name: tool.Section, Tools: []tools.Tool{tool}})
		}
	}
	r.keep(p.Settings)
	r.told = map[string]bool{}
	for _, notice := range p.Notices {
		r.told[notice] = true
	}
	p.Config.Others.Reread = r.readChanged
}

func (r *extensionReader) keep(settings settings.Config) {
	own := cli.EditorServers(r.editor, settings)
	if len(own) == 0 {
		own = settings.Servers
	} else {
		maps.Copy(own, settings.Servers)
	}
	r.Own.Store(&own)
}

func (r *extensionReader) written() string {
	return customtools.ProjectTools{Home: r.home, Dir: r.dir}.Stamp(slices.Concat(extensions.OfferFiles, hooks.ForeignFiles))
}

// readChanged returns the extensions, and whether their files changed since the last call. If the
// configuration is invalid, readChanged returns the previous servers and hooks.
func (r *extensionReader) readChanged() (actors.Reread, bool) {
	stamp := r.written()
	if stamp == r.stamp {
		return actors.Reread{}, false
	}
	r.stamp = stamp
	settings, err := settings.Read(r.home)
	if err != nil {
		next := r.now
		next.Sources = nil
		next.Told = []messages.Notice{{Level: messages.Warning, Text: "The previous configuration still applies: " + err.Error()}}
		return next, true
	}
	next, problems := r.gather(settings)
	if text := r.difference(next); text != "" {
		next.Told = append(next.Told, messages.Notice{Level: messages.Info, Text: text})
	}
	for _, problem := range problems {
		if text := problem.Error(); !r.told[text] {
			r.told[text] = true
			next.Told = append(next.Told, messages.Notice{Level: messages.Warning, Text: text})
		}
	}
	r.now = next
	r.keep(settings)
	return next, true
}

// gather collects the servers, the hooks and the tools, in the same way as [New].
func (r *extensionReader) gather(settings settings.Config) (next actors.Reread, problems []error) {
	all, offers, err := extensions.ProjectServers(r.home, r.dir, settings.Servers, extensions.ModelKeys(settings, r.environ))
	problems = append(problems, err)
	maps.Copy(all, cli.EditorServers(r.editor, settings))
	if len(offers) > 0 {
		problems = append(problems, errors.New(extensions.SayOffers(offers)))
	}
	sources, brought, wrong := extensions.ToolSources(r.base, r.home, r.dir)
	problems = append(append(problems, wrong...), extensions.OfferNotices(brought)...)
	shelf := toolbox.NewShelf(r.base)
	for _, source := range sources {
		shelf.Add(source)
	}
	set, wrong := extensions.OwnHooks(settings, shelf.CurrentSnapshot())
	accepted, hookOffers, err := extensions.ProjectHooks(r.home, r.dir)
	problems = append(append(problems, wrong...), err)
	if len(hookOffers) > 0 {
		problems = append(problems, errors.New(extensions.SayHookOffers(hookOffers)))
	}
	problems = slices.DeleteFunc(problems, func(err error) bool { return err == nil })
	return actors.Reread{Servers: all, Hooks: set.Append(accepted), Sources: sources}, problems
}

// difference compares the newly read extensions with r.now. It returns one line of text, or "" if
// nothing changed.
func (r *extensionReader) difference(next actors.Reread) string {
	var parts []string
	add := func(what string, before, now map[string]string) {
		var words []string
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if was, there := before[name]; !there {
				words = append(words, name+" is new")
			} else if was != now[name] {
				words = append(words, name+" is another one")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if _, there := now[name]; !there {
				words = append(words, name+" is gone")
			}
		}
		if len(words) > 0 {
			parts = append(parts, what+": "+strings.Join(words, ", "))
		}
	}
	add("MCP servers", serverLines(r.now.Servers), serverLines(next.Servers))
	add("tools", toolLines(r.now.Sources), toolLines(next.Sources))
	if before, now := hookLines(r.now.Hooks), hookLines(next.Hooks); !reflect.DeepEqual(before, now) {
		parts = append(parts, fmt.Sprintf("hooks: there are now %d, and there were %d before (/hooks)", len(now), len(before)))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Reloaded: " + strings.Join(parts, "; ")
}

func serverLines(servers map[string]settings.Server) map[string]string {
	lines := map[string]string{}
	for name, server := range servers {
		lines[name] = fmt.Sprint(server)
	}
	return lines
}

func toolLines(sources []toolbox.Source) map[string]string {
	names := map[string]string{}
	for _, source := range sources {
		for _, tool := range source.Tools {
			schema, _ := tool.Schema() // an invalid schema counts as unchanged
			names[tool.Name] = fmt.Sprint(source.Name, tool.Doc, tool.Effect, string(schema))
		}
	}
	return names
}

func hookLines(set *hooks.Set) (lines []string) {
	for _, hook := range set.All() {
		lines = append(lines, fmt.Sprint(hook.Event, hook.Match(), hook, hook.Timeout, hook.Held, hook.Source))
	}
	return lines
}
