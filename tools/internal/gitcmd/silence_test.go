package gitcmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/tools"
)

func TestGitRunsNoProgramsWithoutSeccomp(t *testing.T) {
	for name, trap := range map[string]struct{ key, attribute, plain string }{
		"fsmonitor":     {"core.fsmonitor", "", "status"},
		"clean":         {"filter.x.clean", "filter", "status"},
		"process":       {"filter.x.process", "filter", "diff"},
		"external diff": {"diff.external", "", "diff"},
		"hooks":         {"core.hooksPath", "", "status"},
	} {
		dir, mark := t.TempDir(), filepath.Join(t.TempDir(), "mark")
		environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c"}
		git := func(args ...string) {
			command := exec.Command("git", args...)
			command.Dir, command.Env, command.WaitDelay = dir, environ, time.Second
			_, _ = command.CombinedOutput() // most traps break the command that triggers them
		}
		script := "#!/bin/sh\ntouch " + mark + "\n"
		if err := errors.Join(
			os.Mkdir(filepath.Join(dir, "hooks"), 0o755), disktest.WriteProgram(filepath.Join(dir, "evil"), []byte(script), 0o755),
			disktest.WriteProgram(filepath.Join(dir, "hooks/post-index-change"), []byte(script), 0o755), os.WriteFile(filepath.Join(dir, "a"), []byte("one\n"), 0o644),
			os.WriteFile(filepath.Join(dir, "same"), nil, 0o644),
		); err != nil {
			t.Fatal(err)
		}
		git("init", "-q", "-b", "main", ".")
		git("add", "a", "same")
		git("commit", "-qm", "one")
		long := time.Now().Add(-time.Hour)
		if err := errors.Join(
			os.WriteFile(filepath.Join(dir, "a"), []byte("two\n"), 0o644), os.Chtimes(filepath.Join(dir, "a"), long, long),
			os.Chtimes(filepath.Join(dir, "same"), long, long), // status updates the index, and informs the hook
			os.WriteFile(filepath.Join(dir, ".git/info/attributes"), []byte("* "+trap.attribute+"=x\n"), 0o644),
		); err != nil {
			t.Fatal(err)
		}
		value := filepath.Join(dir, "evil")
		if trap.key == "core.hooksPath" {
			value = filepath.Join(dir, "hooks")
		}
		git("config", trap.key, value)
		repository, err := Open(t.Context(), tools.Env{Environ: environ}, dir)
		if err != nil {
			t.Fatal(err)
		}
		told := repository.reader()
		told.Childless = false
		_, _ = repository.run(t.Context(), told, trap.plain)
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%s: it ran", name)
		}
		// Git may have refreshed the index already; then it would only rewrite an index that is as
		// old as a file.
		longer := long.Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "same"), longer, longer); err != nil {
			t.Fatal(err)
		}
		git(trap.plain)
		if _, err := os.Stat(mark); err != nil {
			t.Errorf("%s: plain git does not fall into it, so it proves nothing", name)
		}
	}
}
