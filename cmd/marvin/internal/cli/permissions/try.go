package permissions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/persistence/audit"
	"marvin/tools"
	"marvin/tools/shell"
)

type tryCommand struct {
	Log  string `long:"log" value-name:"PATH" description:"the audit log (MARVIN_SUBAGENT_LOG)"`
	Args struct {
		Rules []ruleWord `positional-arg-name:"allow|ask|deny:RULE" required:"1" description:"a verdict and a rule"`
	} `positional-args:"yes"`
}

// ruleWord is a verdict and a rule, such as "deny:run_command(git push *)".
type ruleWord string

// Complete returns completions for the verdict and the tool name of a rule.
func (ruleWord) Complete(prefix string) (list []flags.Completion) {
	for _, kind := range []string{"allow:", "ask:", "deny:"} {
		if strings.HasPrefix(kind, prefix) {
			list = append(list, flags.Completion{Item: kind})
		} else if strings.HasPrefix(prefix, kind) {
			list = toolNames(kind, prefix)
		}
	}
	return list
}

// MaxListedCalls is the maximum number of calls in the output.
const MaxListedCalls = 20

// Tryout is the effect that new rules would have had on logged calls.
type Tryout struct {
	Rules   []string    `json:"rules"`
	Log     string      `json:"log"`
	Dir     string      `json:"working_dir"` // the assumed working directory of the calls
	Calls   int         `json:"calls"`
	Strange int         `json:"lines_that_are_no_call"`
	Cut     int         `json:"cut_in_the_log"` // the number of calls whose logged arguments were shortened
	Matched int         `json:"matched"`
	Changed int         `json:"changed"`
	Changes []Change    `json:"changes"`
	Shown   []triedCall `json:"shown"` // the first matching calls
}

// Change counts the calls with one combination of old and new verdicts. The old and new verdicts
// can be equal.
type Change struct {
	Count  int       `json:"count"`
	Person [2]string `json:"with_person"` // before and after
	Alone  [2]string `json:"non_interactive"`
}

// triedCall is a logged call that matches a new rule. Person and Alone each hold two decisions: the
// one without the new rules, and the one with them.
type triedCall struct {
	At     time.Time `json:"at"`
	Tool   string    `json:"tool"`
	Text   string    `json:"text"`
	Person [2]string `json:"with_person"`
	Alone  [2]string `json:"non_interactive"`
}

// Run shows the logged calls that match the new rules, and how each verdict would change.
func (asked tryCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	path := cmp.Or(asked.Log, world.Getenv("MARVIN_SUBAGENT_LOG"))
	if path == "" {
		return errors.New("there is no audit log; name one with --log PATH, or let Marvin keep one: export MARVIN_SUBAGENT_LOG=~/marvin-calls.jsonl")
	}
	judging, err := NewJudging(world, opts)
	if err != nil {
		return err
	}
	rules := texts(asked.Args.Rules)
	alone, with, err := judging.withRules(rules)
	if err != nil {
		return err
	}
	found := Tryout{Rules: rules, Log: path, Dir: judging.person.Dir, Changes: []Change{}, Shown: []triedCall{}}
	found.Strange, err = audit.Read(path, func(logged audit.LoggedCall) { found.add(judging, alone, with, logged) })
	if err != nil {
		return err
	}
	slices.SortStableFunc(found.Changes, func(a, b Change) int { return cmp.Compare(b.Count, a.Count) })
	if opts.Output != "text" && opts.Output != "" {
		return cli.WriteLine(world, found)
	}
	found.print(world)
	return nil
}

// withRules parses new rules. The first result holds separate permissions for each rule; the second
// combines the new rules with the user's rules.
func (j callJudge) withRules(rules []string) (alone []*tools.Permissions, with *tools.Permissions, err error) {
	all := j.Settings.Permissions
	lists := map[string]*[]string{"allow": &all.Allow, "ask": &all.Ask, "deny": &all.Deny}
	for _, word := range rules {
		kind, rule, ok := strings.Cut(word, ":")
		list := lists[strings.TrimSpace(kind)]
		if !ok || list == nil {
			return nil, nil, fmt.Errorf("%q does not say what the rule does; write allow:, ask: or deny: before it, as in \"deny:run_command(git push *)\"", word)
		}
		var only [3][]string
		only[slices.Index([]string{"allow", "ask", "deny"}, strings.TrimSpace(kind))] = []string{rule}
		one, err := tools.NewPermissions(only[0], only[1], only[2])
		if err != nil {
			return nil, nil, err
		}
		for _, problem := range app.RuleProblems(one, j.Registry, j.home, j.Settings) {
			return nil, nil, problem
		}
		alone = append(alone, one)
		*list = append(slices.Clone(*list), rule)
	}
	with, err = tools.NewPermissions(all.Allow, all.Ask, all.Deny)
	return alone, with, err
}

// add determines the verdicts on a logged call with and without the new rules, and adds the result
// to t.
func (t *Tryout) add(judging callJudge, alone []*tools.Permissions, with *tools.Permissions, logged audit.LoggedCall) {
	t.Calls++
	if logged.Cut {
		t.Cut++
	}
	call, arguments := judging.rebuild(logged)
	beforePerson, beforeAlone := judging.verdicts(judging.permissions, call, arguments, "")
	afterPerson, afterAlone := judging.verdicts(with, call, arguments, "")
	one := triedCall{
		At: logged.At, Tool: logged.Tool, Text: summary(logged),
		Person: [2]string{short(beforePerson), short(afterPerson)}, Alone: [2]string{short(beforeAlone), short(afterAlone)},
	}
	if !slices.ContainsFunc(alone, func(rule *tools.Permissions) bool {
		person, _ := judging.verdicts(rule, call, arguments, "")
		return person.Ruled
	}) {
		return
	}
	t.Matched++
	if len(t.Shown) < MaxListedCalls {
		t.Shown = append(t.Shown, one)
	}
	if one.Person[0] != one.Person[1] || one.Alone[0] != one.Alone[1] {
		t.Changed++
	}
	at := slices.IndexFunc(t.Changes, func(c Change) bool { return c.Person == one.Person && c.Alone == one.Alone })
	if at < 0 {
		t.Changes = append(t.Changes, Change{Person: one.Person, Alone: one.Alone})
		at = len(t.Changes) - 1
	}
	t.Changes[at].Count++
}

// rebuild decodes a logged call. If the tool no longer exists or decoding fails, the returned call
// contains only the tool and, for run_command, the command line.
func (j callJudge) rebuild(logged audit.LoggedCall) (tools.Call, json.RawMessage) {
	arguments, _ := json.Marshal(logged.Args) // strings can always be encoded
	tool, ok := j.Registry.Lookup(logged.Tool)
	if ok {
		if call, err := tool.Decode(arguments); err == nil {
			return call, arguments
		}
	} else {
		tool = tools.Tool{Name: logged.Tool}
	}
	call := tools.Call{Tool: &tool}
	if line, ok := logged.Args["command"]; ok && logged.Tool == shell.Tools()[0].Name {
		call.Command = &line
	}
	return call, arguments
}

func summary(logged audit.LoggedCall) string {
	const most = 100
	var words []string
	for _, name := range slices.Sorted(maps.Keys(logged.Args)) {
		if name == "command" {
			words = append(words, logged.Args[name])
		} else {
			words = append(words, name+"="+logged.Args[name])
		}
	}
	text := []rune(strings.Join(strings.Fields(tools.Visible(strings.Join(words, " "))), " "))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return string(text)
}

func short(verdict tools.Verdict) string {
	switch {
	case verdict.Decision == tools.Deny:
		return "refused"
	case verdict.Decision == tools.Ask && verdict.Firm:
		return "asked each time"
	case verdict.Decision == tools.Ask:
		return "asked"
	}
	return "runs"
}

func (t Tryout) print(world cli.World) {
	out := world.Stdout
	fmt.Fprintf(out, "%s\ntested on %s in %s, in the directory %s\n", tools.Visible(strings.Join(t.Rules, "\n")), messages.Counted(t.Calls, "call"), tools.Visible(t.Log), tools.Visible(t.Dir))
	if t.Strange > 0 {
		fmt.Fprintf(out, "  no calls: %s\n", messages.Counted(t.Strange, "line"))
	}
	if t.Cut > 0 {
		fmt.Fprintf(out, "  shortened in the log, so only the stored part was tested: %s\n", messages.Counted(t.Cut, "call"))
	}
	fmt.Fprintf(out, "\nmatches %d, changes %d\n", t.Matched, t.Changed)
	if t.Matched == 0 {
		return
	}
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "\nCALLS\tIN A CONVERSATION\t--NON-INTERACTIVE")
	for _, change := range t.Changes {
		fmt.Fprintf(table, "%d\t%s\t%s\n", change.Count, becomes(change.Person), becomes(change.Alone))
	}
	fmt.Fprintln(table)
	for _, one := range t.Shown {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s %s\n", one.At.Format("2006-01-02 15:04"), becomes(one.Person), becomes(one.Alone), tools.Visible(one.Tool), one.Text)
	}
	if err := table.Flush(); err == nil && t.Matched > len(t.Shown) {
		fmt.Fprintf(out, "and %d more\n", t.Matched-len(t.Shown))
	}
}

func becomes(verdicts [2]string) string {
	if verdicts[0] == verdicts[1] {
		return verdicts[0]
	}
	return verdicts[0] + " → " + verdicts[1]
}
