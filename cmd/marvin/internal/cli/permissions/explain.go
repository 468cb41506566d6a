package permissions

import (
	"encoding/json"
	"fmt"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/tools"
	"marvin/tools/shell"
)

// explanation describes whether a call would be allowed, and why.
type explanation struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Command   string          `json:"command,omitempty"`
	Dir       string          `json:"working_dir"`
	Effect    string          `json:"effect"`
	Brings    string          `json:"brings"`
	Person    ruling          `json:"with_person"`
	Alone     ruling          `json:"non_interactive"`
	Asks      string          `json:"asks,omitempty"` // the fixed hosts that the tool contacts
	Sends     []sent          `json:"sends,omitempty"`
	// After contains the decisions that apply once the conversation contains untrusted or private
	// text. It is nil if the decisions stay the same.
	After *after `json:"after_strangers,omitempty"`
	// Hosts contains the hosts in the text of the command. If the conversation contains untrusted
	// or private text, a connection to one of these hosts needs the user's approval.
	Hosts    []string `json:"hosts_after_strangers,omitempty"`
	Withheld []string `json:"withheld,omitempty"`
	state    string   // Marvin's own directory
}

type sent struct {
	To      string `json:"to"`
	Payload string `json:"payload,omitempty"`
}

type after struct {
	Person ruling `json:"with_person"`
	Alone  ruling `json:"non_interactive"`
}

// ruling is the printed form of a verdict.
type ruling struct {
	Decision  string   `json:"decision"` // allow, ask, deny
	EachTime  bool     `json:"each_time"`
	Rule      string   `json:"rule,omitempty"`
	DecidedBy string   `json:"decided_by"`
	Reasons   []string `json:"reasons,omitempty"`
	words     string
	firm      bool
	ruled     bool
}

func rulingOf(verdict tools.Verdict) ruling {
	return ruling{
		Decision: verdict.Decision.String(), EachTime: verdict.Decision == tools.Ask && verdict.Firm, Rule: verdict.Rule, DecidedBy: decidedBy(verdict), Reasons: verdict.Reasons,
		words: inWords(verdict), firm: verdict.Firm, ruled: verdict.Ruled,
	}
}

// takenIn is the source assumed for untrusted text in a conversation.
const takenIn = "A page"

func (j callJudge) explain(call tools.Call, arguments json.RawMessage) explanation {
	person, alone := j.verdicts(j.permissions, call, arguments, "")
	found := explanation{
		Tool: call.Tool.Name, Arguments: arguments, Dir: j.person.Dir, Effect: call.Tool.Effect.String(), Brings: whoseWords(call.Tool),
		Person: rulingOf(person), Alone: rulingOf(alone), state: j.person.State,
	}
	if person.ReadOnly {
		found.Effect = "read-only"
	}
	if call.Command != nil {
		found.Command = *call.Command
		found.Withheld = shell.Withheld(j.person.Environ, found.Command)
	}
	if !call.Tool.Sends {
		found.Asks = call.Tool.Service
	}
	for _, to := range call.Destinations(j.person) {
		found.Sends = append(found.Sends, sent{to.Name, to.Payload})
	}
	laterPerson, laterAlone := j.verdicts(j.permissions, call, arguments, takenIn)
	if later := (after{rulingOf(laterPerson), rulingOf(laterAlone)}); later.Person.words != found.Person.words || later.Alone.words != found.Alone.words {
		found.After = &later
	}
	if env := j.Alone; call.Command != nil && laterAlone.Decision == tools.Allow && !laterAlone.Ruled {
		env.Tainted, env.Rules, env.Line = takenIn, j.permissions, *call.Command
		found.Hosts = call.UnapprovedHosts(env)
	}
	return found
}

// whoseWords classifies the text in a tool's results: text from strangers, private text, or only
// Marvin's own text.
func whoseWords(tool *tools.Tool) string {
	switch {
	case tool.Foreign():
		return "strangers"
	case tool.Untrusted():
		return "private"
	}
	return "its own"
}

func (e explanation) print(world cli.World) {
	out := world.Stdout
	if e.Command != "" {
		fmt.Fprintf(out, "%s\nin %s\n\n", tools.Visible(e.Command), tools.Visible(e.Dir))
	} else {
		fmt.Fprintf(out, "%s %s\nin %s\n\n", e.Tool, tools.Visible(string(e.Arguments)), tools.Visible(e.Dir))
	}
	fmt.Fprintf(out, "in a conversation: %s\n", e.Person.words)
	fmt.Fprintf(out, "--non-interactive: %s\n", e.Alone.words)
	for _, reason := range e.Person.Reasons {
		fmt.Fprintf(out, "  because %s\n", tools.Visible(reason))
	}
	fmt.Fprintf(out, "  decided by %s\n", tools.Visible(e.Person.DecidedBy))
	fmt.Fprintf(out, "  effect: %s; results: %s\n", e.Effect, map[string]string{"strangers": "untrusted text", "private": "private, or may repeat untrusted text", "its own": "Marvin's own"}[e.Brings])
	if e.Command != "" {
		fmt.Fprintln(out, "  backed up: files below the working directory, up to 8 MiB each, if the command destroys them and git does not store them (docs/sandbox.md, Recover destroyed files)")
	}
	if e.Asks != "" {
		fmt.Fprintf(out, "  sends its arguments to %s; the hosts are hard-coded\n", tools.Visible(e.Asks))
	}
	for _, to := range e.Sends {
		fmt.Fprintf(out, "  sends to %s: %s\n", tools.Visible(to.To), tools.Visible(to.Payload))
	}
	if e.After != nil {
		fmt.Fprintf(out, "\nonce the conversation contains untrusted text or private data:\nin a conversation: %s\n--non-interactive: %s\n", e.After.Person.words, e.After.Alone.words)
		for _, reason := range e.After.Person.Reasons {
			fmt.Fprintf(out, "  because %s\n", tools.Visible(reason))
		}
	}
	if len(e.Hosts) > 0 {
		hosts := tools.Visible(strings.Join(e.Hosts, ", "))
		fmt.Fprintf(out, "\nonce the conversation contains untrusted text or private data, if the sandbox is complete:\nin a conversation: Marvin asks about %[1]s when the command connects to it\n--non-interactive: Marvin refuses the command's connections to %[1]s\n", hosts)
	}
	if len(e.Withheld) > 0 {
		fmt.Fprintf(out, "  the command does not get %s; list variables in MARVIN_PASS_ENV to pass them\n", tools.Visible(strings.Join(e.Withheld, ", ")))
	}
	if e.Command != "" && e.Person.firm && !e.Person.ruled {
		fmt.Fprintf(out, "\nTo allow it, add this exact rule to %s/config.yaml; broader rules do not cover it:\n\n  permissions:\n    allow:\n      - run_command(%s)\n", e.state, tools.Visible(e.Command))
	}
}
