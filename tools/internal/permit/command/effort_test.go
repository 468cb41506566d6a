package command

import (
	"testing"
)

// A line is examined up to each limit, and no further.
func TestALineIsLookedAtUpToEachLimit(t *testing.T) {
	for _, one := range []struct {
		effort effort
		want   bool
	}{
		{effort{}, false},
		{effort{parts: MaxCommands, looked: mostWord, nodes: mostNode}, false},
		{effort{parts: MaxCommands + 1}, true},
		{effort{looked: mostWord + 1}, true},
		{effort{nodes: mostNode + 1}, true},
	} {
		if got := one.effort.tired(); got != one.want {
			t.Errorf("%+v: %v", one.effort, got)
		}
	}
}
