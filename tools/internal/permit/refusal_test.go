package permit

import (
	"strings"
	"testing"
)

// A model hears how the user can allow what nobody is there to be asked about. It hears
// nothing of the kind where a rule or the plan says no, or where there is no command.
func TestARefusalSaysHowTheUserCanAllowIt(t *testing.T) {
	line, says := "rm -rf ~", "tell the user the exact command to run"
	alone := judge(nil, line).Alone()
	if text := alone.Refusal(&line); !strings.Contains(text, says) || !strings.HasPrefix(text, "deletes everything outside the working directory: rm -rf ~.\nName what is to go") {
		t.Errorf("%s", text)
	}
	if text := alone.Refusal(nil); strings.Contains(text, says) {
		t.Errorf("without a command: %s", text)
	}
	for what, refused := range map[string]Verdict{
		"a rule":   judge(rules(t, nil, nil, []string{"run_command(rm *)"}), line).Alone(),
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

// A rule without a pattern is about all that its tool sends, one with an address about that
// address, and one about commands about none.
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
