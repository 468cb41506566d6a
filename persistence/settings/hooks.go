package settings

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/yamltext"
)

// Hook is one entry of the section "hooks" in config.yaml. The program or URL of the hook receives
// an event and can decide what happens next.
type Hook struct {
	Match   string        // the name of a tool, or a pattern with * and |; "" matches every tool
	Run     []string      // a program and its arguments
	URL     string        // the address to which the event is sent by POST
	Timeout time.Duration // 0 means the default
	Sandbox bool          // set if the program runs in the sandbox
}

// HookEvents lists the events that can have hooks, in the order in which they happen.
var HookEvents = []string{
	"app.start", "session.start", "session.resume", "session.clear", "agent.start", "turn.start",
	"tool.execute.before", "permission.asked", "tool.execute.after", "session.compact", "turn.end", "agent.stop", "agent.end",
}

// LongestHook is the maximum timeout of a hook. A tool call waits for its hooks.
const LongestHook = 10 * time.Minute

// hookTable is parsed strictly, because a misread hook might fail to block an action.
type hookTable map[string][]Hook

type hookFile struct {
	Match   string            `yaml:"match"`
	Run     yamltext.WordList `yaml:"run"`
	URL     string            `yaml:"url"`
	Timeout string            `yaml:"timeout"`
	Sandbox bool              `yaml:"sandbox"`
}

// UnmarshalYAML decodes a list of hooks for each event.
func (h *hookTable) UnmarshalYAML(node ast.Node) error {
	*h = hookTable{}
	return eachOf(node, "hooks must be lists under the names of events, such as tool.execute.before: [{match: run_command, run: [./check.sh]}]", func(key, value ast.Node) error {
		name := key.GetToken().Value
		if !slices.Contains(HookEvents, name) {
			return yamltext.ErrorAt(key, "there is no event %q%s", name, yamltext.SuggestKey(name, HookEvents))
		}
		list, ok := value.(*ast.SequenceNode)
		if !ok {
			return yamltext.ErrorAt(value, "the hooks of %s must be a list such as [{run: [./check.sh]}]", name)
		}
		for _, each := range list.Values {
			hook, err := hookOf(name, each)
			if err != nil {
				return err
			}
			(*h)[name] = append((*h)[name], hook)
		}
		return nil
	})
}

func hookOf(event string, node ast.Node) (hook Hook, err error) {
	var file hookFile
	if err := yaml.NodeToValue(node, &file, yaml.Strict()); err != nil {
		return hook, err
	}
	hook = Hook{Match: file.Match, Run: file.Run, URL: file.URL, Sandbox: file.Sandbox}
	if file.Timeout != "" {
		if hook.Timeout, err = time.ParseDuration(file.Timeout); err != nil || hook.Timeout <= 0 || hook.Timeout > LongestHook {
			return hook, yamltext.ErrorAt(node, "timeout: %q is not a duration of at most %s; give one such as 5s", file.Timeout, LongestHook)
		}
	}
	target, err := url.Parse(file.URL)
	runs := len(file.Run) > 0 && file.Run[0] != ""
	switch {
	case runs == (file.URL != ""):
		return hook, yamltext.ErrorAt(node, "a hook for %s needs either run: [PROGRAM, …] or url: https://…", event)
	case slices.ContainsFunc(file.Run, func(word string) bool { return strings.ContainsRune(word, 0) }):
		return hook, yamltext.ErrorAt(node, "a word of \"run\" contains a NUL byte")
	case file.URL != "" && (err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https"):
		return hook, yamltext.ErrorAt(node, "%q is not an address such as https://example.com/hook", file.URL)
	case file.URL != "" && file.Sandbox:
		return hook, yamltext.ErrorAt(node, "\"sandbox\" works only with \"run\", but this hook has \"url\"")
	case file.Match != "" && !strings.HasPrefix(event, "tool."):
		return hook, yamltext.ErrorAt(node, "\"match\" works only for tool.execute.before and tool.execute.after; the event %s is not about a tool", event)
	case file.Match != "" && slices.ContainsFunc(strings.Split(file.Match, "|"), func(name string) bool { return !isToolPattern(strings.TrimSpace(name)) }):
		return hook, yamltext.ErrorAt(node, "match: %q is not a list of tool names such as run_command|apply_patch|mcp_*", file.Match)
	}
	return hook, nil
}

// isToolPattern reports whether a word can be a tool's name, possibly with * as a wildcard. It
// refuses regular expressions, which would match no tool and block nothing.
func isToolPattern(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return r != '_' && r != '-' && r != '*' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
