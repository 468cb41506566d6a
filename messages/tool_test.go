package messages

import "testing"

func TestCallOutcomeWords(t *testing.T) {
	for _, row := range []struct {
		status Status
		exit   int
		job    string
		want   string
	}{
		{OK, 0, "", "ok"},
		{OK, 3, "", "exit 3"},
		{OK, -1, "", "exit -1"},
		{ToolError, 3, "", string(ToolError)},
		{TimedOut, 137, "", "timed out"},
		{Interrupted, 0, "", string(Interrupted)},
		{OK, 0, "cmd-k3f9x", "went to the background as job cmd-k3f9x"},
		{ToolError, 0, "cmd-k3f9x", string(ToolError)},
	} {
		if got := row.status.DescribeEnd(row.exit, row.job); got != row.want {
			t.Errorf("%s with exit %d: %s", row.status, row.exit, got)
		}
	}
}
