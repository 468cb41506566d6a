package permit

import (
	"fmt"
	"strings"
	"testing"

	"marvin/tools/internal/permit/command"
)

func TestALineIsJudgedUpToTheLimitsAndNoFurther(t *testing.T) {
	assignments := func(number int) string {
		return "python3 - <<'E'\n" + strings.Repeat("d = 'build'\n", number) + "rmtree(d)\nE"
	}
	for _, test := range []struct{ what, within, beyond, says string }{
		{"bytes", "ls " + strings.Repeat("a", command.MaxLine-3), "ls " + strings.Repeat("a", command.MaxLine-2), "longer than 65536 bytes"},
		{"commands", strings.Repeat("ls;", command.MaxCommands), strings.Repeat("ls;", command.MaxCommands+1), "more than 2000 commands"},
		{"wrappers", strings.Repeat("nice ", command.MaxShells) + "ls", strings.Repeat("nice ", command.MaxShells+1) + "ls", "more than 12 levels deep"},
		{"shells", strings.Repeat("eval ", command.MaxShells) + "ls", strings.Repeat("eval ", command.MaxShells+1) + "ls", "nests shells more than 12 levels deep"},
		{"changes of directory", strings.Repeat("cd a;", 6) + "rm -rf x", strings.Repeat("cd a;", 7) + "rm -rf x", "known only at run time"},
		{"calls of the shell by make", "make -f - <<'E'\nX=" + strings.Repeat("$(shell ls)", 49) + "\nE", "make -f - <<'E'\nX=" + strings.Repeat("$(shell ls)", 51) + "\nE", "more than 50 $(shell …)"},
		{"values of a name", assignments(100), assignments(101), "something that is known only at run time"},
	} {
		if verdict := judge(nil, test.within); verdict.Firm {
			t.Errorf("%s, as many as may be: %s", test.what, verdict.Explain())
		}
		if verdict := judge(nil, test.beyond); !verdict.Firm || !strings.Contains(verdict.Explain(), test.says) {
			t.Errorf("%s, one more: %+v", test.what, verdict)
		}
	}
}

// Programs are nested in programs, each in the quotes of the outer one.
func TestProgramsInProgramsAreReadAsDeepAsShells(t *testing.T) {
	program := func(depth int) string {
		text := "1"
		for range depth {
			text = fmt.Sprintf("eval(%q)", text)
		}
		return "python3 - <<'E'\n" + text + "\nE"
	}
	if verdict := judge(nil, program(command.MaxShells)); verdict.Firm {
		t.Errorf("as deep as may be: %s", verdict.Explain())
	}
	if verdict := judge(nil, program(command.MaxShells+1)); !verdict.Firm || !strings.Contains(verdict.Explain(), "nests programs more than 12 levels deep") {
		t.Errorf("one deeper: %+v", verdict)
	}
}

func TestOddLinesAreOrdinary(t *testing.T) {
	for _, line := range []string{`ls a\`, "rm\x01-rf\x01/srv"} {
		if got := judgement(judge(nil, line)); got != "ordinary" {
			t.Errorf("%q is %s", line, got)
		}
	}
}
