package permit

import (
	"testing"
)

// Some lines only read, and others look like them but do more.
func TestReadOnlyCommands(t *testing.T) {
	for _, line := range []string{
		"ls", "ls -la", "ls -la src | head -20", "cat a.go b.go", "head -n 5 a", "tail -n 20 log.txt", "wc -l *.go", "pwd", "stat a", "du -sh .", "file a", "sort a | uniq -c | sort -rn | head", "jq '.a | .b' x.json",
		"rg -n 'func main' --glob '*.go'", "grep -rn \"TODO\" src", "grep -rn '../x' .", "find . -name '*.go' -type f | head", "find src -newer a -print0 | xargs -0 wc -l", "find . -name '*.go' | xargs grep -l foo", "test -f a && echo yes",
		"[ -d a ] && ls a", "git status", "git status --short", "git log --oneline -5", "git --no-pager diff HEAD~1 -- a.go", "git show HEAD:a.go | head", "git blame -L 1,5 a.go", "git branch", "git branch -a", "git branch --list 'x*'", "git branch --show-current",
		"git tag -l", "git remote -v", "git stash list", "git bisect log", "gofmt -l .", "gofmt -d a.go | head", "bash -n a.sh", "git config --get user.name", "git config user.name", "git -C sub status", "git -c color.ui=never diff", "git rev-parse HEAD", "git worktree list", "go list ./...", "go version", "go vet ./...", "go env GOPATH",
		"go doc fmt.Println", "sed -n '1,20p' a.go", "sed -n '/^func/,/^}/p' a.go | head", "sed 's/a/b/' a", "awk '{print $1}' a", "awk -F: '$3 > 5 {print $1}' a", "cat a 2>/dev/null", "ls nosuch 2>&1 | head", "ls >/dev/null && echo ok", "cd src && ls", "cd src && git status; pwd",
		"for f in *.go; do head -3 \"$f\"; done", "if [ -f a ]; then cat a; fi", "cat $(git ls-files '*.go')", "diff a b", "diff <(sort a) <(sort b)", "time go vet ./...", "timeout 5 git log", "bash -c 'ls | wc -l'", "which go", "command -v go", "node --version", "python3 --version",
		"env", "date", "tree -L 2", "npm ls", "pip list", "cat /usr/include/stdio.h", "echo \"$HOME\"", "git ls-files | xargs wc -l | tail -1", "cat ~/project/a", "nl -ba a | sed -n '5,9p'", "fd main", "ps aux | grep go",
	} {
		if verdict := judge(nil, line); !verdict.ReadOnly {
			t.Errorf("%s does more than read: %v", line, verdict.Reasons)
		}
	}
	for _, line := range []string{
		"ls > a", "ls >> a", "ls | tee a", "cat a > b", "sort -o a a", "sort --outp=a a", "sort -uo a b", "sort a -oa", "sort *", "find . -delete", "find . -exec rm {} ;", "find . -name x -fprintf out x", "find . -fls out", "find $X", "fd -x rm", "rg --pre=sh x", "rg --pre sh x",
		"sed -i s/a/b/ a", "sed -n 'w out' a", "sed '1e ls' a", "sed s/a/b/w out", "sed -f x a", "sed 's/a/b/e' a", "awk '{print > \"out\"}' a", "awk 'BEGIN{system(\"ls\")}'", "awk '{print | \"sh\"}' a", "awk -f x a", "gawk -i inplace '{print}' a", "awk 'BEGIN{\"ls\" | getline x}'",
		"git branch x", "git branch -d x", "git branch -m a b", "git tag x", "git tag -d x", "git stash", "git stash drop", "git bisect reset", "gofmt -w a.go", "gofmt -l -w=true .", "gofmt --w .", "gofmt -cpuprofile x a.go", "gofmt --cpuprofile=x .", "bash a.sh", "bash -n -c ls", "bash -n $(cat a)", "bash +n a.sh", "git remote add a b", "git config a.b c", "git config --unset a.b", "git diff --output=x", "git diff --outp x", "git grep -O x", "git -c core.pager=evil log", "git -c alias.x='!ls' x", "git fetch",
		"git ls-remote", "git checkout x", "git show --ext-diff", "git reflog expire --all", "git worktree add x", "git --git-dir=x log", "git --exec-path=x log", "go vet -vettool=x ./...", "go list -toolexec x", "go env -w A=b", "go run x", "go test ./...", "go build ./...", "./ls", "bin/ls", "ls() { rm x; }; ls", "A=b ls",
		"PATH=. ls", "export A=b; ls", "cat ~/.ssh/config", "cat ../other/a", "ls ~", "ls ..", "grep -r x ~/", "find / -name x", "find ~ -name x", "cat /home/other/a", "cd .. && ls", "cd /etc && cat passwd", "cat \"$X\"", "cat $X", "while read f; do cat $f; done < list", "xargs rm < a", "xargs -a list cat",
		"find . | xargs sed -i s/a/b/", "find . | xargs sort", "cat a | sh", "ls; touch a", "echo $(touch a)", "cat <(touch a)", "bash x.sh", "bash -c 'touch a'", "bash -c \"$X\"", "sh -lic 'ls'", "timeout -k 1 5 touch a", "time -o x ls", "/usr/bin/time -o out ls", "env A=b ls", "env touch a", "nohup ls", "sudo ls",
		"python3 -c 'print(1)'", "make -n", "curl x", "curl --version x", "uniq a b", "xxd a b", "xxd -r a", "file -C", "tree -o out", "hostname evil", "ls &> out", "cat a 3> b", "echo x > /dev/tcp/a/1", "tail -f log", "eval ls", "trap 'touch a' EXIT; ls", "$X", "$(echo ls)", "l? a", "coproc ls", "less a", "npm test", "date -s 1",
		"printf -v 'a[$(touch x)]' y", "LESSOPEN='|x' cat a", "hash -p x ls; ls", "alias ls=rm; ls a", "exec 3> a; ls >&3", "kill 1", "tee < a", "cp a b", "git submodule foreach ls", "git bisect run ls", "mkdir a", "test -f a || touch a", "dd if=a of=b", "ls | xargs -I{} sh -c '{}'",
	} {
		if verdict := judge(nil, line); verdict.ReadOnly {
			t.Errorf("%s only reads", line)
		}
	}
}
