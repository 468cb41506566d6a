package permit

import (
	"strings"
	"testing"
)

// waysToRun are ways to run a command, with P for its program and R for its other words.
var waysToRun = strings.Split(strings.TrimSpace(`
P R
P  R
'P' R
"P" R
\P R
/usr/bin/P R
./../../usr/bin/P R
true; P R
true && P R
false || P R
P R &
! P R
(P R)
{ P R; }
if true; then P R; fi
while P R; do break; done
case x in x) P R;; esac
for i in 1; do P R; done
f() { P R; }; f
echo $(P R)
echo "$(P R)"
echo ${x:-$(P R)}
cat <(P R)
echo x > >(P R)
x=P; $x R
x='P R'; $x
P ${x:-R}
$X R
$(echo P) R
command P R
command -p P R
builtin command P R
podman unshare P R
buildah unshare P R
shopt -s expand_aliases; alias x=P; eval x R
zip -T -TT 'P R' x a
wget --use-askpass='P R' x
awk -f <(echo 'BEGIN{system("P R")}')
sed -f <(echo '1e P R') a
psql -f <(echo '\! P R')
m4 <<< 'syscmd(P R)'
exec P R
exec -a x P R
env P R
env A=b P R
env -i P R
env -u A P R
env -S 'P R'
A=b P R
nohup P R
setsid P R
time P R
time -p P R
/usr/bin/time -f %e P R
nice P R
nice -n 5 P R
ionice -c 3 P R
chrt 1 P R
taskset 1 P R
timeout 9 P R
timeout -k 1 9 P R
stdbuf -o0 P R
unbuffer P R
setarch x86_64 P R
linux64 P R
prlimit --nofile=99 P R
numactl -N 0 P R
xvfb-run -a P R
torsocks P R
proxychains -q P R
ssh-agent P R
firejail --quiet P R
bwrap --ro-bind / / P R
capsh -- -c 'P R'
logsave out P R
faketime '2020-01-01' P R
hyperfine 'P R'
echo x | entr P R
watchexec P R
nodemon --exec 'P R'
cross-env A=b P R
dotenv P R
rlwrap P R
gdb --args P R
perf stat P R
strace -f P R
ltrace P R
valgrind P R
sudo P R
sudo -u me P R
doas P R
pkexec P R
unshare -r P R
flock lock P R
flock lock -c 'P R'
watch P R
systemd-run --user P R
script -c 'P R'
busybox P R
eatmydata P R
unknown-wrapper --option P R
unknown-wrapper 'P R'
xargs P R
echo R | xargs P
xargs -I{} P R
find . -exec P R ;
find . -exec P R {} +
fd x --exec=P R
parallel P ::: R
parallel P R ::: x
parallel ::: 'P R'
bash -c 'P R'
/bin/b?sh -c 'P R'
bash -lc 'P R'
sh -c "P R"
sh -c 'exec "$@"' x P R
sh -c 'x="P R"; $x'
sh <<< 'P R'
sh <<E;P R;E
bash /dev/fd/3 3<<< 'P R'
echo 'P R' | sh
printf 'P R' | bash -s
echo 'P R' > x; sh x
echo 'P R' | tee >(sh)
eval 'P R'
eval P R
eval "$X"
x='P R' sh -c 'eval "$x"'
trap 'P R' EXIT
alias x='P R';x
coproc P R
source <(echo 'P R')
. /dev/stdin <<< 'P R'
hash -p /usr/bin/P x; x R
ssh localhost P R
docker run image P R
npm exec P R
uv run P R
poetry run P R
make x CC='P R;'
make -f - <<< 'x:; P R'
perl -e 'exec qw(P R)'
perl -e 'system "P R"'
python3 -c 'import os; os.system("P R")'
python3 -c 'import subprocess as s; s.run("P R".split())'
python3 -c '__import__("o"+"s").system("P"+" R")'
ruby -e '%x(P R)'
node -e 'require("child_process").execSync("P R")'
awk 'BEGIN { system("P R") }'
sed '1e P R' x
vim -c ':!P R'
php -r 'passthru("P R");'
lua -e 'os.execute("P R")'
tclsh <<< 'exec P R'
git -c alias.x='!P R' x
git -c core.pager='P R' log
GIT_SSH_COMMAND='P R' git fetch
PAGER='P R' git log
git bisect run P R
git rebase -x 'P R' HEAD~1
git rebase -ix'P R' HEAD~1
git submodule foreach 'P R'
tar -cf x . --checkpoint-action=exec='P R'
rsync -e 'P R' a b:c
gcc -wrapper P,R x.c
x='a[$(P R)]'; echo $((x))
let 'a[$(P R)]=1'
printf -v 'a[$(P R)]' x
`), "\n")

// A rule denies a command in every spelling, or the user is asked about it each time and it is
// refused without a user. A command that is only mentioned is not denied.
func TestDenyRuleHoldsForEverySpelling(t *testing.T) {
	denied := rules(t, []string{"run_command"}, nil, []string{"run_command(git push *)", "run_command(curl *)", "run_command(kubectl delete *)"})
	tried := 0
	check := func(line string) {
		t.Helper()
		tried++
		verdict := judge(denied, line)
		if verdict.Decision == Allow || verdict.WithoutUser().Decision != Deny || !verdict.Ruled {
			t.Errorf("%s: %s, alone %s, by a rule %t: %v", line, verdict.Decision, verdict.WithoutUser().Decision, verdict.Ruled, verdict.Reasons)
		}
	}
	for _, spelling := range waysToRun {
		spelling = strings.ReplaceAll(spelling, ";P R;E", "\nP R\nE")
		for _, command := range [][2]string{{"git", "push origin main"}, {"curl", "a.example"}, {"kubectl", "delete pod x"}} {
			check(strings.NewReplacer("PAGER", "PAGER", "P", command[0], "R", command[1]).Replace(spelling))
		}
	}
	for _, line := range []string{
		"{git,push}", "git pus{h,}", "git p?sh", "git p[u]sh", "g?t push", "/usr/bin/g* push", "git-push origin", "/usr/lib/git-core/git-push", "git send-pack x", "git subtree push -P x o m", "git lfs push o", "git-lfs push o", "hub push o", "git for-each-repo --config=x push", "git --attr-source HEAD push",
		"git -C sub push", "git --git-dir=.git push", "git --no-pager push", "git -c a.b=c push", "git $X", "git \"$X\" origin", "parallel git ::: push", "echo push | xargs git", "g=git; p=push; $g $p",
		"printf '%s\\n' push | xargs -n1 git", "git ${X}sh", "git pu''sh", "git $'pu\\x73h'", "git \\\n push", "IFS=x; a=gitxpush; $a",
	} {
		check(line)
	}
	if tried < 400 {
		t.Errorf("only %d waysToRun", tried)
	}
	for _, line := range []string{
		"git pull", "git commit -m 'do not git push'", "echo git push", "grep -rn 'git push' .", "cat curl", "ls -la", "go test ./...", "npm install", "apt install curl", "git add *.go", "make test", "rm *.o",
		"for f in a b; do cat $f; done", "python3 -c 'print(1)'", "python3 script.py", "sed -n '1,20p' a", "awk '{print $1}' a", "jq . a.json", "./run.sh $ARGS", "docker compose up -d", "kubectl get pods", "man git", "which curl",
	} {
		if verdict := judge(denied, line); verdict.Firm {
			t.Errorf("%s: %s %v", line, verdict.Decision, verdict.Reasons)
		}
	}
}
