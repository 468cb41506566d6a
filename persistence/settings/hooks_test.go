package settings

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestHooksOfTheConfiguration(t *testing.T) {
	config, unknown, err := parseConfig("c", []byte(`
hooks:
  tool.execute.before:
    - {match: "run_command|apply_patch", run: [./check.sh, --strict], timeout: 5s}
    - {url: "https://example.com/hook"}
  agent.end:
    - run: notify-send
      sandbox: true
`))
	if err != nil || unknown != nil {
		t.Fatal(err, unknown)
	}
	want := map[string][]Hook{
		"tool.execute.before": {{Match: "run_command|apply_patch", Run: []string{"./check.sh", "--strict"}, Timeout: 5 * time.Second}, {URL: "https://example.com/hook"}},
		"agent.end":           {{Run: []string{"notify-send"}, Sandbox: true}},
	}
	if !reflect.DeepEqual(config.Hooks, want) {
		t.Errorf("%+v", config.Hooks)
	}
}

func TestNamesOfToolsInHooks(t *testing.T) {
	for word, good := range map[string]bool{
		"run_command": true, "mcp_*": true, "a-b.c": true, "AZaz09": true, "*": true,
		"": false, "a b": false, "a+": false, "^a": false, "a/b": false, "a:b": false, "@": false, "a[b": false, "`": false, "a{2": false, "é": false,
	} {
		if isToolPattern(word) != good {
			t.Errorf("%q is a name: %v", word, !good)
		}
	}
}

// An invalid hook would not block the calls that it should block, so Marvin does not start.
func TestAHookThatCannotBeUnderstoodEndsTheStart(t *testing.T) {
	for content, want := range map[string]string{
		"hooks: [x]\n": `c:1: hooks must be lists under the names of events, such as tool.execute.before: [{match: run_command, run: [./check.sh]}]; correct this line`,
		"hooks:\n  tool.execute.befor: [{run: a}]\n":                              `c:2: there is no event "tool.execute.befor" (did you mean "tool.execute.before"?); correct this line`,
		"hooks:\n  tool.execute.before: {run: a}\n":                               `c:2: the hooks of tool.execute.before must be a list such as [{run: [./check.sh]}]; correct this line`,
		"hooks:\n  agent.end: [{}]\n":                                             `c:2: a hook for agent.end needs either run: [PROGRAM, …] or url: https://…; correct this line`,
		"hooks:\n  agent.end: [{run: a, url: 'https://b.c'}]\n":                   `c:2: a hook for agent.end needs either run: [PROGRAM, …] or url: https://…; correct this line`,
		"hooks:\n  agent.end: [{run: a, timeout: 5}]\n":                           `c:2: timeout: "5" is not a duration of at most 10m0s; give one such as 5s; correct this line`,
		"hooks:\n  agent.end: [{run: a, timeout: 3h}]\n":                          `c:2: timeout: "3h" is not a duration of at most 10m0s; give one such as 5s; correct this line`,
		"hooks:\n  agent.end: [{run: a, match: run_command}]\n":                   `c:2: "match" works only for tool.execute.before and tool.execute.after; the event agent.end is not about a tool; correct this line`,
		"hooks:\n  tool.execute.before: [{run: a, match: 'run_(command|job)'}]\n": `c:2: match: "run_(command|job)" is not a list of tool names such as run_command|apply_patch|mcp_*; correct this line`,
		"hooks:\n  tool.execute.before: [{run: a, matcher: b}]\n":                 `c:2: there is no setting "matcher" (did you mean "match"?); correct or remove this line`,
		"hook:\n  agent.end: [{run: a}]\n":                                        `c:1: there is no setting "hook" (did you mean "hooks"?); correct or remove this line`,
		"hooks:\n  agent.end: [{url: example.com}]\n":                             `c:2: "example.com" is not an address such as https://example.com/hook; correct this line`,
	} {
		_, _, err := parseConfig("c", []byte(content))
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", content, err, want)
		}
		h := store.Open(t.TempDir(), time.Now)
		storetest.Put(t, h.Path("config.yaml"), content)
		if _, err := Read(h); !errors.As(err, new(*GuardsError)) {
			t.Errorf("%q: %v does not end the start", content, err)
		}
	}
}
