package permit

import (
	"strings"
	"testing"

	"marvin/tools/internal/permit/command"
	"marvin/tools/internal/protected"
)

// A command that writes to any protected place, of the user or of the system, never runs without a
// question. The user works in the home directory, where other writes need no question.
func TestEveryProtectedPlaceIsJudged(t *testing.T) {
	place := command.Place{Dir: "/home/u", Home: "/home/u"}
	ordinary := "echo x > notes/a.txt"
	if verdict := (*Rules)(nil).Judge(Call{Tool: "run_command", Command: &ordinary}, place); verdict.Decision != Allow {
		t.Fatalf("an ordinary write: %v", verdict.Reasons)
	}
	walked := 0
	for _, row := range append(protected.Home[:], protected.System[:]...) {
		for _, name := range row.Names {
			path, spelled := name, name
			if !strings.HasPrefix(name, "/") {
				path, spelled = "/home/u/"+name, "~/"+strings.ReplaceAll(name, " ", `\ `)
			}
			walked++
			for _, line := range []string{"echo x > '" + path + "'", "cp x " + spelled, "tee -a '" + path + "/x' < y", "ln -sf x " + spelled, "sed -i s/a/b/ '" + path + "'"} {
				if verdict := (*Rules)(nil).Judge(Call{Tool: "run_command", Command: &line}, place); verdict.Decision == Allow {
					t.Errorf("%s runs unasked: %v", line, verdict.Reasons)
				}
			}
		}
	}
	if walked < 600 {
		t.Errorf("only %d places", walked)
	}
}
