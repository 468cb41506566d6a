package hooks

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/persistence/settings"
)

// defaultTimeout is the timeout of a hook that sets none.
const defaultTimeout = 30 * time.Second

// Hook describes a program to run, or a request to send, when an event occurs.
type Hook struct {
	Event   Event
	Run     []string // a program with its arguments, as written; empty if the hook has a URL
	URL     string
	Timeout time.Duration
	Held    bool   // whether the program runs in the sandbox
	Source  string // name of the file that defines the hook, for display

	tools []string // patterns for tool names; if empty, every tool matches

	// Only a hook in Claude Code's format has these fields.
	foreign string         // Claude Code's name for the event
	about   *regexp.Regexp // pattern for Claude Code's tool names; if nil, every tool matches
}

// Set is the ordered set of hooks in a conversation. A set never changes. A nil set has no hooks.
type Set struct{ of map[Event][]Hook }

// New creates a Set from the user's configuration. It converts tool names with resolve, and returns
// an error for each unknown name, because an unknown name would match nothing.
func New(configured map[string][]settings.Hook, resolve func(name string) (string, bool)) (*Set, []error) {
	if len(configured) == 0 {
		return nil, nil
	}
	set, problems := &Set{of: map[Event][]Hook{}}, []error(nil)
	for _, name := range settings.HookEvents {
		event := Event(name)
		for i, each := range configured[name] {
			hook := Hook{Event: event, Run: each.Run, URL: each.URL, Timeout: cmp.Or(each.Timeout, defaultTimeout), Held: each.Sandbox, Source: "config.yaml"}
			var unknown []string
			hook.tools, unknown = splitMatcher(each.Match, resolve)
			for _, tool := range unknown {
				problems = append(problems, fmt.Errorf("\"hooks:\", %s, hook %d: there is no tool named %s, so the name matches nothing (\"marvin tools\" lists the tools)", name, i+1, tool))
			}
			set.of[event] = append(set.of[event], hook)
		}
	}
	return set, problems
}

// splitMatcher splits a hook's matcher into tool names and translates the known names. A name that
// contains "*" never counts as unknown, nor does the name of an MCP tool.
func splitMatcher(match string, resolve func(string) (string, bool)) (names, unknown []string) {
	if match == "" || match == "*" {
		return nil, nil
	}
	for _, name := range strings.Split(match, "|") {
		name = strings.TrimSpace(name)
		if own, known := resolve(name); known {
			name = own
		} else if !strings.Contains(name, "*") && !strings.HasPrefix(name, "mcp_") {
			unknown = append(unknown, name)
		}
		names = append(names, name)
	}
	return names, unknown
}

// Append returns a set in which the given hooks follow the hooks of s.
func (s *Set) Append(more []Hook) *Set {
	if len(more) == 0 {
		return s
	}
	both := &Set{of: map[Event][]Hook{}}
	for _, hook := range append(s.All(), more...) {
		both.of[hook.Event] = append(both.of[hook.Event], hook)
	}
	return both
}

// Matching returns the hooks to run at an event. If a hook has tool patterns, one of the patterns
// must match the tool.
func (s *Set) Matching(event Event, tool string) []Hook {
	if s == nil {
		return nil
	}
	return lists.Filter(s.of[event], func(hook Hook) bool { return hook.concerns(tool) })
}

// All returns the hooks of every event, in the order of the events.
func (s *Set) All() (all []Hook) {
	if s == nil {
		return nil
	}
	for _, name := range settings.HookEvents {
		all = append(all, s.of[Event(name)]...)
	}
	return all
}

func (h Hook) concerns(tool string) bool {
	if h.about != nil {
		return h.concernsForeign(tool)
	}
	return len(h.tools) == 0 || slices.ContainsFunc(h.tools, func(pattern string) bool {
		matches, err := path.Match(pattern, tool)
		return matches || err != nil // an invalid pattern counts as a match, so the hook runs
	})
}

// Match returns the pattern that a tool's name must match for the hook to run.
func (h Hook) Match() string {
	if h.about != nil {
		return strings.TrimSuffix(strings.TrimPrefix(h.about.String(), "^(?:"), ")$")
	}
	return strings.Join(h.tools, "|")
}

// String returns the hook's address or command line, for display.
func (h Hook) String() string {
	return cmp.Or(h.URL, strings.Join(h.Run, " "))
}

// Calls returns a set that contains only the hooks for tool calls. Sub-agents and nested Marvin
// processes run no other hooks.
func (s *Set) Calls() *Set {
	if s == nil {
		return nil
	}
	return &Set{of: map[Event][]Hook{ToolBefore: s.of[ToolBefore], ToolAfter: s.of[ToolAfter]}}
}
