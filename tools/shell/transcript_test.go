package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools"
	work "marvin/tools/background"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/toolstest"
)

// started collects the jobs of a conversation, which it only starts.
type started struct {
	tools.Jobs
	home    *persistence.Home
	running []*work.Running
}

func (s *started) Start(_ context.Context, wish tools.JobWish) (tools.Job, error) {
	running, err := work.Start(s.home, wish)
	if err != nil {
		return tools.Job{}, err
	}
	s.running = append(s.running, running)
	return running.Job, nil
}

func TestShellTool(t *testing.T) {
	env := newEnv(t)
	root := t.TempDir()
	env.Dir, env.Home = root, t.TempDir()
	env.Environ = append(os.Environ(), "GREETING=hello", "LC_ALL=C")
	env.Room = 100_000
	jobs := &started{home: persistence.Open(t.TempDir(), time.Now)}
	t.Cleanup(func() {
		for _, running := range jobs.running {
			_ = running.Stop() // the job may have ended
			running.Wait(context.Background())
		}
	})
	local := toolstest.Local(t, root, Tools(), &env)
	variable := regexp.MustCompile(`took [0-9.]+m?s|pid \d+|cmd-[0-9a-z]+`)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		switch tool {
		case "jobs":
			env.Jobs = jobs
			return "", nil
		case "outside":
			env.Dir = ""
			return "", nil
		case "confirm":
			call, err := Tools()[0].Decode(json.RawMessage(args))
			if err != nil {
				return "", err
			}
			title, detail := call.Confirm(env)
			return strings.ReplaceAll(title+"\n"+detail, root, "ROOT"), nil
		}
		text, err := local(tool, args)
		text = variable.ReplaceAllStringFunc(text, func(found string) string { return found[:3] + "…" })
		if lines := strings.Split(text, "\n"); len(lines) > 40 {
			text = strings.Join(append(lines[:4], append([]string{fmt.Sprintf("… %d lines", len(lines)-8)}, lines[len(lines)-4:]...)...), "\n")
		}
		return text, err
	})
}

func TestProgramsThatNeedTerminal(t *testing.T) {
	var out strings.Builder
	for _, program := range []string{"less", "more", "most", "top", "htop", "vi", "vim", "view", "nano", "emacs", "hx", "joe", "mcedit", "ssh", "mutt", ""} {
		fmt.Fprintf(&out, "instead of %q: %s\n", program, alternative(program))
	}
	result := func(code int, stdout, stderr string) proc.Result {
		var of proc.Result
		of.ExitCode = code
		of.Stdout.Bytes, of.Stdout.Total = []byte(stdout), int64(len(stdout))
		of.Stderr.Bytes, of.Stderr.Total = []byte(stderr), int64(len(stderr))
		return of
	}
	for _, refusal := range refusals {
		fmt.Fprintf(&out, "%q: %q, on the other stream %q, in a good end %q\n", refusal.says, terminalAdvice("x", result(1, "", "error: "+refusal.says+".")), terminalAdvice("x", result(1, refusal.says, "")), terminalAdvice("x", result(0, "", refusal.says)))
	}
	for _, line := range []string{"python3", "/usr/bin/node", "bash -x", "bash < x", "python3; ls", "(sh)", "ls", "bc |", "'psql'", "sh && true", ""} {
		fmt.Fprintf(&out, "%q alone: %q %q\n", line, bare(line), terminalAdvice(line, result(0, "", "")))
	}
	fmt.Fprintf(&out, "%q\n", terminalAdvice("ls", result(1, "", "no such file")))
	for _, command := range []string{"a\n  b\tc", strings.Repeat("ä", 120), strings.Repeat("ä", 121), "a\x1bb"} {
		fmt.Fprintf(&out, "title %q\n", title(command))
	}
	for _, in := range []commandArgs{{Command: "ls"}, {Command: "rm x"}, {Command: "ls", Cwd: "sub"}, {Command: "ls", Background: true}, {Command: "make", Cwd: "../up", Background: true}} {
		for _, place := range places(tools.Env{Dir: "/d", Root: "/d"}, in) {
			fmt.Fprintf(&out, "place of %+v: %+v\n", in, place)
		}
	}
	goldentest.Assert(t, "words.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
