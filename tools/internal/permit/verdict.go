package permit

import (
	"cmp"
	"fmt"
	"strings"

	"marvin/tools/internal/permit/command"
)

// Decision says whether a call may run. A higher value is stricter.
type Decision uint8

// The decisions, mildest first.
const (
	Allow Decision = iota
	Ask
	Deny
)

func (d Decision) String() string { return [...]string{"allow", "ask", "deny"}[d] }

// Verdict is a decision with its reasons.
type Verdict struct {
	Decision Decision
	Firm     bool     // no general grant covers the call; an approval is for this call only
	Ruled    bool     // the decision comes from one of the user's rules
	Rule     string   // the rules that made the decision, if Ruled is true
	Planned  bool     // denied because the user wants a plan before any changes
	Host     string   // the host that would receive data; a grant for this host covers the call
	Place    string   // the destination as shown to the user; not always a host
	Payload  string   // the data that would be sent, as shown to the user
	Reasons  []string // as shown to the user; the most serious reasons come first
	Advice   string   // what the model can do instead
	ReadOnly bool     // the command only reads
	Beyond   []string // real paths of the directories that the call would use outside the root
	Writes   []string // real paths of the protected files that the call would write
	Strict   bool     // the approval mode "all" does not change Ask to Allow
}

// Judge decides whether a call may run. It assumes that a user can answer questions.
func (r *Rules) Judge(call Call, place command.Place) Verdict {
	verdict := Verdict{Decision: Allow}
	if call.Asks {
		verdict.Decision = Ask
	}
	if call.Command == nil {
		return r.judgeTool(verdict, call)
	}
	report := command.Inspect(*call.Command, place)
	verdict.ReadOnly = report.ReadOnly
	if denied, rule := r.firstMatch(r.denies(), call.Tool, report); denied != "" {
		return Verdict{Decision: Deny, Ruled: true, Rule: rule, Reasons: []string{"your rule denies " + denied}, Advice: "The user's configuration forbids it. Do without it, and do not try it in another form."}
	}
	if report.Unclear != "" {
		verdict.raise("it cannot be judged: "+report.Unclear, "Write it more simply, one step per call, or put it into a script file that the user can read.")
	}
	if why, rule := r.mayMatch(call.Tool, report); why != "" {
		verdict.raise(why, "Write out all words of the command.")
		verdict.Ruled, verdict.Rule = true, rule
	}
	for _, danger := range report.Dangers {
		if !r.spelledOut(call.Tool, danger) {
			verdict.raise(danger.String(), danger.Instead())
		}
	}
	if asked, rule := r.firstMatch(r.asks(), call.Tool, report); asked != "" {
		verdict.raise("your rule requires your approval for "+asked, "Leave this call to the user.")
		verdict.Ruled, verdict.Rule = true, rule
	}
	if verdict.Firm {
		return verdict
	}
	if rules := r.allowsAll(call.Tool, report); rules != "" {
		return Verdict{Decision: Allow, Ruled: true, Rule: rules, ReadOnly: report.ReadOnly}
	}
	return verdict
}

func (r *Rules) judgeTool(verdict Verdict, call Call) Verdict {
	touches := func(rule Rule) bool { return rule.touches(call) }
	matched := func(rules []Rule, matches func(Rule) bool) string {
		for _, rule := range rules {
			if matches(rule) {
				return rule.String()
			}
		}
		return ""
	}
	if rule := matched(r.denies(), touches); rule != "" {
		return Verdict{Decision: Deny, Ruled: true, Rule: rule, Reasons: []string{"your rule denies " + rule}, Advice: "The user's configuration forbids it. Do without it."}
	}
	if rule := matched(r.asks(), touches); rule != "" {
		verdict.raise("your rule requires your approval for "+rule, "Leave this call to the user.")
		verdict.Ruled, verdict.Rule = true, rule
		return verdict
	}
	if rule := matched(r.allows(), func(rule Rule) bool { return rule.covers(call) }); rule != "" {
		return Verdict{Decision: Allow, Ruled: true, Rule: rule}
	}
	return verdict
}

// raise replaces Allow with Ask, and sets Firm. It adds the reason, but does not replace existing
// advice.
func (v *Verdict) raise(reason, advice string) {
	v.Decision, v.Firm = max(v.Decision, Ask), true
	v.Reasons = append(v.Reasons, reason)
	if v.Advice == "" {
		v.Advice = advice
	}
}

// Combine returns the stricter of two verdicts about one call, with the reasons from both.
func (v Verdict) Combine(other Verdict) Verdict {
	if other.Decision > v.Decision {
		v, other = other, v
	}
	if other.Decision == v.Decision {
		v.Firm, v.Ruled, v.Rule = v.Firm || other.Firm, v.Ruled || other.Ruled, cmp.Or(v.Rule, other.Rule)
		v.Strict = v.Strict || other.Strict
	}
	v.Reasons = append(v.Reasons[:len(v.Reasons):len(v.Reasons)], other.Reasons...)
	if v.Advice == "" {
		v.Advice = other.Advice
	}
	v.Beyond = append(v.Beyond[:len(v.Beyond):len(v.Beyond)], other.Beyond...)
	v.Writes = append(v.Writes[:len(v.Writes):len(v.Writes)], other.Writes...)
	return v
}

// WithoutUser returns the verdict for a session without a user. A firm Ask becomes Deny. Any other
// Ask becomes Allow, because the user started Marvin for the task.
func (v Verdict) WithoutUser() Verdict {
	switch {
	case v.Decision == Ask && v.Firm:
		v.Decision = Deny
	case v.Decision == Ask:
		v.Decision = Allow
	}
	return v
}

// Explain returns the reasons as lines for the user.
func (v Verdict) Explain() string { return strings.Join(v.Reasons, "\n") }

// Refusal returns the text that tells the model why its call is refused. For a call without a
// command line, line is nil.
func (v Verdict) Refusal(line *string) string {
	text := strings.Join(v.Reasons, "; ")
	switch {
	case v.Advice != "" && text != "":
		text += ".\n" + v.Advice
	case v.Advice != "":
		text = v.Advice
	}
	if v.Decision == Deny && !v.Ruled && !v.Planned && line != nil {
		text += fmt.Sprintf("\nIf there is no other way, tell the user the exact command to run. They can allow this exact command with a rule in config.yaml. To see the rule, they can run: marvin permissions explain %q", command.Clip(*line))
	}
	return text
}
