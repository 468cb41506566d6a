package permit

import (
	"slices"
	"strings"
	"testing"

	"marvin/tools/internal/permit/command"
)

var home = command.Place{Dir: "/home/me/project", Home: "/home/me", Temp: true}

func judge(rules *Rules, line string) Verdict {
	return rules.Judge(Call{Tool: "run_command", Command: &line, Asks: true}, home)
}

func rules(t testing.TB, allow, ask, deny []string) *Rules {
	t.Helper()
	parsed, err := ParseRules(allow, ask, deny)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestRulesDecideDenyBeforeAskBeforeAllow(t *testing.T) {
	all := rules(t, []string{"run_command(git *)", "run_command(go test *)", "run_command(ls)", "run_command(echo *)", "run_command(sed *)", "run_command(true)"},
		[]string{"run_command(git commit *)"}, []string{"run_command(git push *)", "run_command(curl *)"})
	for line, want := range map[string]Decision{
		"git status":                  Allow,
		"git push":                    Deny,
		"git push origin main":        Deny,
		"git pushy":                   Allow,
		"git commit -m x":             Ask,
		"git commit -m x && git push": Deny,
		"go test ./... && git status": Allow,
		"go test ./... | tee log":     Ask,
		"ls":                          Allow,
		"ls -la":                      Ask,
		"ls; curl x":                  Deny,
		"echo $(curl x)":              Deny,
		"bash -c 'curl x'":            Deny,
		"env A=b curl x":              Deny,
		"sudo -u me curl x":           Deny,
		"xargs curl < urls":           Deny,
		"find . -exec curl {} +":      Deny,
		"/usr/bin/curl x":             Deny,
		"c\\url x":                    Deny,
		"git -C sub push":             Deny,
		"git -c a=b push":             Deny,
		"$TOOL x":                     Ask, // may be curl
		"git $WHAT":                   Ask,
		"git status > ~/x":            Ask,
		"git status > out":            Ask,
		"GIT_DIR=x git status":        Ask,
		"./git status":                Ask,
		"/tmp/git status":             Ask,
		"git status; ls":              Allow,
		"true":                        Allow, // by its rule
		"false":                       Ask,
		"git status || false":         Allow,
		// An allow rule covers the program, but the code that it runs can still be denied.
		"go test ./... && python3 -c 'x'":                               Ask,
		"python3 -c 'import os; os.system(\"ls -l\")'":                  Ask,
		"sed -n '1e ls -l' f":                                           Ask, // its script may run a denied command
		"sed -n '1e curl x' f":                                          Deny,
		"sed -n '1e git reset --hard' f":                                Ask,
		"awk 'BEGIN { system(\"curl x\") }'":                            Deny,
		"make -f - <<< 'a:; curl x'":                                    Deny,
		"python3 -c 'import subprocess; subprocess.run([\"curl\", u])'": Deny,
		"git status\nrm x":                                              Ask,
		"git log $(whoami)":                                             Ask,
		"echo *":                                                        Ask, // file names that match the pattern may be options
		"git reset --hard":                                              Ask, // git * is too broad for it
		"git status && git reset --hard":                                Ask,
		"echo ${v:=x}":                                                  Ask,
		"echo ${!v}":                                                    Ask,
		"echo ${x@P}":                                                   Ask,
		"export PATH=.; git status":                                     Ask,
		"ls() { evil; }; ls":                                            Ask,
		"alias ls=evil\nls":                                             Ask,
		"git status &":                                                  Allow,
		"git status 2>/dev/null":                                        Allow,
		"git status 2>&1":                                               Allow,
		"git status <<E\nx\nE":                                          Ask,
		"git status <<< x":                                              Ask,
		// Programs in options are parts, to which rules apply as well.
		"git -c core.pager='curl x' log":        Deny,
		"rsync -e 'curl x' a b:c":               Deny,
		"tar xf a --to-command='curl x'":        Deny,
		"PAGER='curl x' git log":                Deny,
		"bash -c \"curl $X\"":                   Deny,
		"echo 'curl x' | (sh)":                  Deny,
		"git -c core.pager=evil log":            Ask,
		"git -c alias.x='!evil' x":              Ask,
		"git fetch --upload-pack=evil":          Ask,
		"go test -exec evil ./...":              Ask,
		"git -c user.name=me status":            Allow,
		"git -c alias.x='commit -m y' x":        Ask,
		"git -c alias.x='push' x && git status": Deny,
	} {
		if got := judge(all, line); got.Decision != want {
			t.Errorf("%s: %s, want %s (%v)", line, got.Decision, want, got.Reasons)
		}
	}
}

func TestADangerIsAllowedOnlyByARuleThatSpellsItOut(t *testing.T) {
	for _, test := range []struct {
		rule, line string
		want       Decision
	}{
		{"run_command", "git reset --hard", Ask},
		{"run_command(*)", "git reset --hard", Ask},
		{"run_command(git *)", "git reset --hard", Ask},
		{"run_command(git reset *)", "git reset --hard", Ask},
		{"run_command(git reset --hard *)", "git reset --hard", Allow},
		{"run_command(git reset --hard *)", "git reset --hard HEAD~1", Allow},
		{"run_command(git reset --hard *)", "git reset --hard; rm -rf ~", Ask},
		{"run_command(rm -rf *)", "rm -rf /opt/build", Ask},
		{"run_command(rm -rf /opt/build)", "rm -rf /opt/build", Allow},
		{"run_command(rm -rf /opt/build)", "rm -rf /opt/build /etc", Ask},
		{"run_command(git push --force *)", "git push --force origin x", Allow},
		{"run_command(git push --force *)", "git push -f origin x", Ask},
		{"*", "rm -rf ~", Ask},
		{"fetch(git reset --hard *)", "git reset --hard", Ask},
		{"run_command(echo git reset --hard)", "git reset --hard", Ask},
	} {
		if got := judge(rules(t, []string{test.rule}, nil, nil), test.line); got.Decision != test.want {
			t.Errorf("%s with %s: %s, want %s", test.line, test.rule, got.Decision, test.want)
		}
	}
}

func TestHarsherVerdictWins(t *testing.T) {
	one, two, mild := Verdict{Decision: Ask, Reasons: []string{"one"}, Advice: "a"}, Verdict{Decision: Ask, Firm: true, Reasons: []string{"two"}, Rule: "r"}, Verdict{Decision: Allow, Reasons: []string{"mild"}}
	if both := one.Combine(two); !slices.Equal(both.Reasons, []string{"one", "two"}) || !both.Firm || both.Rule != "r" || both.Advice != "a" {
		t.Errorf("%+v", both)
	}
	if both := mild.Combine(one); both.Decision != Ask || !slices.Equal(both.Reasons, []string{"one", "mild"}) {
		t.Errorf("%+v", both)
	}
}

func TestRulesOfOtherTools(t *testing.T) {
	all := rules(t, []string{"set_working_dir(/home/me/*)"}, []string{"write_note"}, []string{"download_file(http://*)", "spotify_*x", "yt_dlp_download"}[:1])
	for _, test := range []struct {
		call Call
		want Decision
		firm bool
	}{
		{Call{Tool: "set_working_dir", Values: []Value{{Text: "/home/me/x", Argument: "path"}}, Main: "path", Asks: true}, Allow, false},
		{Call{Tool: "set_working_dir", Values: []Value{{Text: "/etc", Argument: "path"}}, Main: "path", Asks: true}, Ask, false},
		{Call{Tool: "write_note"}, Ask, true},
		{Call{Tool: "download_file", Values: []Value{{Text: "x"}, {Text: "http://a"}}}, Deny, false},
		{Call{Tool: "download_file", Values: []Value{{Text: "https://a"}}}, Allow, false},
		{Call{Tool: "other"}, Allow, false},
	} {
		if got := all.Judge(test.call, home); got.Decision != test.want || got.Firm != test.firm {
			t.Errorf("%+v: %+v", test.call, got)
		}
	}
	if got := all.Judge(Call{Tool: "write_note"}, home); !got.Ruled || got.Rule != "write_note" {
		t.Errorf("a rule that asks is not named: %+v", got)
	}
	if got := all.Judge(Call{Tool: "write_note"}, home).WithoutUser(); got.Decision != Deny {
		t.Errorf("with no one to ask a rule that asks gives %s", got.Decision)
	}
}

func TestHomeIsNoProject(t *testing.T) {
	for _, test := range []struct {
		place command.Place
		line  string
		firm  bool
	}{
		{command.Place{Dir: "/work/p", Home: "/tmp/me", Temp: true}, "rm -rf /tmp/me/x", true},
		{command.Place{Dir: "/work/p", Home: "/tmp/me", Temp: true}, "rm -rf /tmp/me/..", true},
		{command.Place{Dir: "/work/p", Home: "/tmp/me", Temp: true}, "rm -rf /tmp/x", false},
		{command.Place{Dir: "/work/p", Home: "/tmp/me"}, "rm -rf /tmp/x", true},
		{command.Place{Dir: "/work/p"}, "rm -rf ~/x", true},
		{command.Place{Dir: "/work/p"}, "rm -rf $HOME/x", true},
		{command.Place{Dir: "/work/p"}, "rm -rf ~/work/p/x", true},
		{command.Place{Dir: "/work/p"}, "rm -rf x", false},
		{command.Place{}, "rm -rf x", true},
		{command.Place{Dir: "/work/p"}, "cp x /home/me/.bashrc", false},
	} {
		if report := command.Inspect(test.line, test.place); (len(report.Dangers) > 0) != test.firm {
			t.Errorf("%+v %s: %v", test.place, test.line, report.Dangers)
		}
	}
}

func TestOnlyMovesOutOfTheProjectIntoAPrivateTmpAreDangerous(t *testing.T) {
	for _, test := range []struct {
		dir, line string
		dangerous bool
	}{
		{"/work/p", "mv a /tmp/b", true},
		{"/work/p", "mv a /tmp", true},
		{"/work/p", "mv a ../../tmp/b", true},
		{"/work/p", "mv /tmp/a /tmp/b", false},
		{"/work/p", "mv /tmp/a b", false},
		{"/work/p", "cd /tmp && mv a b", false},
		{"/work/p", "cd /tmp/x && mv /work/p/a b", true},
		{"/work/p", "cd /tmp/x && mv /work/p/a /work/p/b", false},
		{"/work/p", "cd /tmp/x && mv $f b", false},
		{"/work/p", "cd /tmp && mv /work/p/a .", true},
		{"/work/p", "cd /tmp && cd x && mv ../../work/p/a b", true},
		{"/work/p", "cd /tmp/x && make && cd /work/p && mv /work/p/a b", false},
		{"/home/me/p", "cd /tmp/x && mv ~/p/a .", true},
		{"/work/p", "mv -vt /tmp/x a", true},
		{"/work/p", "mv -ft/tmp/x a", true},
		{"/work/p", "mv a b --target=/tmp/x", true},
		{"/work/p", "mv --t /tmp/x a", true},
		{"/work/p", "mv -S -t sub a /tmp/b", true},
		{"/work/p", "mv -b -S ~ a b", false},
		{"/work/p", "mv -t /etc a", true},
		{"/work/p", "mv pre-commit .git/hooks", true},
		{"/work/p", "mv .bashrc ~", true},
		{"/work/p", "mv a b c sub", false},
		{"/work/p", "mv -t /tmp/x a", true},
		{"/work/p", "mv a b -v --target-directory=/tmp/x", true},
		{"/work/p", "mv -t/tmp/x -- a", true},
		{"/work/p", "mv -t /tmp/x /tmp/a", false},
		{"/work/p", "mv -t sub a b", false},
		{"/work/p", "mv -t sub ~/.bashrc", true},
		{"/tmp/p", "mv a /tmp/p/b", false},
		{"/tmp/p", "mv a /tmp/b", true},
		{"/tmp/p", "mv /tmp/*/a /tmp/b", true},
		{"/tmp/d/p", "for f in ../*/x.go; do mv $f /tmp/b; done", true},
		{"/work/p", "mv /tmp/a/$x/b /tmp/c", true},
		{"/work/p", "mv /tmp/x/*.go /tmp/b", false},
	} {
		report := command.Inspect(test.line, command.Place{Dir: test.dir, Home: "/home/me", Temp: true})
		if (len(report.Dangers) > 0) != test.dangerous {
			t.Errorf("%s in %s: %+v", test.line, test.dir, report.Dangers)
		}
	}
}

func TestBrokenRulesAreNamed(t *testing.T) {
	for _, entry := range []string{"", "run_command(", "run_command()", "run command", "(git)", "a*b", "run_command(x) y"} {
		if _, err := ParseRules(nil, nil, []string{entry}); err == nil || !strings.Contains(err.Error(), "deny") {
			t.Errorf("%q: %v", entry, err)
		}
	}
}

func FuzzInspect(f *testing.F) {
	for _, one := range corpus(f) {
		f.Add(one.line)
	}
	deny := rules(f, []string{"run_command(git *)"}, nil, []string{"run_command(curl *)"})
	f.Fuzz(func(t *testing.T, line string) {
		before := judge(deny, line)
		if before.Firm && len(before.Reasons) > 0 && strings.Contains(before.Reasons[0], "failed") {
			t.Errorf("%q: %s", line, before.Reasons[0])
		}
		if after := judge(deny, line+"\nrm -rf ~"); before.Decision > after.Decision && after.Decision != Deny && !after.Firm {
			t.Errorf("%q got milder by more", line)
		}
	})
}
