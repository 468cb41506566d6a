package fleet

import "testing"

// The purse of a fleet lets one prompt begin at a time until it is known what one costs, and
// near the limit; a prompt that was begun before keeps its hold, and what it reports counts
// once, however often it is told.
func TestThePurseOfAFleet(t *testing.T) {
	var purse spending
	if !purse.grant("a", 1) || purse.grant("b", 1) {
		t.Errorf("two prompts begin before it is known what one costs: %+v", purse)
	}
	if !purse.grant("a", 1) {
		t.Error("a prompt whose worker died cannot begin again")
	}
	purse.report("a", 0.1, false)
	purse.report("a", 0.2, false)
	purse.report("a", 0.2, false) // told again, because the answer got lost
	if !purse.report("a", 0.2, true) || purse.report("a", 0.2, true) {
		t.Error("the end of a prompt is told twice, or not at all")
	}
	if purse.Spent != 0.2 || purse.Dearest != 0.2 || len(purse.Holds) > 0 || !purse.Known {
		t.Errorf("after one prompt of 0.2: %+v", purse)
	}
	for _, k := range []string{"b", "c", "d"} { // 0.2 spent, and 0.2 each
		if !purse.grant(k, 1) {
			t.Errorf("%s does not begin with %+v of 1", k, purse)
		}
	}
	if purse.grant("e", 0.9) {
		t.Errorf("a prompt of 0.2 begins with %+v of 0.9", purse)
	}
	for _, k := range []string{"b", "c", "d"} {
		purse.report(k, 0.2, true)
	}
	if !purse.grant("e", 0.9) {
		t.Errorf("the last prompt, alone, does not begin with %+v of 0.9", purse)
	}
}
