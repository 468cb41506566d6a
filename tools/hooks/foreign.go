package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"marvin/persistence/settings"
)

// ForeignFiles lists the project files in which Claude Code keeps hooks (see
// code.claude.com/docs/en/hooks). Marvin runs these hooks only if the user accepts them.
var ForeignFiles = []string{".claude/settings.json", ".claude/settings.local.json"}

// Offer contains the hooks from one Claude Code settings file. Marvin runs the hooks only after
// the user accepts this version of the hooks.
type Offer struct {
	File  string
	Hash  string // hash of all hooks in the file
	Hooks []Hook
	Left  []string // descriptions of the parts that Marvin cannot convert
}

// foreignEvents maps Claude Code's events to Marvin's.
var foreignEvents = map[string][]Event{
	"PreToolUse": {ToolBefore}, "PostToolUse": {ToolAfter}, "UserPromptSubmit": {AgentStart},
	"SessionStart": {SessionStart, SessionResume, SessionClear}, "PreCompact": {SessionCompact},
	"PermissionRequest": {PermissionAsked}, "Notification": {PermissionAsked}, "Stop": {AgentStop}, "SessionEnd": {AgentEnd},
}

// foreignEntry is one matcher with its hooks.
type foreignEntry struct {
	Matcher string `json:"matcher"`
	Hooks   []struct {
		Type    string  `json:"type"`
		Command string  `json:"command"`
		Timeout float64 `json:"timeout"` // seconds
	} `json:"hooks"`
}

// ReadOffer parses the hooks in a settings file. It returns nil if the file has no hooks or
// disables them.
func ReadOffer(file string, data []byte) (*Offer, error) {
	var settings struct {
		Off   bool                      `json:"disableAllHooks"`
		Hooks map[string][]foreignEntry `json:"hooks"`
	}
	if err := json.Unmarshal(data, &settings); err != nil {
		return nil, fmt.Errorf("%s is not a Claude Code settings file: %w", file, err)
	}
	if settings.Off || len(settings.Hooks) == 0 {
		return nil, nil
	}
	canonical, err := json.Marshal(settings.Hooks) // Marshal sorts the keys of maps
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	sum := sha256.Sum256(canonical)
	offer := &Offer{File: file, Hash: hex.EncodeToString(sum[:])}
	for _, name := range slices.Sorted(maps.Keys(settings.Hooks)) {
		events := foreignEvents[name]
		if len(events) == 0 {
			offer.Left = append(offer.Left, name+": Marvin has no such event")
		}
		for _, event := range events {
			offer.addHooks(name, event, settings.Hooks[name])
		}
	}
	return offer, nil
}

func (o *Offer) addHooks(name string, event Event, entries []foreignEntry) {
	for _, entry := range entries {
		about, err := foreignMatcher(event, entry.Matcher)
		if err != nil {
			o.Left = append(o.Left, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		for _, each := range entry.Hooks {
			if each.Type != "command" || strings.TrimSpace(each.Command) == "" {
				o.Left = append(o.Left, fmt.Sprintf("%s: Marvin has no hooks of type %q", name, each.Type))
				continue
			}
			hook := Hook{Event: event, Run: []string{"sh", "-c", each.Command}, Timeout: time.Minute, Held: true, Source: o.File, foreign: name, about: about}
			if each.Timeout > 0 {
				hook.Timeout = min(time.Duration(each.Timeout*float64(time.Second)), settings.LongestHook)
			}
			o.Hooks = append(o.Hooks, hook)
		}
	}
}

// foreignMatcher compiles a matcher to a pattern for Claude Code's tool names. The pattern is nil
// if every tool matches. Matchers are ignored for events that are not about a tool, because Marvin
// does not distinguish the cases that such a matcher selects.
func foreignMatcher(event Event, matcher string) (*regexp.Regexp, error) {
	if matcher == "" || matcher == "*" || event != ToolBefore && event != ToolAfter {
		return nil, nil
	}
	about, err := regexp.Compile("^(?:" + matcher + ")$")
	if err != nil || len(matcher) > 1000 {
		return nil, errors.New("its matcher is not valid, so the hook would never run")
	}
	return about, nil
}

// foreignNames maps Marvin's tools to Claude Code's names for them.
var foreignNames = map[string][]string{
	"run_command": {"Bash"}, "read_file": {"Read"}, "create_file": {"Write"}, "append_file": {"Edit"},
	"apply_patch": {"Edit", "MultiEdit"}, "code_grep": {"Grep"}, "find_files": {"Glob"}, "browse_web": {"WebFetch"},
	"web_search": {"WebSearch"}, "launch_agent": {"Task", "Agent"}, "update_plan": {"TodoWrite"}, "tree": {"LS"},
}

// concernsForeign reports whether the hook's pattern matches the tool's Marvin name or one of its
// Claude Code names.
func (h Hook) concernsForeign(tool string) bool {
	names := append([]string{tool}, foreignNames[tool]...)
	if server, rest, is := strings.Cut(strings.TrimPrefix(tool, "mcp_"), "_"); is && strings.HasPrefix(tool, "mcp_") {
		names = append(names, "mcp__"+server+"__"+rest)
	}
	return slices.ContainsFunc(names, h.about.MatchString)
}
