package jail_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// twoBranches are main and other, which change the same line.
const twoBranches = `git checkout -qb other && echo 1 > main.txt && git commit -qam 1 && touch c && git add c && git commit -qm c && git checkout -q main && echo 2 > main.txt && git commit -qam 2 && touch d && git add d && git commit -qm d`

// When a command ends, all entries that it left in the git directory and through which the user's
// own git would write are removed and reported. Earlier files, and those that git needs, stay.
func TestGitWritesThroughNothingThatACommandLeft(t *testing.T) {
	for _, row := range []struct{ before, line, then, told string }{
		{"", `ln -sf $HOME/.profile .git/logs/HEAD`, `git checkout -qb x`, "logs/HEAD was a symbolic link to "},
		{"", `ln -sf $HOME/.profile .git/COMMIT_EDITMSG`, `git commit -q --allow-empty -m evil`, "COMMIT_EDITMSG"},
		{"", `ln -sf ../../.profile .git/FETCH_HEAD`, `git fetch -q . main`, "FETCH_HEAD"},
		{"", `ln -sf $HOME/.profile .git/ORIG_HEAD`, `git reset -q --hard HEAD`, "ORIG_HEAD"},
		{"", `ln -sf $HOME/.profile .git/index`, `git add main.txt`, "index"},
		{"", `ln -sf $HOME/.profile .git/packed-refs`, `git pack-refs --all`, "packed-refs"},
		{"", `ln -sf $HOME/.profile .git/HEAD`, `git checkout -qb x`, ".git/HEAD"},
		{"", `rm -rf .git/logs; ln -s $HOME .git/logs; mkdir -p deep`, `git checkout -qb x`, ".git/logs was"},
		{"", `mv .git/refs r; ln -s ../r .git/refs`, `git tag x`, ".git/refs was"},
		{"", `ln -s $HOME .git/objects/info/commit-graphs; rmdir .git/objects/pack; ln -s $HOME .git/objects/pack`, `git gc -q`, "objects/pack"},
		{"", `mkdir -p .git/rebase-merge; ln -s $HOME/.profile .git/rebase-merge/done`, `git status -s`, "rebase-merge/done"},
		{"", `ln -s $HOME/.profile .git/logs/refs/heads/y; chmod 300 .git/logs/refs/heads`, `git branch y`, "logs/refs/heads"},
		{"", `d=.git/logs/refs/heads/a/b/c/d/e/f; mkdir -p $d; ln -s $HOME/.profile $d/y; while [ $d != .git ]; do chmod 300 $d; d=${d%/*}; done`, `git branch a/b/c/d/e/f/y`, "heads/a/b/c/d/e/f/y"},
		{"", `mkdir -p .git/logs/refs/heads/z; ln -s $HOME/.profile .git/logs/refs/heads/z/y; chmod 400 .git/logs/refs`, `git branch z/y`, "heads/z/y"},
		{"", `ln .git/description .git/logs/refs/heads/y; mkfifo .git/MERGE_MSG`, `git branch y`, "a second name"},
		{"", `mkdir .git/modules .git/worktrees .git/modules/x; mkdir -p .git/info; echo '* filter=evil' > .git/info/attributes`, `git status -s`, "info/attributes has settings"},
		{"", `printf '[core]\n\tfsmonitor = touch %s\n' $HOME/.profile > .git/config.worktree`, `git config extensions.worktreeConfig true; git status -s`, "config.worktree"},
		{"", `mkdir -p .git/objects/info; echo $HOME > .git/objects/info/alternates; mkdir -p .git/remotes; echo "URL: $HOME" > .git/remotes/origin`, `git status -s`, "remotes/origin"},
		{"git -c protocol.file.allow=always submodule -q add $BASE/lib lib; git commit -qm lib; mv lib/.git .git/modules/old; mv .git/modules/lib lib/.git; sed -i /worktree/d lib/.git/config", `git -C lib config core.fsmonitor "touch $HOME/.profile"; echo x >> lib/main.txt`, `git status -s`, "lib/.git/config has settings"},
		{"", `git init -q own && git -C own commit -q --allow-empty -m x && git add own && git -C own config core.fsmonitor "touch $HOME/.profile; false"`, `git status -s`, "own/.git is the repository of a submodule"},
		{"", `git init -q own && git -C own commit -q --allow-empty -m x && git add own && printf '#!/bin/sh\ntouch %s\n' $HOME/.profile > own/.git/hooks/post-index-change && chmod +x own/.git/hooks/post-index-change && git update-index --index-version 4 --split-index`, `touch own/x; git status -s`, "own/.git is the repository of a submodule"},
		{"", `git init -q own && git -C own commit -q --allow-empty -m x && git add own`, `git status -s && git -C own log -1`, ""},
		{twoBranches, `git rebase other; printf '#!/bin/sh\ntouch $HOME/.profile\n' > evil; chmod +x evil; mkdir git-merge-x; echo x/../evil > .git/rebase-merge/strategy; echo a > main.txt; git add main.txt`, `GIT_EDITOR=true git rebase --continue`, "rebase-merge/strategy names a merge strategy"},
		{twoBranches, `git cherry-pick other~1 other; printf '#!/bin/sh\ntouch $HOME/.profile\n' > evil; chmod +x evil; mkdir git-merge-x; printf '[Options] Strategy = x/../evil\n' > .git/sequencer/opts; echo a > main.txt; git add main.txt`, `GIT_EDITOR=true git cherry-pick --continue`, "sequencer/opts names a merge strategy"},
		{twoBranches, `git rebase -s recursive -X ours --no-ff other; git rebase --abort; git cherry-pick -s --strategy recursive -X patience other~1 other; echo a > main.txt; git add main.txt`, `test -e .git/sequencer/opts`, ""},
		{"ln -s ../main.txt .git/description.link; git clone -q . own; git -C own config core.fsmonitor true; git gc -q; git fsck", `git add . && git commit -qm one && git gc -q && git checkout -qb other && git stash list`, `test -L .git/description.link && git -C own log -1`, ""},
	} {
		t.Run(row.line, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, jail.Workspace)
			if done := p.run(t, false, `set -e; git init -q -b main && git add . && git commit -qm first && git clone -q . $BASE/lib; `+row.before); done.ExitCode != 0 {
				t.Fatal(done.Stderr.Text())
			}
			if err := os.WriteFile(p.home+"/.profile.before", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			p.run(t, true, row.line)
			told := p.keeper.PutRight()
			if !strings.Contains(told, row.told) || (told == "") != (row.told == "") {
				t.Errorf("told is %q", told)
			}
			if strings.Contains(told, "could not") {
				t.Errorf("told is %q", told)
			}
			after := p.run(t, false, row.then)
			if after.ExitCode != 0 {
				t.Errorf("git does not work: %s%s", after.Stdout.Text(), after.Stderr.Text())
			}
			if left, _ := filepath.Glob(p.home + "/.profile*"); len(left) > 1 {
				t.Errorf("git wrote outside: %v", left)
			}
			if exists(p.root+"/.git/modules/x") || exists(p.home+"/HEAD") || exists(p.home+"/refs") {
				t.Error("git wrote outside")
			}
		})
	}
}

func TestAJobThatPutsALinkBackIsLookedAtAgain(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `git init -q -b main && git add . && git commit -qm first`)
	cell, err := p.keeper.Jail(p.root)
	if err != nil {
		t.Fatal(err)
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	link := p.root + "/.git/COMMIT_EDITMSG"
	job, err := proc.Start(proc.Command{Shell: `for n in 1 2; do until [ -e go$n ]; do sleep 0.01; done; ln -sf $HOME/.profile .git/COMMIT_EDITMSG; echo > did$n; done; until [ -e go3 ]; do sleep 0.01; done`, Dir: p.root, Environ: p.environ, Jail: cell}, nowhere, nowhere, false)
	if err != nil {
		t.Skip(err)
	}
	p.run(t, true, `touch go1; until [ -e did1 ]; do sleep 0.01; done`)
	if exists(link) || !strings.Contains(p.keeper.PutRight(), "COMMIT_EDITMSG") {
		t.Error("at the end of a command the link of a job is left")
	}
	p.run(t, false, `touch go2; until [ -e did2 ]; do sleep 0.01; done`)
	p.keeper.LookAgain()
	if exists(link) || !strings.Contains(p.keeper.PutRight(), "COMMIT_EDITMSG") {
		t.Error("before git runs the link of a job is left")
	}
	p.run(t, false, `ln -s $HOME/.profile .git/COMMIT_EDITMSG; touch go3`)
	job.Wait()
	if exists(link) || !strings.Contains(p.keeper.PutRight(), "COMMIT_EDITMSG") {
		t.Error("at the end of a job the link is left")
	}
}

// A repository that a command of an earlier Marvin prepared is moved aside when a later one adds it
// to the index. That of the user, with hooks and settings too, stays.
func TestARepositoryOfAnEarlierMarvinIsMovedAside(t *testing.T) {
	for name, row := range map[string]struct{ user, first, later, moved string }{
		"made":                        {"", `git init -q own; git -C own commit -q --allow-empty -m x; git -C own config core.fsmonitor "touch $HOME/.profile; false"`, `git add own`, "own"},
		"a hook of the user changed":  {`git clone -q . own; printf '#!/bin/sh\n' > own/.git/hooks/post-index-change; chmod +x own/.git/hooks/post-index-change`, `echo 'touch $HOME/.profile' >> own/.git/hooks/post-index-change`, `git add own`, "own"},
		"an included file changed":    {`git clone -q . own; git -C own config include.path ../../shared; echo > shared`, `printf '[core]\n\tfsmonitor = touch %s; false\n' $HOME/.profile > shared`, `git add own`, "own"},
		"moved to another directory":  {"", `mkdir a; git init -q a/own; git -C a/own commit -q --allow-empty -m x; git -C a/own config core.fsmonitor "touch $HOME/.profile; false"`, `mv a b; git add b`, "b/own"},
		"files of the user obeyed":    {`git clone -q --bare . files; git -C files config core.bare false; git -C files config core.fsmonitor "touch $HOME/.profile; false"`, `true`, `mkdir own; echo "gitdir: ../files" > own/.git; git add own`, "own"},
		"the user's, with a hook":     {`git clone -q . own; git -C own config core.fsmonitor true; cp $(command -v true) own/.git/hooks/post-index-change`, `true`, `git add own`, ""},
		"a clone that a command made": {"", `git clone -q . own`, `git add own`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, jail.Workspace)
			p.run(t, false, `git init -q -b main && git add . && git commit -qm first; `+row.user)
			p.run(t, false, `git gc -q; git fsck; git clone -q . $BASE/lib`) // the clock of the files goes on
			for _, line := range []string{row.first, row.later} {
				p.keeper = jail.NewKeeper(jail.Config{Home: p.home, State: p.state, Data: p.state + "/data", Environ: p.environ})
				p.run(t, true, line)
				if err := p.keeper.Close(); err != nil {
					t.Fatal(err)
				}
			}
			told := p.keeper.PutRight()
			if row.moved == "" {
				if told != "" || p.run(t, false, "git -C own status").ExitCode != 0 {
					t.Errorf("told is %q", told)
				}
				return
			}
			if !strings.Contains(told, row.moved+"/.git is the repository of a submodule") || strings.Contains(told, "could not") {
				t.Errorf("told is %q", told)
			}
			p.run(t, false, "touch own/x; git status")
			if exists(p.home + "/.profile") {
				t.Error("git ran what a command prepared")
			}
		})
	}
}
