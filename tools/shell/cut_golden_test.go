package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

func TestOutputLimits(t *testing.T) {
	var out strings.Builder
	texts := []string{"", "\n", "a\n", "one\ntwo\nthree\nfour\nfive\n", "ü\nüü\nüüüü\n", "0123456789\nab\n0123456789ab\ncd\n", "\n\n\n\n", "12345\n12345\n12345\n12345\n12345\n12345\n12345\n12345\n12345\n12345\n"}
	var all []tools.Limits
	for _, bytes := range []int{5, 12} {
		for _, lines := range []int{1, 5} {
			all = append(all, tools.Limits{Bytes: bytes, Lines: lines, LineBytes: 10, Tokens: 100})
		}
	}
	all = append(all, tools.Limits{}, tools.Limits{Bytes: 100, Lines: 5, LineBytes: 3, Tokens: 100}, tools.Limits{Bytes: 100, Lines: 9, LineBytes: 4, Tokens: 3}, tools.Limits{Bytes: 100, Lines: 9, LineBytes: 9, Tokens: 10}, tools.Limits{Bytes: 60, Lines: 9, LineBytes: 9, Tokens: 20})
	for _, text := range texts {
		fmt.Fprintf(&out, "# %q\n", text)
		for _, limits := range all {
			shown, line := stream{head: text}.cut(limits)
			fmt.Fprintf(&out, "%v: ahead %d, behind %d, fitting %d, at the end %d, cut from %d %q", limits, headSize([]byte(text), limits), tailSize([]byte(text), limits), fitting(text, limits), fittingEnd(text, limits), line, shown)
			shown, line = stream{head: text, tail: text, gap: true, lines: 7, size: 70}.cut(limits)
			fmt.Fprintf(&out, ", with a gap from %d %q", line, shown)
			shown, line = stream{head: text, tail: text, gap: true}.cut(limits)
			fmt.Fprintf(&out, ", with none in it from %d %q\n", line, shown)
		}
	}
	for _, line := range []string{"", "abc", "abcd", "abcde", "äää", "aäb", "ab\xffcdef", "a [… 3 more bytes on this line]"} {
		fmt.Fprintf(&out, "short %q: %q %q\n", line, short(line, 4), short(line, 2))
	}
	for _, text := range []string{"", "\n", "a", "a\n", "\n\n", "a\rb", "a\x1b[31mb\n", "a\x00b", "\xff"} {
		fmt.Fprintf(&out, "%q: whole %q, lines %q, ordinary %t\n", text, wholeLines(text), lines([]byte(text)), ordinaryText([]byte(text)))
	}
	for _, row := range []struct {
		result proc.Result
		took   time.Duration
	}{{proc.Result{}, 0}, {proc.Result{ExitCode: 1}, 1249 * time.Millisecond}, {proc.Result{ExitCode: 137, Signal: "killed"}, 9949 * time.Millisecond}, {proc.Result{}, 10 * time.Second}, {proc.Result{}, 10_499 * time.Millisecond}} {
		out.WriteString(describeEnd(row.result, row.took))
	}
	for _, text := range []string{"", "one", "one\ntwo\n\n", "\n", " a\n b\t\n "} {
		fmt.Fprintf(&out, "last line of %q: %q\n", text, lastLine(text))
	}
	for _, line := range []string{"$NAME", "${NAME}", "x$NAME", "$NAMES ${NAME", "$NAMES", "NAME", "$$NAME.", "${NAMES}", "", "$NAME_", "$NAME9", "$NAMEz", "$NAMEA", "$NAMEZ", "$NAME0", "$NAMEa"} {
		fmt.Fprintf(&out, "%q asks for NAME %t, has it %t\n", line, asksFor(line, "NAME"), hasWord(line, "NAME"))
	}
	goldentest.Assert(t, "cut.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestShellStateBetweenLines(t *testing.T) {
	var person UserShell
	for _, row := range []struct{ before, after, dir, want string }{
		{"A=1\x00B=2\x00C=3\x00PWD=/x\x00", "A=1\x00B=two\x00D=4=5\x00SHLVL=2\x00_=x\x00OLDPWD=/y\x00broken\x00", "/tmp/a b\n", "in /tmp/a b set B=two D=4=5 unset C next A=1 B=two D=4=5 E=5"},
		{"", "A=1\x00C=again\x00", "", "in /tmp/a b set A=1 B=two C=again D=4=5 unset  next A=1 B=two C=again D=4=5 E=5"},
		{"D=4=5\x00A=1\x00", "A=1\x00", "not absolute", "in /tmp/a b set A=1 B=two C=again unset D next A=1 B=two C=again E=5"},
		{"A=1\x00", "", "/\n", "in / set A=1 B=two C=again unset D next A=1 B=two C=again E=5"},
		{"-", "A=3\x00", "/\n", "in / set A=1 B=two C=again unset D next A=1 B=two C=again E=5"},
		{"A=1\x00", "-", "-", "in / set A=1 B=two C=again unset D next A=1 B=two C=again E=5"},
		{"P=1\x00Q=2\x00R=3\x00", "R=3\x00", "/\n", "in / set A=1 B=two C=again unset D P Q next A=1 B=two C=again E=5"},
		{"R=3\x00", "R=3\x00P=4\x00", "/\n", "in / set A=1 B=two C=again P=4 unset D Q next A=1 B=two C=again E=5 P=4"},
	} {
		notes := t.TempDir()
		for name, text := range map[string]string{"before": row.before, "after": row.after, "dir": row.dir} {
			if text == "-" {
				continue
			}
			if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		person.learn(notes)
		var set []string
		for name, value := range person.set {
			set = append(set, name+"="+value)
		}
		slices.Sort(set)
		slices.Sort(person.unset)
		next := person.environ([]string{"A=1", "B=2", "C=3", "D=0", "E=5"})
		slices.Sort(next)
		if got := fmt.Sprintf("in %s set %s unset %s next %s", person.dir, strings.Join(set, " "), strings.Join(person.unset, " "), strings.Join(next, " ")); got != row.want {
			t.Errorf("%q, %q: %s\nwant %s", row.before, row.after, got, row.want)
		}
	}
	if got := passingAll([]string{"A=1", "=x", "B,C=2", "D=3"}); got[len(got)-1] != proc.PassName+"=A,D" || len(got) != 5 {
		t.Errorf("passed: %q", got)
	}
	var heard strings.Builder
	loud := &liveOutput{to: &heard}
	for _, part := range []string{"text\n", "more\x00", "never"} {
		if n, err := loud.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%q: %d, %v", part, n, err)
		}
		loud.replace("instead of " + part + "\n")
	}
	if got := heard.String(); got != "text\ninstead of more\x00\ninstead of never\n" {
		t.Errorf("heard %q", got)
	}
	if n, err := (&liveOutput{}).Write([]byte("to nobody")); n != 9 || err != nil {
		t.Errorf("to nobody: %d, %v", n, err)
	}
}

// refusing cannot start jobs.
type refusing struct{ tools.Jobs }

func (refusing) Start(context.Context, tools.JobWish) (tools.Job, error) {
	return tools.Job{}, errors.New("there is no room for jobs")
}

func TestACommandIsSentToTheBackground(t *testing.T) {
	env := newEnv(t)
	env.Dir, env.Home = t.TempDir(), t.TempDir()
	env.Environ, env.Room = append(os.Environ(), "LC_ALL=C"), 100_000
	home := persistence.Open(t.TempDir(), time.Now)
	away := make(chan struct{})
	close(away)
	env.Away = away
	jobs := &started{home: home}
	for line, row := range map[string]struct {
		jobs tools.Jobs
		want string
	}{
		"echo here; touch begun; sleep 1000": {jobs, ""},
		"touch second; sleep 2000":           {refusing{}, "the command was moved to the background but could not continue there, so all its processes were stopped: there is no room for jobs"},
	} {
		env.Jobs = row.jobs
		output, err := decode(t, map[string]any{"command": line}).Run(t.Context(), env)
		if row.want != "" {
			if err == nil || err.Error() != row.want {
				t.Errorf("%s: %q, %v", line, output.Text, err)
			}
			continue
		}
		if err != nil || len(jobs.running) != 1 {
			t.Fatalf("%s: %q, %v", line, output.Text, err)
		}
		job := jobs.running[0].Job
		text, cut := strings.CutSuffix(output.Text, "[The command was moved to the background: it continues as job "+job.ID+", and all its output is in "+job.Log+". It has no time limit there, and ends when Marvin ends. You will get a report when it ends; do not run it again. The jobs tool shows the job's new output, waits for the job or cancels it.]\nThis run ends with your answer, so if the task needs the result, first wait for it with the jobs tool.")
		if !cut || text != "here\n" && text != "(no output yet)\n" || output.Job != job.ID || !slices.Equal(output.Offer, []string{"jobs"}) {
			t.Errorf("%q, job %q, offers %q", output.Text, output.Job, output.Offer)
		}
		if job.Title != line || job.Dir != env.Dir {
			t.Errorf("it is %q in %s", job.Title, job.Dir)
		}
		if err := jobs.running[0].Stop(); err != nil {
			t.Error(err)
		}
		jobs.running[0].Wait(t.Context())
		if printed, err := os.ReadFile(job.Log); err != nil || string(printed) != "here\n" && string(printed) != "" {
			t.Errorf("its log: %q, %v", printed, err)
		}
	}
	env.Jobs, env.Away = refusing{}, nil
	if output, err := decode(t, map[string]any{"command": "true", "background": true}).Run(t.Context(), env); err == nil || !strings.Contains(err.Error(), "there is no room for jobs") || output.Job != "" {
		t.Errorf("from the beginning: %+v, %v", output, err)
	}
}
