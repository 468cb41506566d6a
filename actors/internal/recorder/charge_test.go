package recorder

import (
	"testing"

	"marvin/persistence/audit"
	"marvin/persistence/spending"
)

// Writing a call to the log between two charges leaves the usage for the next charge.
func TestUnchargedUsageIsKept(t *testing.T) {
	owed := lines{usage: spending.Usage{Turns: 1, Cost: 0.5}, dirty: true, calls: []audit.Call{{Tool: "say"}}}
	if full := owed.take(); len(full.calls) != 1 || full.dirty || full.usage.Turns != 0 {
		t.Errorf("appended: %+v", full)
	}
	if !owed.dirty || owed.usage.Turns != 1 || len(owed.calls) != 0 {
		t.Errorf("left: %+v", owed)
	}
	owed.due = true
	if full := owed.take(); full.usage.Turns != 1 || owed.dirty || owed.usage.Turns != 0 {
		t.Errorf("charged %+v, left %+v", full, owed)
	}
}
