package permit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"marvin/tools/internal/permit/command"
)

// quoting is a way to quote a text as one word of a shell.
type quoting func(string) string

func single(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func double(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text) + `"`
}

func dollar(text string) string {
	return "$'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`).Replace(text) + "'"
}

func numbers(text string) string {
	var out strings.Builder
	for n := range len(text) {
		fmt.Fprintf(&out, []string{`\x%02x`, `\%03o`}[n%2], text[n])
	}
	return "$'" + out.String() + "'"
}

func inString(text string) string {
	encoded, _ := json.Marshal(text)
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(encoded))
}

var quotings = []quoting{single, double, dollar, numbers}

// wrappers put a line into another line that runs it. %q stands for the line as a quoted word, %s
// for the unquoted line.
var wrappers = []string{
	"bash -c %q", "sh -c - %q", "bash -c + %q", "sh -ec %q", "zsh -c %q", "dash -c %q", "ksh -c %q", "fish -c %q", "bash -lc %q x y", "bash -euo pipefail -c %q", "eval %q", "trap %q EXIT", "su -c %q", "su - bob -c %q", "sudo bash -c %q",
	"sudo -u bob -- sh -c %q", "doas sh -c %q", "env bash -c %q", "env -i A=b sh -c %q", "env -S %q", "nice -n 5 bash -c %q", "nohup bash -c %q &", "timeout -s KILL 5 bash -c %q", "stdbuf -oL sh -c %q", "setsid sh -c %q",
	"command bash -c %q", "exec bash -c %q", "time bash -c %q", "xargs sh -c %q", "xargs -I{} sh -c %q < list", "find . -exec sh -c %q \\;", "parallel sh -c %q ::: a", "watch %q", "flock /tmp/l -c %q", "script -c %q /dev/null",
	"ssh host %q", "ssh -p 22 me@host bash -c %q", "docker exec x sh -c %q", "docker run --rm -v /:/h alpine sh -c %q", "kubectl exec p -- sh -c %q", "npx -c %q", "poetry run bash -c %q", "prlimit --nofile=9 bash -c %q",
	"rsync -e %q a b:c", "tar cf x --to-command=%q .", "GIT_PAGER=%q git log", "env PAGER=%q man ls", "go test -exec %q ./...", "git bisect run sh -c %q", "git submodule foreach %q", "alias x=%q; x",
	"bash <<< %q", "sh -s <<< %q", "sudo bash <<< %q", "ssh host <<< %q", "docker exec -i x sh <<< %q", "source /dev/stdin <<< %q", "printf %%s %q | sh", "echo %q | bash -s", "{ printf %%s %q; } | (bash)", "bash <(printf %%s %q)",
	"printf %%s %q | xargs -0 bash -c", "while read -r l; do eval \"$l\"; done <<< %q",
	"bash <<'XX'\n%s\nXX\n", "sudo sh <<'XX'\n%s\nXX\n", "ssh host bash <<'XX'\n%s\nXX\n", "cat <<'XX' | sh\n%s\nXX\n",
	"(\n%s\n)", "{\n%s\n}", "if true; then\n%s\nfi", "while :; do\n%s\ndone", "f() {\n%s\n}; f", "x=$(\n%s\n)", "echo \"$(\n%s\n)\"", "cat <(\n%s\n)", "case x in x)\n%s\n;; esac", "coproc {\n%s\n}", "[ -d x ] && {\n%s\n}",
}

// programWrappers run a line from a program of another language, as a literal in it.
var programWrappers = []string{
	"import os; os.system(%s)\x00python3 -c", "import os; os.popen(%s).read()\x00python3 -c", "import subprocess\nsubprocess.run(%s, shell=True, check=True)\x00python3 -c", `import subprocess; subprocess.run(["bash", "-c", %s])` + "\x00python -c",
	"require('child_process').execSync(%s)\x00node -e", `require("child_process").spawnSync("sh", ["-c", %s])` + "\x00node -e", "BEGIN { system(%s) }\x00awk", "io.popen(%s)\x00lua -e", "os.execute(%s)\x00lua -e",
}

func wrap(wrapper string, quote quoting, line string) string {
	return strings.ReplaceAll(strings.NewReplacer("%q", "\x02", "%s", "\x03", "%%", "%").Replace(wrapper), "\x02", quote(line))
}

func around(wrapper string, quote quoting, line string) string {
	wrapper = strings.ReplaceAll(wrapper, "XX", fmt.Sprintf("X%d", len(line))) // no document ends inside another one
	return strings.ReplaceAll(wrap(wrapper, quote, line), "\x03", line)
}

func inProgram(wrapper string, quote quoting, line string) string {
	program, interpreter, _ := strings.Cut(wrapper, "\x00")
	return interpreter + " " + quote(strings.ReplaceAll(program, "%s", inString(line)))
}

// hardOnes returns the lines of the corpus that are not ordinary and that may occur anywhere in a
// line.
func hardOnes(t *testing.T) (list []string) {
	t.Helper()
	for _, one := range corpus(t) {
		if one.want != "ordinary" && command.Inspect(one.line, home).Unclear == "" {
			list = append(list, one.line)
		}
	}
	return list
}

// A wrapped dangerous line is never judged more mildly.
func TestAWrappedLineIsNeverMilder(t *testing.T) {
	failed := 0
	check := func(line, from string) {
		t.Helper()
		if verdict := judge(nil, line); !verdict.Firm || verdict.WithoutUser().Decision != Deny {
			if failed++; failed < 40 {
				t.Errorf("milder than %q:\n%s", from, line)
			}
		}
	}
	random := rand.New(rand.NewPCG(7, 11))
	lines, depths := 1, 1 // all of them
	if testing.Short() {
		lines, depths = 19, 3 // a factor of 2 or 3 in lines would leave out wrappers
	}
	for at, line := range hardOnes(t) {
		if at%lines != 0 {
			continue
		}
		for n, wrapper := range wrappers {
			if (at/4+n)%3 != 0 { // each wrapper is still tested with each kind of quotes many times
				continue
			}
			check(around(wrapper, quotings[(at+n)%len(quotings)], line), line)
		}
		for n, wrapper := range programWrappers {
			check(inProgram(wrapper, quotings[n%2], line), line)
		}
		for range 6 {
			deep := line
			for range 2 + random.IntN(2) {
				deep = around(wrappers[random.IntN(len(wrappers))], quotings[random.IntN(3)], deep)
			}
			check(deep, line)
		}
	}
	for _, wrapper := range wrappers {
		if strings.Contains(wrapper, "rsync") || strings.Contains(wrapper, "XX") {
			continue
		}
		deep := "rm -rf /"
		for len(deep) < command.MaxLine/8 && strings.Count(deep, "rm") < 40 && len(deep) < 4000 {
			deep = around(wrapper, single, deep)
		}
		check(deep, "rm -rf /")
	}
	for _, wrapper := range beforeCommands {
		for _, line := range []string{"rm -rf /", "killall -9 bash"} { // the second is only found if it is recognized as a command
			for times := 1; times < 30; times += depths {
				check(strings.Repeat(wrapper+" ", times)+line, line)
			}
		}
	}
}

// beforeCommands are programs that run the following words, with their own options.
var beforeCommands = []string{
	"sudo", "sudo -u bob", "sudo --user bob A=1", "sudo -En --", "doas", "doas -u bob", "pkexec", "pkexec --user bob", "runuser -u bob --", "setpriv --reuid 1", "env", "env -i A=1 B=2", "env -u A", "nohup", "setsid -w", "command", "builtin",
	"time", "time -p", "busybox", "toybox", "npx", "npx --package x", "bunx", "fakeroot", "exec", "exec -a x", "nice", "nice -n 5", "nice --adjustment 5", "ionice -c 3", "chrt 5", "taskset 1", "timeout 5", "timeout -k 1 5", "timeout --signal KILL 5",
	"stdbuf -oL", "xargs", "xargs -n 1 -P 4", "xargs -i", "xargs -l", "xargs --replace", "parallel -j 4", "watch -n 1", "chroot /mnt", "unshare -r", "nsenter -t 1", "flock l", "flock -w 1 l", "strace -o log", "valgrind", "systemd-run --unit x", "tini --", "dumb-init", "gosu",
	"uv run", "uv run --with x", "poetry run", "pipenv run", "conda run -n x", "bundle exec", "npm exec --", "pnpm dlx", "direnv exec .", "rustup run stable", "docker exec -u root x", "docker run --rm -v a:b alpine", "docker compose exec -T app", "docker compose -f x.yml run app",
	"podman exec x", "kubectl exec -n a pod -c b --", "lxc exec c --", "ip netns exec n", "find . -exec", "git bisect run", "caffeinate", "mise exec --",
}

func TestAddingPartsNeverMakesAVerdictMilder(t *testing.T) {
	var ordinary []string
	for _, one := range corpus(t) {
		// An assignment determines a variable's value, so it can make a line harmless.
		if one.want == "ordinary" && !strings.Contains(one.line, "=") && command.Inspect(one.line, home).Unclear == "" {
			ordinary = append(ordinary, one.line)
		}
	}
	deny := rules(t, []string{"run_command(git *)", "run_command(echo *)"}, nil, []string{"run_command(git push *)"})
	random := rand.New(rand.NewPCG(3, 5))
	for _, line := range hardOnes(t) {
		for _, with := range []string{"%[2]s\n%[1]s", "%[1]s\n%[2]s", "true && {\n%[1]s\n}\n%[2]s", "%[2]s\n(\n%[1]s\n)", "%[2]s\n%[1]s | cat", "if false; then :; else\n%[1]s\nfi; %[2]s"} {
			all := fmt.Sprintf(with, line, ordinary[random.IntN(len(ordinary))])
			if strings.Contains(line, "<<") && (strings.Contains(with, "| cat") || strings.Contains(with, "(")) || strings.HasSuffix(line, "&") {
				continue
			}
			if !judge(nil, all).Firm {
				t.Errorf("milder than %q:\n%s", line, all)
			}
			if judge(deny, all+"\ngit push").Decision != Deny {
				t.Errorf("not denied: %s", all)
			}
		}
	}
	many := strings.Repeat("true; ", 1000)
	if judge(nil, many).Firm || !judge(nil, many+"rm -rf ~").Firm || judge(deny, many+"git push").Decision != Deny {
		t.Error("a thousand parts hide the last")
	}
	if over := strings.Repeat("true; ", 5000); !judge(nil, over).Firm {
		t.Error("beyond the limit it is not asked about")
	}
	if deep := strings.Repeat("( ", 500) + "rm -rf ~" + strings.Repeat(" )", 500); !judge(nil, deep).Firm {
		t.Error("depth hides it")
	}
}
