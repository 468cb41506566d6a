package budget

import (
	"strings"
	"testing"
)

func TestLimitsWithinAWindow(t *testing.T) {
	for _, test := range []struct {
		name   string
		set    Limits
		window int
		want   Limits
	}{
		{"defaults", Limits{}, 0, Limits{Warn: 180_000, Compact: 200_000, Refuse: 226_000}},
		{"a window larger than needed", Limits{}, 1_048_576, Limits{Warn: 180_000, Compact: 200_000, Refuse: 226_000}},
		{"a smaller window", Limits{}, 200_000, Limits{Warn: 140_000, Compact: 156_000, Refuse: 176_000}},
		{"a small window", Limits{}, 32_768, Limits{Warn: 22_937, Compact: 25_559, Refuse: 28_835}},
		{"own settings", Limits{Warn: 40_000, Compact: 50_000}, 200_000, Limits{Warn: 40_000, Compact: 50_000, Refuse: 176_000}},
		{"settings in the wrong order", Limits{Warn: 90_000, Compact: 80_000, Refuse: 70_000}, 0, Limits{Warn: 70_000, Compact: 70_000, Refuse: 70_000}},
		{"nonsense", Limits{Warn: -1, Compact: -1, Refuse: -1, Manual: true}, 0, Limits{Warn: 180_000, Compact: 200_000, Refuse: 226_000, Manual: true}},
	} {
		if got := test.set.Within(test.window); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestCompactionTriggerTable(t *testing.T) {
	usual, manual := Limits{}.Within(0), Limits{Manual: true}.Within(0)
	for _, test := range []struct {
		name   string
		limits Limits
		state  State
		want   Verdict
	}{
		{"at the start", usual, State{}, Proceed},
		{"at 3 %", usual, State{Tokens: 6_000}, Proceed},
		{"just below the warning", usual, State{Tokens: 179_999}, Proceed},
		{"starved below the warning", usual, State{Tokens: 179_999, Starved: true}, Proceed},
		{"at the warning", usual, State{Tokens: 180_000}, Warn},
		{"a file had no room", usual, State{Tokens: 180_000, Starved: true}, Compact},
		{"a file had no room again", usual, State{Tokens: 181_000, Starved: true, Tried: 180_000}, Warn},
		{"just below the limit", usual, State{Tokens: 199_999}, Warn},
		{"at the limit", usual, State{Tokens: 200_000}, Compact},
		{"after an attempt in vain", usual, State{Tokens: 201_000, Tried: 201_000}, Warn},
		{"grown since", usual, State{Tokens: 211_000, Tried: 201_000}, Compact},
		{"at the end", usual, State{Tokens: 226_000}, Compact},
		{"at the end in vain", usual, State{Tokens: 226_000, Tried: 226_000}, Refuse},
		{"asked for at 3 %", usual, State{Tokens: 6_000, Asked: true}, Compact},
		{"off, at the limit", manual, State{Tokens: 200_000}, Warn},
		{"off, a file had no room", manual, State{Tokens: 190_000, Starved: true}, Warn},
		{"off, at the end", manual, State{Tokens: 226_000}, Refuse},
		{"off, but asked for", manual, State{Tokens: 226_000, Asked: true}, Compact},
	} {
		if got := test.limits.Decide(test.state); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestRoomIsSharedByTheCallsOfARound(t *testing.T) {
	limits := Limits{}.Within(0)
	for _, test := range []struct{ tokens, calls, want int }{
		{0, 1, 180_000}, {160_000, 4, 5_000}, {179_000, 0, 1_000}, {180_000, 1, 0}, {300_000, 2, 0},
	} {
		if got := limits.Room(test.tokens, test.calls); got != test.want {
			t.Errorf("%d tokens, %d calls: room %d, want %d", test.tokens, test.calls, got, test.want)
		}
	}
}

func TestWarningSaysWhatComesNext(t *testing.T) {
	for limits, want := range map[Limits]string{
		Limits{}.Within(0):             "about 183000 of 226000 tokens are used. At 200000, older messages are summarized.",
		Limits{Manual: true}.Within(0): "about 183000 of 226000 tokens are used. At 226000, nothing more can be sent.",
	} {
		if got := limits.Warning(183_000); !strings.Contains(got, want) || !strings.HasPrefix(got, "\n\n[") {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}
