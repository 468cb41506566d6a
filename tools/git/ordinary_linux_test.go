package git

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// ordinary lists everyday tasks with git: by a tool, or by a command of the model if tool is "".
// says is the text for the model and the user if the task fails. The other fields make the table of
// docs/sandbox.md.
var ordinary = []struct {
	work, before, tool, line string
	says                     string // "" for what works
	way                      string // for the table: the text about the failure, and the alternative
}{
	{work: "commit (`git_commit`)", tool: "git_commit", line: `{"message":"x","add_all":true}`},
	{work: "commit with a `pre-commit` hook", before: hookOf(".git/hooks/pre-commit", "git diff --cached --check"), tool: "git_commit", line: `{"message":"x","add_all":true}`, way: "“Hooks that ran: pre-commit”"},
	{work: "commit with husky's hooks (`core.hooksPath`)", before: "git config core.hooksPath .husky && " + hookOf(".husky/pre-commit", "test -f a.txt"), tool: "git_commit", line: `{"message":"x","add_all":true}`, way: "“Hooks that ran: pre-commit”"},
	{work: "commit through a filter", before: "git config filter.up.clean 'tr a-z A-Z' && echo '*.txt filter=up' > .gitattributes", tool: "git_commit", line: `{"message":"x","add_all":true}`},
	{work: "commit (`run_command`)", line: "git commit -qam x"},
	{work: "amend, tag, notes", line: "git commit -qam x && git commit -q --amend --no-edit && git tag -a v1 -m one && git notes add -m noted && git describe"},
	{work: "stash and pop", line: "git stash -q && git stash pop -q && git status --short"},
	{work: "branch, switch, merge", line: "git stash -q && git switch -qc topic && echo 3 > c && git add c && git commit -qm c && git switch -q main && git merge -q --no-ff -m merged topic && git branch -q -d topic"},
	{work: "rebase, also with `--autosquash` and `--exec`", line: "git commit -qam x && echo y >> a.txt && git commit -qa --fixup HEAD && GIT_SEQUENCE_EDITOR=true git rebase -q -i --autosquash --exec true HEAD~2"},
	{work: "cherry-pick, revert, reset", line: "git commit -qam x && git switch -q --detach HEAD~1 && git cherry-pick main >/dev/null && git revert --no-edit HEAD >/dev/null && git reset -q --soft HEAD~1"},
	{work: "checkout (`git_checkout`) with a `post-checkout` hook", before: hookOf(".git/hooks/post-checkout", "true"), tool: "git_checkout", line: `{"target":"new","create_branch":true}`},
	{work: "bisect run", line: "for i in 1 2 3; do echo $i > n; git add n; git commit -qm $i; done; git bisect start HEAD HEAD~3 >/dev/null && git bisect run sh -c 'test $(cat n) -lt 3' >/dev/null && git bisect reset"},
	{work: "gc, repack, fsck", line: "git gc -q && git repack -qad && git fsck"},
	{work: "fetch, pull --rebase", before: "git clone -q --bare . ../origin.git && git remote add origin ../origin.git", line: "git fetch -q origin && git commit -qam x && git pull -q --rebase origin main"},
	{work: "commit in a repository in a subdirectory", line: "git init -q sub && cd sub && echo 1 > f && git add f && git commit -qm sub"},
	{work: "push to a repository on this machine", before: "git clone -q --bare . ../origin.git && git remote add origin ../origin.git", line: "git commit -qam x && git push -q origin main", says: "[sandbox: ", way: "refused, because the push writes outside the working directory. Type `!git push`, or use `--sandbox off`"},
	{work: "push with an SSH agent", before: "git remote add origin ssh://git@127.0.0.1:9/x && git config core.sshCommand 'ssh -o BatchMode=yes -o ConnectTimeout=1'", line: "test -z \"$SSH_AUTH_SOCK\" && git push -q origin main", says: "exit code: 128", way: "the sandbox hides the agent. Type `!git push`"},
	{work: "signed commit (gpg; `git_commit`)", before: "git config commit.gpgSign true", tool: "git_commit", line: `{"message":"x","add_all":true}`, says: "the sandbox hides the gpg-agent or ssh-agent that has the key", way: "“Commits are signed here (commit.gpgSign), and the sandbox hides the gpg-agent or ssh-agent that has the key.” Type `! git commit`, use `git commit --no-gpg-sign`, or use `--sandbox off`"},
	{work: "signed commit (gpg; `run_command`)", before: "git config commit.gpgSign true", line: "git commit -qam x", says: "[sandbox: ", way: "the sandbox hides the gpg-agent or ssh-agent that has the key. Type `! git commit`, or follow the advice for `git_commit`"},
	{work: "`git config`, `git remote add`", line: "git config user.name X", says: "[sandbox: ", way: "refused, because `.git/config` is read-only. Type `!git config …`"},
	{work: "installing a hook", line: "echo true > .git/hooks/pre-push", says: "[sandbox: ", way: "refused, because `.git/hooks` is read-only. Copy the hook with `!cp …`"},
	{work: "`git worktree add`, `move`, `remove`", before: "git worktree add -q ../other", line: "git worktree add -q -b new tree", says: "the command was not run: in the sandbox, .git/config", way: "Marvin asks first. If you say yes, the command runs outside the sandbox. If no user is present, Marvin refuses the command: use `launch_agent` with `worktree: true`, or type `!git worktree add …`"},
	{work: "`git branch -m`, `-c`", line: "git branch -m new", says: "the command was not run: in the sandbox, .git/config", way: "the same as for `git worktree add`"},
	{work: "`git worktree add` in a repository in a subdirectory", line: "git init -q sub && git -C sub commit -q --allow-empty -m one && cd sub && git worktree add -q -b new ../tree"},
	{work: "`git submodule add`", before: "git init -q ../lib && git -C ../lib commit -q --allow-empty -m one && mkdir -p .git/modules", line: "git -c protocol.file.allow=always submodule --quiet add ../lib mod", says: "[sandbox: ", way: "refused. Type `!git submodule add …`. To work in a submodule, start Marvin in the submodule"},
	{work: "a hook that writes in your home directory", before: hookOf(".git/hooks/pre-commit", `touch "$HOME/cache"`), tool: "git_commit", line: `{"message":"x","add_all":true}`, says: "they can run the same command themselves by typing ! before it", way: "“Git and its hooks and filters run in the sandbox. If one of them needs more permissions, … run the same command themselves by typing ! before it, or start Marvin with --sandbox off.”"},
	{work: "commit outside the directory where the conversation began", before: "git clone -q . ../elsewhere && echo 2 > ../elsewhere/a.txt", line: "git -C ../elsewhere commit -qam x", says: "[sandbox: ", way: "refused. Go to the other directory with `/cd`"},
}

func hookOf(path, line string) string {
	return fmt.Sprintf("mkdir -p $(dirname %[1]s) && printf '#!/bin/sh\\n%%s\\n' '%[2]s' > %[1]s && chmod +x %[1]s", path, line)
}

// An everyday task never fails without an alternative, and most succeed: in the default and the
// strict mode, as root and as an ordinary user.
func TestOrdinaryGitWorkInTheJail(t *testing.T) {
	if os.Getuid() == 0 && os.Getenv("ORDINARY") == "" {
		t.Run("ordinary user", func(t *testing.T) { t.Parallel(); asNobody(t) })
	}
	modes := []tools.SandboxMode{tools.SandboxAuto, tools.SandboxStrict}
	if testing.Short() { // each mode once: the default as an ordinary user, and strict as root
		modes = modes[:1]
		if os.Getuid() == 0 {
			modes = []tools.SandboxMode{tools.SandboxStrict}
		}
	}
	inHalves := testing.Short() && (os.Getuid() == 0 || os.Getenv("ORDINARY") != "") // root starts a second process
	for _, mode := range modes {
		for n, each := range ordinary {
			if inHalves && (n%2 == 0) == (os.Getuid() == 0) {
				continue // each work once: in the default mode as an ordinary user, or in strict mode as root
			}
			t.Run(each.work+" "+string(mode), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				p.dir = filepath.Join(p.env.Home, "project") // files outside the project are the user's
				p.env.Dir = p.dir
				if err := os.Mkdir(p.dir, 0o755); err != nil {
					t.Fatal(err)
				}
				p.write("a.txt", "one\n")
				p.plain("init", "-q", "-b", "main")
				p.plain("add", ".")
				p.plain("commit", "-qm", "first")
				p.write("a.txt", "two\n")
				if each.before != "" {
					before := exec.Command("sh", "-ec", each.before)
					before.Dir, before.Env = p.dir, p.env.Environ
					if out, err := before.CombinedOutput(); err != nil {
						t.Fatalf("%v: %s", err, out)
					}
				}
				p.hold(mode)
				said, failed := p.work(each.tool, each.line)
				if failed != (each.says != "") || !strings.Contains(said, each.says) {
					t.Errorf("failed %v: %s", failed, said)
				}
			})
		}
	}
}

// work executes a task and reports whether it failed.
func (p *place) work(tool, line string) (said string, failed bool) {
	p.t.Helper()
	if tool == "" {
		output, err := p.attempt("set -e; " + line)
		if err != nil {
			return err.Error(), true
		}
		return output.Text, output.Exit != 0
	}
	said, err := p.call(tool, line)
	if err != nil {
		return err.Error(), true
	}
	return said, false
}

// asNobody runs this test as an ordinary user.
func asNobody(t *testing.T) {
	dir := toolstest.DirOf(t, 65534)
	binary := filepath.Join(dir, "git.test")
	self, err := os.ReadFile("/proc/self/exe")
	if err := errors.Join(err, disktest.WriteProgram(binary, self, 0o755)); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), binary, "-test.run=^TestOrdinaryGitWorkInTheJail$", "-test.v", fmt.Sprint("-test.short=", testing.Short()))
	command.Dir = dir
	command.Env = []string{"ORDINARY=1", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	expected := len(ordinary)
	if testing.Short() {
		expected /= 2
	}
	out, err := command.CombinedOutput()
	if passed := strings.Count(string(out), "--- PASS"); err != nil || passed < expected && !strings.Contains(string(out), "--- SKIP") {
		t.Errorf("%d passed, %v\n%s", passed, err, out)
	}
}

// The published table contains exactly the tested results.
func TestTheTableOfGitWork(t *testing.T) {
	const begin, end = "<!-- git work: UPDATE_GOLDEN=1 go test ./tools/git -run TableOfGit -->\n", "<!-- end of git work -->\n"
	var table strings.Builder
	table.WriteString("| work | in the sandbox | message, and what to do instead |\n|---|---|---|\n")
	for _, each := range ordinary {
		result := "works"
		if each.says != "" {
			result = "does not"
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", each.work, result, each.way)
	}
	path := "../../docs/sandbox.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	old, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("the page has no place for the table")
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(before+begin+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table.String() {
		t.Errorf("docs/sandbox.md has\n%s\ninstead of\n%s", old, table.String())
	}
	for _, each := range ordinary {
		if each.says != "" && each.way == "" {
			t.Errorf("%s is refused without a way on", each.work)
		}
	}
}
