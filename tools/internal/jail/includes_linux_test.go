package jail_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"marvin/tools/internal/jail"
)

func TestIncludedGitConfigIsProtected(t *testing.T) {
	places := map[string][2]string{
		"a file of the tree":  {`git config include.path ../.gitconfig; touch .gitconfig`, ".gitconfig"},
		"in a directory":      {`mkdir -p conf/git; touch conf/git/x; git config include.path ../conf/git/x`, "conf/git/x"},
		"of an include":       {`mkdir conf; git config --file conf/one include.path two; touch conf/two; git config include.path ../conf/one`, "conf/two"},
		"under a condition":   {`git config includeIf.onbranch:main.path ../.gitconfig; touch .gitconfig`, ".gitconfig"},
		"that does not exist": {`git config include.path ../.gitconfig`, ".gitconfig"},
		"nor its directory":   {`git config include.path ../conf/git/x`, "conf/git/x"},
		"in one line":         {`printf '[include] path = \042../.git\\\\\nconfig\042 ; here\n' | sed 's/\\\\$/\\/' >> .git/config; touch .gitconfig`, ".gitconfig"},
		"through a link":      {`mkdir conf; touch conf/x; ln -s conf/x linked; git config include.path ../linked`, "linked"},
		"from the home":       {`git config include.path "~/project/mine"; touch mine`, "mine"},
		"by the home's name":  {`git config include.path "~home/project/mine"; touch mine`, "mine"},
		"of the user's own":   {`git config --file ~/.gitconfig include.path "$PWD/mine"; touch mine`, "mine"},
	}
	for at, name := range slices.Sorted(maps.Keys(places)) {
		lines := places[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n, attack := range []string{
				`echo evil > FILE`, `rm -f FILE; mkdir -p $(dirname FILE); echo evil > FILE`, `echo evil > new; mv -f new FILE`, `ln -sf $PWD/new FILE; echo evil > new`,
				`mkdir -p away; mv $(echo FILE | cut -d/ -f1) away; mkdir -p $(dirname FILE); echo evil > FILE`,
			} {
				if testing.Short() && (at+n)%5 > 1 { // two attacks on each place
					continue
				}
				p := newPlace(t, jail.Workspace)
				p.run(t, false, "git init -q -b main; "+lines[0])
				p.run(t, true, strings.ReplaceAll(attack, "FILE", lines[1]))
				if strings.Contains(content(p.root+"/"+lines[1]), "evil") {
					t.Errorf("%s got through", attack)
				}
			}
		})
	}
	p := newPlace(t, jail.Workspace)
	p.run(t, false, "git init -q -b main; touch .gitconfig")
	p.run(t, true, "echo fine > .gitconfig")
	if content(p.root+"/.gitconfig") != "fine\n" {
		t.Error("what nothing includes is not writable")
	}
	p.run(t, false, "git config include.path ../.gitconfig") // by the user, meanwhile
	p.run(t, true, "echo evil > .gitconfig")
	if content(p.root+"/.gitconfig") != "fine\n" {
		t.Error("what the user included meanwhile is writable")
	}
}

func TestRebaseCommandsAreReported(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `git init -q -b main && git add -A && git commit -qm one && git worktree add -q ../tree && mkdir -p .git/worktrees/tree/rebase-merge && echo "exec mine" > .git/worktrees/tree/rebase-merge/git-rebase-todo`)
	note := func(line string) string {
		t.Helper()
		result := p.run(t, true, line)
		cell, err := p.keeper.Jail(p.root)
		if err != nil {
			t.Fatal(err)
		}
		if result.ExitCode != 0 {
			t.Fatal(result.Stderr.Text())
		}
		return cell.Report()
	}
	for _, step := range []struct{ line, want string }{
		{`true`, ""},
		{`mkdir -p .git/rebase-merge && echo "pick 1234567 x" > .git/rebase-merge/git-rebase-todo`, ""},
		{`printf 'pick 1\n  exec touch evil\033[0m\n' > .git/rebase-merge/git-rebase-todo`, `"touch evil\x1b[0m"`},
		{`true`, ""},
		{`printf 'x\ttouch worse\n' > .git/rebase-merge/git-rebase-todo`, `"touch worse"`},
		{`rm -r .git/rebase-merge; mkdir .git/sequencer; echo "exec third" > .git/sequencer/todo`, `"third"`},
	} {
		if said := note(step.line); (said == "") != (step.want == "") || !strings.Contains(said, step.want) {
			t.Errorf("%s: %q", step.line, said)
		}
	}
}
