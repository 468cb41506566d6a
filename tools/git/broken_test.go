package git

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"marvin/persistence/disktest"
)

// stumbling puts a program before the real git that fails one call, selected by its number from 1.
// It returns a function to select the call, and one that returns all calls.
func (p *place) stumbling() (fail func(at int), calls func() []string) {
	p.t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		p.t.Fatal(err)
	}
	bin := p.t.TempDir()
	at, log := filepath.Join(bin, "at"), filepath.Join(bin, "log")
	script := fmt.Sprintf("#!/bin/sh\n"+ // a git command that only reads may start no programs, so all of this is in the shell itself
		"echo \"$*\" >> %[1]s\nread at < %[2]s\nn=0\nwhile read -r line; do n=$((n+1)); done < %[1]s\n"+
		"if [ $n -eq $at ]; then echo 'fatal: broken on purpose' >&2; exit 128; fi\nexec %[3]s \"$@\"\n", log, at, real)
	if err := disktest.WriteProgram(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.env.Environ[0] = "PATH=" + bin + ":" + os.Getenv("PATH")
	fail = func(number int) {
		_ = os.Remove(log)
		if err := os.WriteFile(at, []byte(strconv.Itoa(number)+"\n"), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	return fail, func() []string {
		text, err := os.ReadFile(log)
		if err != nil {
			return nil
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

func TestEachFailureOfGitIsReported(t *testing.T) {
	var tried []string
	for _, one := range []struct {
		tool, args string
		afterwards bool // its last call only checks its own effect
	}{
		{"git_status", `{}`, false},
		{"git_diff", `{}`, false},
		{"git_log", `{}`, false},
		{"git_blame", `{"file":"a.txt"}`, false},
		{"git_branch", `{}`, false},
		{"git_checkout", `{"branch":"side"}`, false},
		{"git_commit", `{"message":"Second","files":["b.txt"]}`, true},
		{"git_commit", `{"message":"Second","add_all":true}`, true},
	} {
		tried = append(tried, one.tool)
		for number, most := 0, 1; number <= most; number++ {
			p := newRepository(t)
			p.plain("branch", "side")
			p.write("b.txt", "new\n")
			if one.tool == "git_diff" {
				p.write("a.txt", "another\n")
			}
			fail, calls := p.stumbling()
			fail(number)
			text, err := p.call(one.tool, one.args)
			made := calls()
			if number == 0 {
				if most = len(made); err != nil || most == 0 {
					t.Errorf("%s %s: %v after %d calls", one.tool, one.args, err, most)
				}
				continue
			}
			if len(made) < number {
				t.Errorf("%s %s: call %d was not made this time", one.tool, one.args, number)
				continue
			}
			failed := made[number-1]
			if one.afterwards && number == most {
				if err != nil || !strings.Contains(text, "Second") {
					t.Errorf("%s %s: after it was done %q fails, and it says %q, %v", one.tool, one.args, failed, text, err)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "broken on purpose") {
				t.Errorf("%s %s: of %q it says %q, %v", one.tool, one.args, failed, text, err)
			}
		}
	}
	for _, tool := range New().Tools() {
		if !strings.Contains(strings.Join(tried, " ")+" ", tool.Name+" ") {
			t.Errorf("%s is not tried", tool.Name)
		}
	}
}
