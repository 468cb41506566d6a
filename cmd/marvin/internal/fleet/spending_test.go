package fleet

import "testing"

// What a fleet spends together: it lets one prompt begin at a time until it is known what one costs, and
// near the limit; a prompt that was begun before keeps its hold, and what it reports counts
// once, however often it is told.
func TestWhatAFleetSpends(t *testing.T) {
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
		t.Error("the end of a prompt is told twice, or not at all")
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
