package fleet

import "testing"

func TestFleetSpendingLimit(t *testing.T) {
	var sum spending
	if !sum.grant("a", 1) || sum.grant("b", 1) {
		t.Errorf("two prompts begin before it is known what one costs: %+v", sum)
	}
	if !sum.grant("a", 1) {
		t.Error("a prompt whose worker died cannot begin again")
	}
	sum.report("a", 0.1, false)
	sum.report("a", 0.2, false)
	sum.report("a", 0.2, false) // told again, because the answer got lost
	if !sum.report("a", 0.2, true) || sum.report("a", 0.2, true) {
		t.Error("the end of a prompt is reported twice, or not at all")
	}
	if sum.Spent != 0.2 || sum.Dearest != 0.2 || len(sum.Holds) > 0 || !sum.Known {
		t.Errorf("after one prompt of 0.2: %+v", sum)
	}
	for _, k := range []string{"b", "c", "d"} { // 0.2 spent, and 0.2 each
		if !sum.grant(k, 1) {
			t.Errorf("%s does not begin with %+v of 1", k, sum)
		}
	}
	if sum.grant("e", 0.9) {
		t.Errorf("a prompt of 0.2 begins with %+v of 0.9", sum)
	}
	for _, k := range []string{"b", "c", "d"} {
		sum.report(k, 0.2, true)
	}
	if !sum.grant("e", 0.9) {
		t.Errorf("the last prompt, alone, does not begin with %+v of 0.9", sum)
	}
}

func TestSpendingIsDecidedOnACopy(t *testing.T) {
	read := spending{Spent: 0.2, Dearest: 0.2, Known: true, Holds: map[string]hold{"a": {Estimate: 0.2}}}
	granted, reported, ended := read, read, read
	if !granted.grant("b", 1) || !reported.report("a", 0.1, false) || !ended.report("a", 0.3, true) {
		t.Fatalf("%+v, %+v, %+v", granted, reported, ended)
	}
	if len(read.Holds) != 1 || read.Holds["a"] != (hold{Estimate: 0.2}) {
		t.Errorf("what was read is %+v now", read)
	}
	if len(granted.Holds) != 2 || granted.Holds["b"] != (hold{Estimate: 0.2}) || reported.Holds["a"].Reported != 0.1 || len(ended.Holds) != 0 || ended.Dearest != 0.3 {
		t.Errorf("%+v, %+v, %+v", granted, reported, ended)
	}
}

// A prompt may begin beside others if the reservations reach exactly the limit. Above the limit it
// may only begin alone.
func TestAFleetAtItsLimit(t *testing.T) {
	for _, test := range []struct {
		limit  float64
		begins bool
	}{{0.75, true}, {0.7499, false}} {
		sum := spending{Spent: 0.25, Dearest: 0.25, Known: true, Holds: map[string]hold{"a": {Estimate: 0.25}}}
		if sum.grant("b", test.limit) != test.begins {
			t.Errorf("of %v a prompt of 0.25 beside another one begins: %v", test.limit, !test.begins)
		}
	}
	over := spending{Spent: 9, Dearest: 1, Known: true, Holds: map[string]hold{"a": {Estimate: 1, Reported: 3}}}
	if over.grant("b", 1) || !over.grant("a", 1) {
		t.Errorf("%+v", over)
	}
}
