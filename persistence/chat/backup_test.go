package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

var talk = []ContextMessage{
	{Role: "user", Content: "read <a.go> & tell"},
	{Role: "assistant", ToolCalls: []ContextCall{{ID: "c1", Type: "function", Function: ContextFunction{Name: "read_file", Arguments: `{"path":"a.go"}`}}}},
	{Role: "tool", Content: "line\nline \xff", ToolCallID: "c1", Name: "read_file", Status: "ok"},
}

const talkLines = `{"index":0,"role":"user","content":"read <a.go> & tell"}
{"index":1,"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a.go\"}"}}]}
{"index":2,"role":"tool","content":"line\nline ` + `\ufffd` + `","tool_call_id":"c1","name":"read_file","status":"ok"}
`

func TestContextBackupHasALinePerMessage(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	path, err := BackupContext(store.Open(home, storetest.Now).Profile("default"), project, talk)
	storetest.Must(t, err)
	if want := filepath.Join(project, ".marvin/logs/context-backup-1771072215.jsonl"); path != want {
		t.Errorf("path %s, want %s", path, want)
	}
	if got := storetest.Get(t, path); got != talkLines {
		t.Errorf("content\n%s\nwant\n%s", got, talkLines)
	}
	for name, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		storetest.Must(t, err)
		if info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), mode)
		}
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) > 0 {
		t.Errorf("the home directory got %v (%v)", entries, err)
	}
}

func TestContextBackupWithoutWorkingDirectoryIsInTheProfile(t *testing.T) {
	home := t.TempDir()
	path, err := BackupContext(store.Open(home, storetest.Now).Profile("default"), "", talk)
	storetest.Must(t, err)
	if want := filepath.Join(home, ".config/marvin/profiles/default/logs/context-backup-1771072215.jsonl"); path != want {
		t.Errorf("path %s, want %s", path, want)
	}
	if got := storetest.Get(t, path); got != talkLines {
		t.Errorf("content\n%s", got)
	}
}

func TestContextBackupsOfOneSecondAreAllKept(t *testing.T) {
	profile, project := store.Open(t.TempDir(), storetest.Now).Profile("default"), t.TempDir()
	var together sync.WaitGroup
	for n := range 12 {
		together.Go(func() {
			path, err := BackupContext(profile, project, []ContextMessage{{Role: "user", Content: fmt.Sprint(n)}})
			if err != nil {
				t.Error(err)
				return
			}
			var read struct{ Content string }
			if err := json.Unmarshal([]byte(storetest.Get(t, path)), &read); err != nil || read.Content != fmt.Sprint(n) {
				t.Errorf("%s holds %+v (%v), want %d", path, read, err, n)
			}
		})
	}
	together.Wait()
	files, err := filepath.Glob(filepath.Join(project, ".marvin/logs/*.jsonl"))
	if err != nil || len(files) != 12 {
		t.Errorf("%d files: %v %v", len(files), files, err)
	}
}

func TestContextBackupFollowsNoLinkOutOfTheProject(t *testing.T) {
	for name, link := range map[string]string{"the directory": ".marvin", "the logs": ".marvin/logs"} {
		home, project, outside := t.TempDir(), t.TempDir(), t.TempDir()
		storetest.Must(t, os.MkdirAll(filepath.Dir(filepath.Join(project, link)), 0o700))
		storetest.Must(t, os.Symlink(outside, filepath.Join(project, link)))
		path, err := BackupContext(store.Open(home, storetest.Now).Profile("default"), project, talk)
		storetest.Must(t, err)
		if !strings.HasPrefix(path, home) || storetest.Get(t, path) != talkLines {
			t.Errorf("%s is a link: the backup went to %s", name, path)
		}
		if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
			t.Errorf("%s is a link: outside are now %v (%v)", name, entries, err)
		}
	}
}

func TestContextBackupLeavesAPlantedFileAlone(t *testing.T) {
	home, project, victim := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "victim")
	storetest.Put(t, victim, "precious")
	planted := filepath.Join(project, ".marvin/logs/context-backup-1771072215.jsonl")
	storetest.Must(t, os.MkdirAll(filepath.Dir(planted), 0o700))
	storetest.Must(t, os.Symlink(victim, planted))
	path, err := BackupContext(store.Open(home, storetest.Now).Profile("default"), project, talk)
	storetest.Must(t, err)
	if path != filepath.Join(filepath.Dir(planted), "context-backup-1771072215-2.jsonl") || storetest.Get(t, victim) != "precious" {
		t.Errorf("the backup went to %s, and the file behind the link holds %q", path, storetest.Get(t, victim))
	}
}

func TestContextBackupFailsWhenNothingCanBeWritten(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	storetest.Put(t, filepath.Join(project, ".marvin"), "a file")
	storetest.Put(t, filepath.Join(home, ".config/marvin/profiles/default/logs"), "a file")
	path, err := BackupContext(store.Open(home, storetest.Now).Profile("default"), project, talk)
	if err == nil || !strings.Contains(err.Error(), project) || !strings.Contains(err.Error(), home) {
		t.Errorf("%q, %v: want an error that names both places", path, err)
	}
	if _, err := BackupContext(store.Open("", storetest.Now).Profile("default"), "", talk); !errors.Is(err, store.ErrNoHome) {
		t.Errorf("without a home: %v", err)
	}
}

func TestContextBackupIsNotCommitted(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git on this machine")
	}
	project := t.TempDir()
	storetest.Put(t, filepath.Join(project, ".marvin/spec.md"), "the project's own")
	_, err = BackupContext(store.Open(t.TempDir(), storetest.Now).Profile("default"), project, talk)
	storetest.Must(t, err)
	for _, args := range [][]string{{"init", "-q"}, {"status", "--porcelain", "--untracked-files=all"}} {
		cmd := exec.CommandContext(t.Context(), git, args...)
		cmd.Dir = project
		cmd.Env = []string{"HOME=" + project, "GIT_CONFIG_NOSYSTEM=1", "PATH=" + os.Getenv("PATH")}
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, output)
		}
		if args[0] == "status" && string(output) != "?? .marvin/spec.md\n" {
			t.Errorf("git sees\n%s", output)
		}
	}
}
