package conv

import (
	"testing"
	"time"

	"marvin/messages"
)

func TestPolicyLimitsTools(t *testing.T) {
	for _, row := range []struct {
		policy Policy
		told   messages.Approval // written out, and as in events
		events messages.Approval
		rounds int
	}{
		{Policy{}, messages.ApproveAuto, "", 10},
		{Policy{Person: true}, messages.ApproveEdits, messages.ApproveEdits, 10},
		{Policy{Coding: true, Approval: messages.ApproveAsk}, messages.ApproveAsk, messages.ApproveAsk, 50},
		{Policy{Person: true, Approval: messages.ApproveAuto, Limits: Limits{Rounds: 1}}, messages.ApproveAuto, messages.ApproveAuto, 1},
		{Policy{Coding: true, Limits: Limits{Rounds: 60}}, messages.ApproveAuto, "", 60},
	} {
		whole := row.policy.withDefaults()
		if whole.Approval != row.told || whole.EventMode() != row.events || whole.MaxRounds() != row.rounds {
			t.Errorf("%+v: %q, told %q, %d rounds", row.policy, whole.Approval, whole.EventMode(), whole.MaxRounds())
		}
	}
	mode := Policy{Coding: true, Person: true, ReadOnly: true, Agent: true, Only: []string{"a"}, Approval: messages.ApprovePlan}.Mode()
	if !mode.Coding || !mode.Person || !mode.ReadOnly || !mode.Agent || !mode.Planning || len(mode.Only) != 1 || (Policy{}).Mode().Planning {
		t.Errorf("%+v", mode)
	}
}

func TestTheLowerLimitHolds(t *testing.T) {
	for _, row := range []struct{ one, two, want Limits }{
		{Limits{}, Limits{}, Limits{}},
		{Limits{Cost: 1, Rounds: 2, Time: 3}, Limits{}, Limits{Cost: 1, Rounds: 2, Time: 3}},
		{Limits{Cost: 1, Rounds: 5, Time: 3}, Limits{Cost: 2, Rounds: 4, Time: 3}, Limits{Cost: 1, Rounds: 4, Time: 3}},
		{Limits{Rounds: 5}, Limits{Cost: 2, Time: 9}, Limits{Cost: 2, Rounds: 5, Time: 9}},
	} {
		if one, two := row.one.Within(row.two), row.two.Within(row.one); one != row.want || two != row.want {
			t.Errorf("%+v and %+v: %+v, %+v", row.one, row.two, one, two)
		}
	}
}

func TestUntunedPolicyFieldsKeepDefaults(t *testing.T) {
	want := Tuning{
		Silence: 3 * time.Minute, SilenceCoding: 15 * time.Minute, Quiet: 20 * time.Second, Prepare: 5 * time.Second, Disk: 5 * time.Second, News: 2 * time.Second, Problems: 3 * time.Second,
		ProblemsLate: time.Minute, LanguageIdle: 10 * time.Minute, CancelGrace: 3 * time.Second, StopGrace: 5 * time.Second, Shutdown: 5 * time.Second,
	}
	if got := (Tuning{}).withDefaults(); got != want {
		t.Errorf("%+v", got)
	}
	want.News, want.Silence = 1, 2
	got := Tuning{News: 1, Silence: 2, Quiet: -1}.withDefaults()
	if got != want || got.SilenceFor(Policy{}) != 2 || got.SilenceFor(Policy{Coding: true}) != 15*time.Minute {
		t.Errorf("%+v", got)
	}
}
