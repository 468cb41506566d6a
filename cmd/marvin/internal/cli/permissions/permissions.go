package permissions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/shell"
	"marvin/tools/toolbox"
)

type Command struct {
	Explain explainCommand `command:"explain" description:"say whether a call would run, and why" long-description:"A call is a command for a shell, or a tool with its arguments. Nothing is run.\n\nExamples:\n  marvin permissions explain \"git push --force origin main\"\n  marvin permissions explain browse_web url=https://x.example/?q=1\n  marvin permissions explain --tool write_note path=a.md content=text"`
	Try     tryCommand     `command:"try" description:"test rules against the calls in an audit log" long-description:"Reads the log that MARVIN_SUBAGENT_LOG or --log names. Shows the calls that match the rules, and how each verdict would change. Nothing runs and nothing is written.\n\nExamples:\n  marvin permissions try \"deny:run_command(git push *)\"\n  marvin permissions try \"allow:run_command(go test *)\" \"ask:ntfy_publish\" --log ~/audit.jsonl"`
}

type explainCommand struct {
	Tool ToolName `long:"tool" value-name:"NAME" description:"explain a call to this tool\nGive its arguments as key=value words or as one JSON object."`
	Args struct {
		Words []ToolName `positional-arg-name:"COMMAND | TOOL key=value"`
	} `positional-args:"yes"`
}

// ToolName is an argument that shells complete with tool names.
type ToolName string

// Complete returns the tools whose names begin with prefix.
func (ToolName) Complete(prefix string) []flags.Completion { return toolNames("", prefix) }

func toolNames(before, prefix string) (list []flags.Completion) {
	for _, tool := range extensions.NewRegistry(persistence.Open("", nil), tools.NewHTTPClient(nil), nil).All() {
		if name := before + tool.Name; strings.HasPrefix(name, prefix) {
			list = append(list, flags.Completion{Item: name, Description: tool.Effect.String()})
		}
	}
	return list
}

// callJudge judges calls outside a conversation.
type callJudge struct {
	home        *persistence.Home
	Settings    settings.Config
	permissions *tools.Permissions
	Registry    *toolbox.Registry
	person      tools.Env
	Alone       tools.Env
}

// NewJudging reads the rules, the sandbox mode and the approval mode as Marvin does at startup.
func NewJudging(w cli.World, opts cli.Options) (callJudge, error) {
	guarded, err := app.Guard(w, opts)
	if err != nil {
		return callJudge{}, err
	}
	w, home, settings, permissions := guarded.World, guarded.Home, guarded.Settings, guarded.Permissions
	dir, err := cli.WorkingDir(w, opts)
	if err != nil {
		return callJudge{}, err
	}
	env := tools.Env{
		Home: home.User, State: home.State, Dir: dir, Root: dir, Coding: true, Held: tools.Held{Sandbox: guarded.Sandbox}, Environ: w.Environ, Now: w.Now,
		Approval: messages.Approval(opts.Approve), Known: &tools.KnownHosts{}, Seen: &tools.Stamps{}, Progress: func(string) {},
	}
	person := env
	person.Person = true
	shelf, _, _ := extensions.NewShelf(extensions.NewRegistry(home, tools.NewHTTPClient(nil), w.Now), home, dir) // "marvin tool check" reports the ignored problems
	if err := app.CheckRules(permissions, shelf.CurrentSnapshot(), home, settings); err != nil {
		return callJudge{}, err
	}
	return callJudge{Settings: settings, home: home, permissions: permissions, Registry: shelf.Snapshot(), person: person, Alone: env}, nil
}

// verdicts returns two verdicts on a call: the first as if a user were present, and the second as
// if no user were present. Both verdicts take into account whether the tool itself asks for
// consent.
func (j callJudge) verdicts(permissions *tools.Permissions, call tools.Call, arguments json.RawMessage, tainted string) (person, alone tools.Verdict) {
	judge := func(env tools.Env) tools.Verdict {
		env.Tainted = tainted
		title := ""
		if call.Confirm != nil {
			title, _ = call.Confirm(env)
		}
		return permissions.Judge(call, env, arguments, title != "")
	}
	return judge(j.person), judge(j.Alone)
}

var fullMode = tools.Mode{Coding: true, Person: true, Planning: true}

// saysTool reports whether a word is spelled like a tool name and is not the name of a program.
func (j callJudge) saysTool(word string) bool {
	if !strings.Contains(strings.Trim(word, "_"), "_") || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return false
	}
	_, err := tools.Program(word, j.person.Environ)
	return err != nil
}

// call parses command-line words as a tool call. If no tool is given, the words are a shell command
// or begin with a tool's name.
func (j callJudge) call(tool string, words []string) (call tools.Call, arguments json.RawMessage, err error) {
	shellTool := shell.Tools()[0]
	shellName := shellTool.Name
	if tool == "" {
		named, exists := j.Registry.Lookup(words[0])
		switch {
		case exists && len(words) > 1 && arePairs(words[1:]) && (named.Name != shellName || argumentsOf(shellTool, words[1:])):
			tool, words = words[0], words[1:]
		case words[0] != shellName && j.saysTool(words[0]):
			if _, err := j.Registry.Find(words[0], fullMode); err != nil {
				return call, nil, fmt.Errorf("%w\nTo explain a shell command instead, put %s in front of it", err, shellName)
			}
			return call, nil, fmt.Errorf("%s is a tool: write its arguments as key=value words or as one JSON object. To explain a shell command instead, put %s in front of it", words[0], shellName)
		default:
			tool = shellName
		}
	}
	if tool == shellName && !argumentsOf(shellTool, words) {
		if len(words) > 1 && words[0] == shellName {
			words = words[1:]
		}
		arguments, err = json.Marshal(map[string]string{"command": strings.Join(words, " ")})
	} else {
		arguments, err = cli.KeyValues(words)
	}
	if err != nil {
		return call, nil, err
	}
	found, err := j.Registry.Find(tool, fullMode)
	if err != nil {
		return call, nil, err
	}
	call, err = found.Decode(arguments)
	return call, arguments, err
}

// argumentsOf reports whether words are arguments of a tool rather than a shell command. For
// example, "A=b git push" is a command if the tool has no parameter A.
func argumentsOf(tool tools.Tool, words []string) bool {
	return arePairs(words) && !slices.ContainsFunc(words, func(word string) bool {
		name, _, pair := strings.Cut(word, "=")
		return pair && !strings.HasPrefix(strings.TrimSpace(word), "{") && !slices.Contains(tool.Parameters(), name)
	})
}

// arePairs reports whether words are key=value pairs or one JSON object.
func arePairs(words []string) bool {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") && json.Valid([]byte(words[0])) {
		return true
	}
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
		key, _, ok := strings.Cut(word, "=")
		return !ok || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != ""
	})
}

func texts[Text ~string](list []Text) []string {
	return lists.Map(list, func(text Text) string { return string(text) })
}

func inWords(verdict tools.Verdict) string {
	switch {
	case verdict.Decision == tools.Deny:
		return "refused"
	case verdict.Decision == tools.Ask && verdict.Firm:
		return "Marvin asks each time"
	case verdict.Decision == tools.Ask:
		return "Marvin asks, until you answer \"always\""
	case verdict.Ruled:
		return "runs, by your rule"
	}
	return "runs"
}

// decidedBy returns the cause of a verdict, for example "the approval mode".
func decidedBy(verdict tools.Verdict) string {
	switch {
	case verdict.Ruled && verdict.Rule != "":
		return "your rule " + verdict.Rule
	case verdict.Planned:
		return "the approval mode"
	case verdict.Payload != "":
		return "what the conversation has read, and where the call sends data"
	case len(verdict.Reasons) > 0:
		return "the effect of the call"
	case verdict.ReadOnly && verdict.Decision == tools.Allow:
		return "the effect of the call: it only reads"
	case verdict.Decision == tools.Ask:
		return "the tool (it always asks first) or the approval mode"
	}
	return "the default: no rule forbids it or asks about it"
}

// Run explains whether a call would be allowed, and why.
func (asked explainCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	words := texts(asked.Args.Words)
	if len(words) == 0 && asked.Tool == "" {
		return errors.New("there is nothing to explain; example: marvin permissions explain \"git push --force\"")
	}
	judging, err := NewJudging(world, opts)
	if err != nil {
		return err
	}
	call, arguments, err := judging.call(string(asked.Tool), words)
	if err != nil {
		return err
	}
	found := judging.explain(call, arguments)
	if opts.Output != "text" && opts.Output != "" {
		return cli.WriteLine(world, found)
	}
	found.print(world)
	return nil
}
