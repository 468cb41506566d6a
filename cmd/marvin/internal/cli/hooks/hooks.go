package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/permissions"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/hooks"
	"marvin/tools/toolbox"
	"marvin/ui/slash"
)

type Command struct {
	List   hooksListCommand   `command:"list" description:"list the hooks, by event" long-description:"Examples:\n  marvin hooks list\n  marvin hooks list --output json"`
	Accept hooksAcceptCommand `command:"accept" description:"use the hooks that this project offers; they run in the sandbox" long-description:"Marvin lists the hooks in .claude/settings.json and does not run them until you accept them. You accept them exactly as they are now: if they change later, accept them again.\n\nExamples:\n  marvin hooks accept\n  marvin hooks accept .claude/settings.json"`
	Refuse hooksRefuseCommand `command:"refuse" description:"stop using the hooks of this project"`
	Test   hooksTestCommand   `command:"test" description:"send an event to the hooks, and show their answers" long-description:"Runs the hooks as if the event happened now, with the given input. The tool itself is not called.\n\nExamples:\n  marvin hooks test tool.execute.before --tool run_command --args '{\"command\":\"git push\"}'\n  marvin hooks test tool.execute.after --tool read_file --args '{\"path\":\"a.txt\"}' --result 'text'\n  marvin hooks test agent.start --text 'a prompt'"`
}

type hooksListCommand struct{}

type hooksTestCommand struct {
	Tool       permissions.ToolName `long:"tool" value-name:"NAME" description:"the tool of the call"`
	Arguments  string               `long:"args" value-name:"JSON" description:"the arguments of the call, one JSON object"`
	Result     string               `long:"result" value-name:"TEXT" description:"the result of the call, for tool.execute.after"`
	Text       string               `long:"text" value-name:"TEXT" description:"the prompt, if the event has one"`
	Positional struct {
		Event eventName `positional-arg-name:"EVENT" required:"yes" description:"an event that \"marvin help hooks\" lists"`
	} `positional-args:"yes"`
}

type eventName string

// Complete proposes the events for shell completion.
func (eventName) Complete(prefix string) (list []flags.Completion) {
	for _, name := range settings.HookEvents {
		if strings.HasPrefix(name, prefix) {
			list = append(list, flags.Completion{Item: name})
		}
	}
	return list
}

// hookRow is a hook in JSON output.
type hookRow struct {
	Event   string   `json:"event"`
	Match   string   `json:"match,omitempty"`
	Run     []string `json:"run,omitempty"`
	URL     string   `json:"url,omitempty"`
	Seconds float64  `json:"timeout_seconds"`
	Sandbox bool     `json:"sandbox"`
	Source  string   `json:"source"`
	Offer   bool     `json:"offer,omitempty"` // the user has not accepted the hook, so it does not run
}

func (c hooksListCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	table, err := HookTable(world, opts)
	if err != nil {
		return err
	}
	if opts.Output == "text" {
		fmt.Fprintln(world.Stdout, strings.Join(table.Lines(), "\n"))
		return nil
	}
	rows := []hookRow{}
	add := func(list []hooks.Hook, offer bool) {
		for _, hook := range list {
			rows = append(rows, hookRow{string(hook.Event), hook.Match(), hook.Run, hook.URL, hook.Timeout.Seconds(), hook.Held, hook.Source, offer})
		}
	}
	add(table.set.All(), false)
	for _, offer := range table.offers {
		add(offer.Hooks, true)
	}
	encoder := json.NewEncoder(world.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(rows)
}

// hookTable holds the state that the hook commands share.
type hookTable struct {
	set      *hooks.Set
	problems []error
	registry *toolbox.Registry
	place    hooks.HookEnv
	home     *persistence.Home
	offers   []*hooks.Offer
	passed   string // a description of the offered hooks' environment
}

func HookTable(w cli.World, opts cli.Options) (hookTable, error) {
	judging, err := permissions.NewJudging(w, opts)
	if err != nil {
		return hookTable{}, err
	}
	client, err := w.Client(judging.Settings)
	if err != nil {
		return hookTable{}, err
	}
	table := hookTable{registry: judging.Registry, place: hooks.HookEnv{Env: judging.Alone, Client: client, Config: judging.Alone.State}}
	table.set, table.problems = extensions.OwnHooks(judging.Settings, judging.Registry)
	table.home = cli.OpenHome(w)
	accepted, offers, err := extensions.ProjectHooks(table.home, judging.Alone.Dir)
	if err != nil {
		table.problems = append(table.problems, err)
	}
	table.set, table.offers = table.set.Append(accepted), offers
	if len(offers) > 0 {
		table.passed = extensions.ProjectEnvironment(w, table.home)
	}
	return table, nil
}

// Lines describes the hooks for the user.
func (d hookTable) Lines() []string {
	var lines []string
	event := hooks.Event("")
	for _, hook := range d.set.All() {
		if hook.Event != event {
			event = hook.Event
			lines = append(lines, string(event))
		}
		lines = append(lines, hookLine(hook))
	}
	if len(lines) == 0 {
		lines = []string{"You have no hooks. To add some, list programs under \"hooks:\" in config.yaml (marvin help hooks)."}
	}
	for _, offer := range d.offers {
		lines = append(lines, "offered by "+offer.File+", but not running, because you have not accepted them (marvin hooks accept):")
		for _, hook := range offer.Hooks {
			lines = append(lines, "  "+string(hook.Event)+hookLine(hook))
		}
		lines = append(lines, "  they would get "+d.passed)
		for _, left := range offer.Left {
			lines = append(lines, "  left out: "+tools.Visible(left))
		}
	}
	for _, problem := range d.problems {
		lines = append(lines, "warning: "+problem.Error())
	}
	return lines
}

func hookLine(hook hooks.Hook) string {
	line := "  " + tools.Visible(hook.String())
	if match := hook.Match(); match != "" {
		line += " for " + match
	}
	line += fmt.Sprintf(", %s at most", hook.Timeout)
	if hook.Held {
		line += ", in the sandbox"
	}
	return line
}

func (c hooksTestCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	table, err := HookTable(world, opts)
	if err != nil {
		return err
	}
	said, err := c.input(table)
	if err != nil {
		return err
	}
	list := table.set.Matching(said.Event, said.Tool)
	if len(list) == 0 {
		fmt.Fprintf(world.Stdout, "No hook matches %s%s.\n", said.Event, tools.Visible(about(said.Tool)))
		return nil
	}
	return table.tryEach(ctx, world.Stdout, world.Now, list, said)
}

func about(tool string) string {
	if tool == "" {
		return ""
	}
	return " of " + tool
}

func (c hooksTestCommand) input(table hookTable) (hooks.HookInput, error) {
	name := string(c.Positional.Event)
	if !slices.Contains(settings.HookEvents, name) {
		return hooks.HookInput{}, fmt.Errorf("there is no event %q; the events are %s%s", name, strings.Join(settings.HookEvents, ", "), cli.DidYouMean("", slash.Suggest(name, settings.HookEvents)))
	}
	said := hooks.HookInput{Event: hooks.Event(name), Session: "test", Dir: table.place.Env.Dir, Prompt: c.Text}
	if !strings.HasPrefix(name, "tool.") {
		return said, nil
	}
	if c.Tool == "" {
		return said, errors.New("name the tool and its arguments: --tool run_command --args '{\"command\":\"ls\"}'")
	}
	tool, known := table.registry.Lookup(string(c.Tool))
	if !known {
		return said, fmt.Errorf("there is no tool named %s; to list the tools, run marvin tools", c.Tool)
	}
	said.Tool, said.Args = tool.Name, json.RawMessage("{}")
	if c.Arguments != "" {
		call, err := tool.Decode(json.RawMessage(c.Arguments))
		if err != nil {
			return said, errors.New(messages.ForPeople(err.Error()))
		}
		said.Tool, said.Args = call.Tool.Name, call.Arguments()
	}
	if said.Event == hooks.ToolAfter {
		said.Result, said.Status = &c.Result, "ok"
	}
	return said, nil
}

func (d hookTable) tryEach(ctx context.Context, out io.Writer, now func() time.Time, list []hooks.Hook, said hooks.HookInput) error {
	failed := 0
	for _, hook := range list {
		began := now()
		outcome := hooks.Run(ctx, d.place, []hooks.Hook{hook}, said)
		fmt.Fprintf(out, "%s (%d ms)\n", tools.Visible(hook.String()), now().Sub(began).Milliseconds())
		failed += len(outcome.Problems)
		for _, line := range verdictOf(outcome) {
			fmt.Fprintln(out, "  "+strings.ReplaceAll(tools.Visible(line), "\n", "\n  "))
		}
		if outcome.Args != nil {
			said.Args = outcome.Args
		}
		if outcome.Result != nil {
			said.Result = outcome.Result
		}
		if outcome.Decision == hooks.No {
			break // later hooks do not run
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of the hooks failed", failed)
	}
	return nil
}

func verdictOf(outcome hooks.Outcome) (lines []string) {
	switch outcome.Decision {
	case hooks.No:
		lines = append(lines, "no: "+outcome.Reason)
	case hooks.Ask:
		lines = append(lines, "ask: "+outcome.Reason)
	default:
		lines = append(lines, "lets it pass")
	}
	if outcome.Args != nil {
		lines = append(lines, "changes the arguments to "+string(outcome.Args))
	}
	if outcome.Result != nil {
		lines = append(lines, "changes the result to "+*outcome.Result)
	}
	for _, words := range outcome.Context {
		lines = append(lines, "tells the model: "+words)
	}
	return append(lines, outcome.Problems...)
}

type hooksAcceptCommand struct{ extensions.HooksFile }

func (c hooksAcceptCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	table, err := HookTable(world, opts)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(table.offers, func(offer *hooks.Offer) bool { return c.Args.File == "" || offer.File == c.Args.File })
	if at < 0 {
		return fmt.Errorf("this project offers no hooks%s; to list all hooks, run marvin hooks list", extensions.In(tools.Visible(c.Args.File)))
	}
	for _, offer := range table.offers[at:] {
		if c.Args.File != "" && offer.File != c.Args.File {
			continue
		}
		if err := projects.OffersOf(table.home).Accept(table.place.Env.Dir, extensions.AcceptedHooks(offer.File), offer.Hash); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "The hooks of %s are now used in this directory, in the sandbox:\n", offer.File)
		for _, hook := range offer.Hooks {
			fmt.Fprintln(world.Stdout, hookLine(hook))
		}
		fmt.Fprintf(world.Stdout, "  they get %s\n", extensions.ProjectEnvironment(world, table.home))
		for _, left := range offer.Left {
			fmt.Fprintln(world.Stdout, "  left out:", tools.Visible(left))
		}
	}
	return nil
}

type hooksRefuseCommand struct{ extensions.HooksFile }

func (c hooksRefuseCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	table, err := HookTable(world, opts)
	if err != nil {
		return err
	}
	for _, file := range hooks.ForeignFiles {
		if c.Args.File != "" && c.Args.File != file {
			continue
		}
		if err := projects.OffersOf(table.home).Refuse(table.place.Env.Dir, extensions.AcceptedHooks(file)); err != nil {
			return err
		}
	}
	fmt.Fprintln(world.Stdout, "The hooks of this project no longer run.")
	return nil
}
