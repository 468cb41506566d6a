package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
)

// canaries lists the ways in which a repository can name a program. Each has a plain git command
// that runs the program, as proof that the trap works. The program in every key is a script that
// creates a file with the canary's name.
var canaries = []struct {
	name       string
	config     map[string]string // %s is the script
	attributes string
	hook       string
	plain      []string
}{
	{name: "fsmonitor", config: map[string]string{"core.fsmonitor": "%s"}, plain: []string{"status"}},
	{name: "clean", config: map[string]string{"filter.x.clean": "%s"}, attributes: "*.txt filter=x", plain: []string{"status"}},
	{name: "clean-odd-name", config: map[string]string{"filter.x=y.clean": "%s"}, attributes: "*.txt filter=x=y", plain: []string{"status"}},
	{name: "clean-dotted-name", config: map[string]string{"filter.a.b.clean": "%s", "filter.a.b.required": "true"}, attributes: "*.txt filter=a.b", plain: []string{"status"}},
	{name: "clean-blame", config: map[string]string{"filter.x.clean": "%s"}, attributes: "*.txt filter=x", plain: []string{"blame", "a.txt"}},
	{name: "process", config: map[string]string{"filter.x.process": "%s", "filter.x.required": "true"}, attributes: "*.txt filter=x", plain: []string{"diff"}},
	{name: "textconv", config: map[string]string{"diff.x.textconv": "%s"}, attributes: "*.txt diff=x", plain: []string{"diff"}},
	{name: "textconv-blame", config: map[string]string{"diff.x.textconv": "%s"}, attributes: "*.txt diff=x", plain: []string{"blame", "a.txt"}},
	{name: "driver", config: map[string]string{"diff.x.command": "%s"}, attributes: "*.txt diff=x", plain: []string{"diff"}},
	{name: "external", config: map[string]string{"diff.external": "%s"}, plain: []string{"diff"}},
	{name: "signature", config: map[string]string{"log.showSignature": "true", "gpg.program": "%s"}, plain: []string{"log"}},
	{name: "hook-index", hook: "post-index-change", plain: []string{"status"}},
	{name: "hooks-path", config: map[string]string{"core.hooksPath": "elsewhere"}, hook: "elsewhere/post-index-change", plain: []string{"status"}},
}

// trapped makes a repository that contains the script, a file whose content git must compare, and a
// signed commit.
func trapped(t *testing.T, number int) (p *place, fired func() bool) {
	t.Helper()
	canary := canaries[number]
	p = newRepository(t)
	p.write("same.txt", "same\n")
	p.plain("add", ".")
	p.plain("commit", "-qm", "first")
	sign(t, p)
	mark := filepath.Join(t.TempDir(), "fired")
	script := filepath.Join(t.TempDir(), "canary.sh")
	if err := disktest.WriteProgram(script, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if canary.attributes != "" {
		p.write(".git/info/attributes", canary.attributes+"\n")
	}
	if canary.hook != "" {
		dir := ".git/hooks/"
		if strings.Contains(canary.hook, "/") {
			dir = ""
		}
		p.write(dir+canary.hook, "#!/bin/sh\ntouch "+mark+"\n")
		if err := os.Chmod(filepath.Join(p.dir, dir+canary.hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.write("a.txt", "one\nTWO\nthree\n") // same size as before, so that git must compare
	long := time.Now().Add(-time.Hour)    // the index is out of date, so that git rewrites it
	if err := os.Chtimes(filepath.Join(p.dir, "same.txt"), long, long); err != nil {
		t.Fatal(err)
	}
	for key, value := range canary.config {
		p.plain("config", key, strings.ReplaceAll(value, "%s", script))
	}
	return p, func() bool {
		_, err := os.Stat(mark)
		return err == nil
	}
}

// sign replaces the last commit by one with a signature, good enough to be checked.
func sign(t *testing.T, p *place) {
	t.Helper()
	commit := p.plain("cat-file", "commit", "HEAD")
	header, message, _ := strings.Cut(commit, "\n\n")
	signed := header + "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n" + message
	hash := exec.Command("git", "hash-object", "-t", "commit", "-w", "--stdin")
	hash.Dir, hash.Env, hash.Stdin = p.dir, p.env.Environ, strings.NewReader(signed)
	id, err := hash.Output()
	if err != nil {
		t.Fatal(err)
	}
	p.plain("reset", "-q", "--soft", strings.TrimSpace(string(id)))
}

func TestLookingRunsNothingThatTheRepositoryNames(t *testing.T) {
	for number, canary := range canaries {
		t.Run(canary.name, func(t *testing.T) {
			t.Parallel()
			control, fired := trapped(t, number)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			command := exec.CommandContext(ctx, "git", canary.plain...)
			command.Dir, command.Env, command.WaitDelay = control.dir, control.env.Environ, time.Second
			out, _ := command.CombinedOutput() // most traps break the command that falls into them
			if !fired() {
				t.Fatalf("plain git does not fall into this trap, so it proves nothing:\n%s", out)
			}
			p, fired := trapped(t, number)
			contains(t, p.must("git_status", ""), " M a.txt")
			contains(t, p.must("git_diff", ""), "-two\n+TWO")
			p.must("git_diff", `{"staged":true,"path":"a.txt"}`)
			contains(t, p.must("git_log", `{"oneline":false}`), "first")
			contains(t, p.must("git_blame", `{"path":"a.txt"}`), "Not Committed Yet", "TWO")
			p.must("git_branch", `{"all":true}`)
			if fired() {
				t.Error("a program named by the repository was run")
			}
		})
	}
}

// A partial clone fetches what it lacks, by whatever program the remote names.
func TestMissingObjectsAreNotFetched(t *testing.T) {
	for name, config := range map[string]map[string]string{
		"ext":  {"remote.trap.url": "ext::%s", "protocol.ext.allow": "always"},
		"ssh":  {"protocol.ssh.allow": "always", "remote.trap.url": "ssh://nowhere/x", "core.sshCommand": "%s"},
		"file": {"protocol.file.allow": "always", "remote.trap.url": "file:///", "remote.trap.uploadpack": "%s"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newRepository(t)
			mark := filepath.Join(t.TempDir(), "fired")
			script := filepath.Join(t.TempDir(), "canary.sh")
			if err := disktest.WriteProgram(script, []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			p.write("a.txt", "changed\n")
			p.plain("config", "extensions.partialClone", "trap")
			p.plain("config", "remote.trap.promisor", "true")
			for key, value := range config {
				p.plain("config", key, strings.ReplaceAll(value, "%s", script))
			}
			blob := strings.TrimSpace(p.plain("rev-parse", "HEAD:a.txt"))
			if err := os.Remove(filepath.Join(p.dir, ".git/objects", blob[:2], blob[2:])); err != nil {
				t.Fatal(err)
			}
			p.refused("git_diff", "")
			p.refused("git_blame", `{"path":"a.txt"}`)
			if _, err := os.Stat(mark); err == nil {
				t.Error("a program named by the repository was run")
			}
			plain := exec.Command("git", "diff")
			plain.Dir, plain.Env, plain.WaitDelay = p.dir, p.env.Environ, time.Second
			out, _ := plain.CombinedOutput()
			if _, err := os.Stat(mark); err != nil {
				t.Errorf("plain git does not fall into this trap, so it proves nothing:\n%s", out)
			}
		})
	}
}

func TestSubmodulesRunNothingEither(t *testing.T) {
	inner, p := newRepository(t), newRepository(t)
	p.plain("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
	p.plain("commit", "-qm", "add mod")
	mark := filepath.Join(t.TempDir(), "fired")
	p.plain("-C", "mod", "config", "filter.x.clean", "touch "+mark)
	p.write(".git/modules/mod/info/attributes", "*.txt filter=x\n")
	p.write("mod/a.txt", "one\nTWO\nthree\n")
	p.must("git_status", "")
	p.must("git_diff", "")
	p.must("git_log", "")
	if _, err := os.Stat(mark); err == nil {
		t.Error("a filter of the submodule was run")
	}
	p.plain("status")
	if _, err := os.Stat(mark); err != nil {
		t.Error("plain git does not fall into this trap, so it proves nothing")
	}
}

// TestEveryKeyThatLooksLikeACommandIsKnown compares with git's own list of keys, so that a
// key of a newer git that looks like a command is noticed.
func TestEveryKeyThatLooksLikeACommandIsKnown(t *testing.T) {
	out, err := exec.Command("git", "help", "--config-for-completion").Output()
	if err != nil {
		t.Skip("this git does not list its keys:", err)
	}
	harmless := []string{ // keys that cannot affect commands that only read
		"advice.", "alias.", // no aliases are called
		"browser.", "difftool.", "mergetool.", "diff.tool", "diff.guitool", "merge.tool", "merge.guitool", "guitool.", "man.", "web.browser", "instaweb.",
		"core.alternaterefscommand", "core.gitproxy", "uploadpack.packobjectshook", "receive.", "fetch.", "http.", "imap.", "sendemail.", // no transport
		"gc.recentobjectshook", "interactive.difffilter", "submodule.", "remote.", "merge.", "tar.", "trailer.", "gitcvs.", "fsck.",
		"gpg.ssh.defaultkeycommand", // only for signing
		"core.fsmonitorhookversion", "fsmonitor.", "rebase.", "pager.", "color.pager", "completion.commands", "credential.", "init.", "help.", "includeif.", "include.path",
		"mergetool.", "clean.requireforce", "column.clean", "add.", "commit.", "core.hidedotfiles", "hook.", "maintenance.",
	}
	covered := []string{
		"core.askpass", "core.editor", "core.fsmonitor", "core.hookspath", "core.pager", "core.sshcommand", "sequence.editor", "gpg.program",
		"gpg.", "diff.external", "diff.", "filter.",
	}
	for key := range strings.FieldsSeq(strings.ToLower(string(out))) {
		suspicious := slices.ContainsFunc([]string{
			"command", "program", "cmd", "hook", "textconv", "smudge", "process", "helper", "editor", "pager", "proxy", "askpass", "fsmonitor", "external", "driver",
		}, func(word string) bool { return strings.Contains(key, word) })
		known := slices.ContainsFunc(slices.Concat(harmless, covered), func(prefix string) bool { return strings.HasPrefix(key, prefix) })
		if suspicious && !known {
			t.Errorf("git knows the key %s, which looks like a command: is it covered in gitcmd?", key)
		}
	}
}

func TestFiltersThatWereLeftOutAreMentioned(t *testing.T) {
	p := newRepository(t)
	p.plain("config", "filter.upper.clean", "tr a-z A-Z")
	p.write(".gitattributes", "*.txt filter=upper\n")
	p.write("a.txt", "changed\n")
	contains(t, p.must("git_status", ""), "a content filter (upper)")
	contains(t, p.must("git_diff", ""), "a content filter (upper)")
	// Committing does run them: otherwise wrong content would be stored.
	p.must("git_commit", `{"message":"x","add_all":true}`)
	if got := p.plain("show", "HEAD:a.txt"); got != "CHANGED\n" {
		t.Errorf("committed %q", got)
	}
}

func TestOldGitIsRefused(t *testing.T) {
	p := newRepository(t)
	// A git that, like those before 2.31, knows nothing of GIT_CONFIG_COUNT.
	bin := t.TempDir()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec %s \"$@\"\n", real)
	if err := disktest.WriteProgram(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p.env.Environ = append(p.env.Environ, "PATH="+bin+":"+os.Getenv("PATH"))
	p.refused("git_status", "", "too old", "2.31")
}
