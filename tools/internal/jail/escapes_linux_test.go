package jail_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/jail"
)

// escapes are lines that escape without the jail, but not in it.
var escapes = []struct {
	name, line string
	mode       jail.Mode
	prepare    string                    // a line that runs before, outside
	out        func(*place, string) bool // reports whether it escaped, from the disk and stdout
}{
	{name: "write outside", line: `echo x >> $BASE/outside.txt`, out: changed},
	{name: "write by relative path", line: `echo x >> ../../outside.txt`, out: changed},
	{name: "truncate outside", line: `truncate -s 0 $BASE/outside.txt`, out: changed},
	{name: "truncate by opening", line: `: > $BASE/outside.txt`, out: changed},
	{name: "remove outside", line: `rm $BASE/outside.txt`, out: changed},
	{name: "rename into the project", line: `mv $BASE/outside.txt .`, out: changed},
	{name: "rename over it", line: `mv main.txt $BASE/outside.txt`, out: changed},
	{name: "symbolic link", line: `ln -s $BASE/outside.txt link; echo x >> link`, out: changed},
	{name: "chain of links", line: `ln -s $BASE a; ln -s a b; ln -s b/outside.txt c; echo x >> c`, out: changed},
	{name: "hard link", line: `ln $BASE/outside.txt hard && echo x >> hard`, out: changed},
	{name: "/proc/self/root", line: `echo x >> /proc/self/root$BASE/outside.txt`, out: changed},
	{name: "/proc/PID/root", line: `echo x >> /proc/$OUT/root$BASE/outside.txt`, out: changed},
	{name: "/proc/PID/cwd", line: `cd /proc/$OUT/cwd && echo x >> $BASE/outside.txt`, out: changed},
	{name: "symlink swap, 100,000 times", line: `$SELF attack swap $BASE/victim`, out: func(p *place, _ string) bool {
		return content(p.base+"/victim") != "" || exists(p.base+"/victim/swapped")
	}},
	{name: "keys from the environment of Marvin", line: `tr '\0' '\n' < /proc/$OUT/environ`, out: printed("PATH=")},
	{name: "memory of Marvin", line: `$SELF attack memory $OUT`, out: printed("ESCAPED")},
	{name: "key file", line: `cat ~/.ssh/GEMINI_API_KEY`, out: printed("canary")},
	{name: "key file through /proc", line: `cat /proc/self/root$HOME/.ssh/GEMINI_API_KEY`, out: printed("canary")},
	{name: "Marvin's state, reading", line: `cat ~/.config/marvin/tokens.json`, out: printed("canary")},
	{name: "Marvin's state, writing", line: `echo x > ~/.config/marvin/config.yaml`, out: exist("home/.config/marvin/config.yaml")},
	{name: "Marvin's state, moving", line: `mv ~/.config ~/.other`, out: exist("home/.other")},
	{name: "shell file", line: `echo x >> ~/.bashrc`, out: func(p *place, _ string) bool { return content(p.home+"/.bashrc") != "# rc\n" }},
	{name: "absent shell file", line: `echo x > ~/.profile`, out: exist("home/.profile")},
	{name: "ssh", line: `echo x > ~/.ssh/authorized_keys`, out: exist("home/.ssh/authorized_keys")},
	{name: "program on the path", line: `mkdir -p ~/.local/bin && cp /bin/true ~/.local/bin/ls`, out: exist("home/.local/bin/ls")},
	{name: "autostart", line: `mkdir -p ~/.config/autostart && echo x > ~/.config/autostart/x.desktop`, out: exist("home/.config/autostart/x.desktop")},
	{name: "ptrace", line: `$SELF attack ptrace`, out: printed("ESCAPED")},
	{name: "io_uring", line: `$SELF attack io_uring`, out: printed("ESCAPED")},
	{name: "raw sockets", line: `$SELF attack raw`, out: printed("ESCAPED")},
	{name: "new namespaces", line: `$SELF attack namespace`, out: printed("ESCAPED")},
	{name: "clone3", line: `$SELF attack clone3`, out: printed("ESCAPED")},
	{name: "socket in the run directory", line: `$SELF attack unix $BASE/run/socket`, out: printed("ESCAPED")},
	{name: "abstract socket", line: `$SELF attack unix $ABSTRACT`, out: printed("ESCAPED")},
	{name: "/dev/tcp", mode: jail.Strict, line: `echo hello > /dev/tcp/127.0.0.1/$PORT && echo ESCAPED`, out: printed("ESCAPED")},
	{name: "curl", mode: jail.Strict, line: `curl -s -m 1 -o /dev/null http://127.0.0.1:$PORT; test $? = 28 && echo ESCAPED`, out: printed("ESCAPED")},
	{name: "signal", line: `kill -0 $OUT && echo ESCAPED`, out: printed("ESCAPED")},
	{name: "cache of builds", mode: jail.Strict, line: `echo x > $BASE/home/.npm/x`, prepare: `mkdir ~/.npm`, out: exist("home/.npm/x")},

	{name: ".git/config", prepare: "git init -q", line: `git config core.fsmonitor evil`, out: inFile(".git/config", "evil")},
	{name: ".git/config by writing", prepare: "git init -q", line: `echo evil >> .git/config`, out: inFile(".git/config", "evil")},
	{name: ".git/config by renaming over it", prepare: "git init -q", line: `echo evil > .git/x; mv -f .git/x .git/config`, out: inFile(".git/config", "evil")},
	{name: ".git/config by a hard link", prepare: "git init -q", line: `ln .git/config c && echo evil >> c`, out: inFile(".git/config", "evil")},
	{name: ".git/hooks", prepare: "git init -q", line: `echo evil > .git/hooks/pre-commit`, out: inFile(".git/hooks/pre-commit", "evil")},
	{name: ".git/hooks by moving them", prepare: "git init -q", line: `mv .git/hooks .git/h2 && mkdir .git/hooks && echo evil > .git/hooks/pre-commit`, out: inFile(".git/hooks/pre-commit", "evil")},
	{name: "absent .git/hooks", prepare: "git init -q; rm -r .git/hooks", line: `mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit`, out: inFile(".git/hooks/pre-commit", "evil")},
	{name: ".git moved away", prepare: "git init -q", line: `mv .git .git2 && git init -q && echo evil >> .git/config`, out: inFile(".git/config", "evil")},
	{name: ".git/commondir", prepare: "git init -q", line: `mkdir evil; echo ../evil > .git/commondir`, out: inFile(".git/commondir", "evil")},
	{name: "absent .git", line: `mkdir -p .git; echo evil >> .git/config`, out: inFile(".git/config", "evil")},
	{name: "absent .git as a file", line: `rm -rf .git; echo "gitdir: evil" > .git`, out: inFile(".git", "evil")},
	{name: "absent .git by renaming", line: `mkdir g; echo evil > g/config; rmdir .git 2>/dev/null; mv -T g .git`, out: inFile(".git/config", "evil")},
	{name: "absent .git by git init", line: `git init -q; git config core.pager evil`, out: inFile(".git/config", "evil")},
}

func changed(p *place, _ string) bool { return content(p.base+"/outside.txt") != "outside\n" }

func exist(path string) func(*place, string) bool {
	return func(p *place, _ string) bool { return exists(filepath.Join(p.base, path)) }
}

func printed(text string) func(*place, string) bool {
	return func(_ *place, stdout string) bool { return strings.Contains(stdout, text) }
}

func inFile(path, text string) func(*place, string) bool {
	return func(p *place, _ string) bool { return strings.Contains(content(filepath.Join(p.root, path)), text) }
}

func TestEscapesFailInsideAndWorkOutside(t *testing.T) {
	for _, escape := range escapes {
		t.Run(escape.name, func(t *testing.T) {
			t.Parallel()
			for _, inside := range []bool{true, false} {
				if testing.Short() && !inside && os.Getenv("HIDDEN") != "" {
					continue // the tests as root showed that the attack works outside
				}
				p := newPlace(t, escape.mode)
				p.listen(t)
				if escape.prepare != "" {
					p.run(t, false, escape.prepare)
				}
				result := p.run(t, inside, escape.line)
				out := escape.out(p, result.Stdout.Text())
				said := result.Stdout.Text() + result.Stderr.Text()
				switch {
				case inside && out:
					t.Fatalf("it got out: %s", said)
				case !inside && !out:
					if strings.Contains(said, "not permitted") || strings.Contains(said, "not implemented") || strings.Contains(strings.ToLower(said), "permission denied") {
						t.Skipf("this system itself forbids it: %s", said)
					}
					t.Fatalf("the control run did not get out, so the test shows nothing: %s", said)
				}
			}
		})
	}
}
