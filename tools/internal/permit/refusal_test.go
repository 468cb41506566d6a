package permit

import (
	"strings"
	"testing"
)

// Without a user, the model is told how the user can allow the command, except if a rule or the
// plan forbids it or if there is no command.
func TestARefusalSaysHowTheUserCanAllowIt(t *testing.T) {
	line, says := "rm -rf ~", "tell the user the exact command to run"
	alone := judge(nil, line).WithoutUser()
	if text := alone.Refusal(&line); !strings.Contains(text, says) || !strings.HasPrefix(text, "deletes files outside the working directory: rm -rf ~.\nName the files to delete") {
		t.Errorf("%s", text)
	}
	if text := alone.Refusal(nil); strings.Contains(text, says) {
		t.Errorf("without a command: %s", text)
	}
	for what, refused := range map[string]Verdict{
		"a rule":   judge(rules(t, nil, nil, []string{"run_command(rm *)"}), line).WithoutUser(),
		"the plan": {Decision: Deny, Planned: true, Reasons: []string{"planned"}},
		"a person": {Decision: Ask, Reasons: []string{"asked"}},
	} {
		if text := refused.Refusal(&line); text == "" || strings.Contains(text, says) {
			t.Errorf("%s: %s", what, text)
		}
	}
	if text := (Verdict{Decision: Deny, Ruled: true, Advice: "Do otherwise."}).Refusal(&line); text != "Do otherwise." {
		t.Errorf("advice alone: %s", text)
	}
}

// A rule without a pattern covers all sendings of its tool, one with an address covers that
// address, and one with a command covers none.
func TestARuleNamesWhereACommandMaySend(t *testing.T) {
	for rule, want := range map[string]bool{
		"run_command": true, "run_command(https://good.example/*)": true, "run_command(https://*.example/*)": true,
		"run_command(https://other.example/*)": false, "run_command(curl *)": false, "run_command(*)": true, "fetch": false, "run_command(http://good.example/*)": false,
	} {
		if got := rules(t, []string{rule}, nil, nil).AllowsSending("run_command", "good.example", "https", "/a"); got != want {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

func TestARuleNamesWhereAToolMaySend(t *testing.T) {
	for rule, want := range map[string]bool{
		"fetch": true, "fetch(good.example)": true, "fetch(*.example)": true, "fetch(https://good.example/*)": true, "fetch(https://good.example/b/*)": false,
		"fetch(good.example*)": true, "fetch(good.exam*)": false, "fetch(other.example)": false, "fetch(ftp://good.example/*)": false, "run_command": false,
	} {
		if got := rules(t, []string{rule}, nil, nil).AllowsPlace(Call{Tool: "fetch"}, "good.example", "https", "/a"); got != want {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

func TestAPlaceWithoutAPathIsTheWholeHost(t *testing.T) {
	allow := rules(t, []string{"fetch(https://good.example/*)", "fetch(https://other.example/a)"}, nil, nil)
	for _, rest := range []string{"", "a", "/a"} {
		if !allow.AllowsPlace(Call{Tool: "fetch"}, "good.example", "https", rest) {
			t.Errorf("%q is not allowed", rest)
		}
		if got := allow.AllowsPlace(Call{Tool: "fetch"}, "other.example", "https", rest); got != (rest != "") {
			t.Errorf("%q of one page: %v", rest, got)
		}
	}
}

// A star matches any text, and the texts between stars must occur in order.
func TestAStarOfARuleIsAnyText(t *testing.T) {
	for pattern, texts := range map[string]map[string]bool{
		"a*b*c": {"abc": true, "axbyc": true, "acb": false, "ac": false, "abcd": false},
		"a*b*b": {"ab": false, "abb": true, "axbxb": true},
		"a *":   {"a": true, "a b": true, "ab": false},
		"a":     {"a": true, "b": false},
	} {
		for text, want := range texts {
			if got := glob(pattern, text); got != want {
				t.Errorf("%s and %s: %v", pattern, text, got)
			}
		}
	}
	for _, rule := range []string{"run_command", "run_command(ls)"} {
		if got := judge(rules(t, []string{rule}, nil, nil), "ls").Rule; got != rule {
			t.Errorf("%s is named %s", rule, got)
		}
	}
}

func TestTheHarsherOfTwoVerdictsCounts(t *testing.T) {
	rule := Verdict{Decision: Deny, Ruled: true, Rule: "run_command(rm *)", Reasons: []string{"a rule"}}
	danger := Verdict{Decision: Deny, Firm: true, Reasons: []string{"a danger"}, Advice: "Do otherwise."}
	asked := Verdict{Decision: Ask, Reasons: []string{"asked"}, Beyond: []string{"/srv"}}
	for _, pair := range [][2]Verdict{{rule, danger}, {danger, rule}} {
		if both := pair[0].Combine(pair[1]); !both.Ruled || !both.Firm || both.Rule != rule.Rule || len(both.Reasons) != 2 || both.Advice != danger.Advice {
			t.Errorf("%+v", both)
		}
	}
	for _, pair := range [][2]Verdict{{rule, asked}, {asked, rule}} {
		if both := pair[0].Combine(pair[1]); both.Decision != Deny || both.Firm || both.Rule != rule.Rule || len(both.Beyond) != 1 || both.Reasons[0] != "a rule" {
			t.Errorf("%+v", both)
		}
	}
	spaced := rules(t, nil, nil, []string{"  run_command( git   push * ) "})
	if verdict := judge(spaced, "git push origin"); verdict.Decision != Deny || !verdict.Ruled {
		t.Errorf("a rule with more blanks than it needs: %+v", verdict)
	}
	if verdict := judge(rules(t, nil, nil, []string{"fetch"}), "git push origin"); verdict.Ruled {
		t.Errorf("a rule about another tool: %+v", verdict)
	}
}

// A rule about another tool denies none of these commands.
func TestDenyRuleOfOtherToolIsIgnored(t *testing.T) {
	if got := judge(rules(t, nil, nil, []string{"fetch(git push *)"}), "git $X"); got.Firm {
		t.Errorf("%+v", got)
	}
}

func TestUnknownWordsUnderDenyRuleAsk(t *testing.T) {
	deny := rules(t, nil, nil, []string{"run_command(git push *)"})
	for line, want := range map[string]bool{"git $X": true, "$X push": true, "git status $X": false, "ls $X": false, "git status": false} {
		if got := judge(deny, line); got.Firm != want || want && len(got.Reasons) == 0 {
			t.Errorf("%s: %+v", line, got)
		}
		if judge(nil, line).Firm {
			t.Errorf("without a rule: %s", line)
		}
	}
}
