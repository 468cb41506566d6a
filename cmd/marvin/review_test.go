package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
)

// project is a project that is reviewed, with the model that answers in all its windows.
type project struct {
	t         *testing.T
	home, dir string
	url       string
	model     *modeltest.Server
	finish    chan struct{} // closed when the review may end
	windows   []*client     // of it, whose environment only root can read
}

func reviewed(t *testing.T) *project {
	t.Helper()
	p := &project{t: t, home: t.TempDir(), dir: t.TempDir(), finish: make(chan struct{})}
	if err := os.WriteFile(filepath.Join(p.dir, "main.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.model = modeltest.New(p.answer)
	listening := httptest.NewServer(p.model)
	p.url = listening.URL
	t.Cleanup(func() {
		p.release()
		for _, pid := range p.processes() {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		listening.Close()
	})
	return p
}

func (p *project) release() {
	select {
	case <-p.finish:
	default:
		close(p.finish)
	}
}

// answer is the model of the windows, and of the review, which makes one call.
func (p *project) answer(request modeltest.Request) modeltest.Step {
	last, told := request.Last(), ""
	for _, message := range request.Messages {
		if message.Role == messages.User {
			told = message.Text
		}
	}
	switch {
	case strings.HasPrefix(told, "Review the code") && last.Role == messages.Tool:
		<-p.finish
		return modeltest.Text("All is well.")
	case strings.HasPrefix(told, "Review the code"):
		return modeltest.Calls(modeltest.Call{Name: "tree"})
	case last.Role == messages.Tool:
		return modeltest.Text(last.Result.Text)
	case strings.HasPrefix(told, "do "):
		name, args, _ := strings.Cut(strings.TrimPrefix(told, "do "), " ")
		return modeltest.Calls(modeltest.Call{Name: name, Args: rawArguments(args)})
	}
	return modeltest.Text("ok")
}

type rawArguments string

func (r rawArguments) MarshalJSON() ([]byte, error) {
	if r == "" {
		return []byte("{}"), nil
	}
	return []byte(r), nil
}

// command is a Marvin in the project.
func (p *project) command(args ...string) *exec.Cmd {
	command := exec.Command(os.Args[0], args...)
	command.Args[0], command.Dir = "marvin", p.dir
	command.Env = []string{
		"HOME=" + p.home, sandboxHere(), "PATH=" + os.Getenv("PATH"), "OPENAI_COMPAT_URL=" + p.url + "/v1", "OPENAI_COMPAT_API_KEY=key", "OPENAI_COMPAT_MODEL=test-model",
		"MARVIN_CODE_MODEL_HIGH=high-model", "GIT_DIR=/nowhere", "MARVIN_TICKET=t-1",
	}
	return command
}

// window opens a conversation with a user in the project.
func (p *project) window() *client {
	p.t.Helper()
	c := &client{t: p.t, command: p.command("rpc", "--provider", "openai-compat", "--working-dir", p.dir)}
	c.begin(2 * patience)
	p.windows = append(p.windows, c)
	c.until("opened")
	return c
}

// do makes the model call a tool, and returns the result.
func (c *client) do(call string) string {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"type":"prompt","op":{"text":%q}}`, "do "+call))
	return c.until("turn_ended").Event.Text
}

// hears reads on to a notice with some words.
func (c *client) hears(words string) string {
	c.t.Helper()
	for {
		if notice := c.until("notice"); strings.Contains(notice.Event.Text, words) {
			return notice.Event.Text
		}
	}
}

var begunReview = regexp.MustCompile(`Started review (review-[a-z2-7]{5}) .*\(pid (\d+)\)`)

// begin starts a review and waits until its model was asked.
func (p *project) begin(c *client) (id string, pid int) {
	p.t.Helper()
	text := c.do("review_codebase")
	found := begunReview.FindStringSubmatch(text)
	if found == nil {
		p.t.Fatalf("it says %q", text)
	}
	p.await("the review reads", func() bool {
		return strings.Contains(c.do("review_status"), "phase: reading, 1 round of tools")
	})
	pid, _ = strconv.Atoi(found[2])
	return found[1], pid
}

func (p *project) await(what string, until func() bool) {
	p.t.Helper()
	for limit := time.Now().Add(patience); !until(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			p.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// processes returns the processes that have the project's home in their environment.
func (p *project) processes() []int {
	entries, _ := os.ReadDir("/proc")
	var pids []int
	for _, entry := range entries {
		environ, err := os.ReadFile("/proc/" + entry.Name() + "/environ")
		if pid, _ := strconv.Atoi(entry.Name()); err == nil && strings.Contains("\x00"+string(environ), "\x00HOME="+p.home+"\x00") && alive(entry.Name()) {
			pids = append(pids, pid)
		}
	}
	for _, c := range p.windows {
		if pid := c.command.Process.Pid; c.command.ProcessState == nil && alive(strconv.Itoa(pid)) {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return slices.Compact(pids)
}

func (p *project) file(id string) joblist.Job {
	p.t.Helper()
	job, err := joblist.New(persistence.Open(p.home, time.Now), p.dir).Get(id)
	if err != nil {
		p.t.Fatal(err)
	}
	return job
}

func TestAReviewReadsWithItsOwnModelAndChangesNothing(t *testing.T) {
	t.Parallel()
	p := reviewed(t)
	c := p.window()
	id, pid := p.begin(c)
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		t.Fatal(err)
	}
	has := strings.Split(string(environ), "\x00")
	for _, want := range []string{"MARVIN_READONLY=1", "MARVIN_DEPTH=1", "OPENAI_COMPAT_API_KEY=key"} {
		if !slices.Contains(has, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	for _, entry := range has {
		if strings.HasPrefix(entry, "GIT_DIR=") || strings.HasPrefix(entry, "MARVIN_TICKET=") {
			t.Errorf("it has %s", entry)
		}
	}
	if session, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || !strings.Contains(string(session), fmt.Sprintf(" %d %d 0 -1 ", pid, pid)) {
		t.Errorf("it has no session of its own, or a terminal: %s, %v", session, err)
	}
	for _, request := range p.model.Requests() {
		if request.Last().Role == messages.Tool || !strings.HasPrefix(request.Last().Text, "Review the code") {
			continue
		}
		if request.Model != "high-model" {
			t.Errorf("%s is asked", request.Model)
		}
		for _, tool := range request.Tools {
			if slices.Contains([]string{"run_command", "create_file", "append_file", "apply_patch", "git_commit", "git_checkout"}, tool.Name) {
				t.Errorf("it may use %s", tool.Name)
			}
		}
	}
	p.release()
	c.hears("Background job " + id + " completed after ")
	if text := c.do("review_status"); !strings.Contains(text, "1 round of tools") || !strings.HasSuffix(text, "\n\nAll is well.\n") {
		t.Errorf("its report is %q", text)
	}
	if job := p.file(id); job.Status != "completed" || job.Type != "code-review" || job.Files != 1 || job.PID != pid || job.Result == nil || *job.Result != "All is well." || !job.Told {
		t.Errorf("its file says %+v", job)
	}
	usage, err := spending.Of(persistence.Open(p.home, time.Now)).Usage()
	if err != nil || usage.ModelTurns["high-model"] != 2 {
		t.Errorf("usage.json has %+v, %v", usage, err)
	}
}

func TestAReviewOutlivesItsWindow(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			p := reviewed(t)
			c := p.window()
			id, pid := p.begin(c)
			if err := c.command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			c.ends()
			if said := strings.Contains(c.stderr.String(), "Left running in the background:\n  "+id+", pid "); said != (signal == syscall.SIGHUP) {
				t.Errorf("at the end it says %q", c.stderr.String())
			}
			// A process that the window or review has just started may need a moment to end.
			p.await(fmt.Sprintf("the review %d is alone", pid), func() bool { return slices.Equal(p.processes(), []int{pid}) })
			next := p.window()
			next.hears("Still running in the background: " + id)
			if text := next.do("review_status"); !strings.Contains(text, id+"  running for ") {
				t.Errorf("the next window says %q", text)
			}
			p.release()
			next.hears("Background job " + id + " completed after ")
			if text := next.do("review_status"); !strings.HasSuffix(text, "\n\nAll is well.\n") {
				t.Errorf("its report is %q", text)
			}
			p.await("it is gone", func() bool { return !alive(fmt.Sprint(pid)) })
		})
	}
}

func TestUnwatchedReviewEndIsReportedOnce(t *testing.T) {
	t.Parallel()
	p := reviewed(t)
	c := p.window()
	id, pid := p.begin(c)
	c.command.Process.Kill()
	c.ends()
	p.release()
	p.await("it is gone", func() bool { return !alive(fmt.Sprint(pid)) })
	if job := p.file(id); job.Status != "running" {
		t.Errorf("somebody wrote %s", job.Status)
	}
	next := p.window()
	next.hears("Background job " + id + " completed")
	next.send(`{"type":"quit"}`)
	if rest, _ := next.ends(); strings.Contains(rest, id) {
		t.Errorf("it is told twice: %s", rest)
	}
	last := p.window()
	last.do("get_working_dir")
	last.send(`{"type":"quit"}`)
	if rest, _ := last.ends(); strings.Contains(rest, id) {
		t.Errorf("the window after tells it too: %s", rest)
	}
}

func TestKilledReviewIsReportedAsKilled(t *testing.T) {
	t.Run("with its window", func(t *testing.T) {
		t.Parallel()
		p := reviewed(t)
		c := p.window()
		id, pid := p.begin(c)
		c.command.Process.Kill()
		c.ends()
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		p.await("it is gone", func() bool { return !alive(fmt.Sprint(pid)) })
		p.window().hears("Background job " + id + " dead after ")
		p.await("the window alone runs", func() bool { return len(p.processes()) == 1 }) // it may have a child for a moment
		out, err := p.command("tool", "review_status").Output()
		if err != nil || !strings.HasPrefix(string(out), id+"  dead after ") {
			t.Errorf("%q, %v", out, err)
		}
	})
	t.Run("under its window", func(t *testing.T) {
		t.Parallel()
		p := reviewed(t)
		c := p.window()
		id, pid := p.begin(c)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if told := c.hears("Background job " + id + " failed after "); !strings.Contains(told, "ended by a signal: killed") {
			t.Errorf("it says %q", told)
		}
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
			t.Error("a zombie stays")
		}
		if text := c.do("review_status"); !strings.HasPrefix(text, id+"  failed after ") {
			t.Errorf("the status is %q", text)
		}
		if job := p.file(id); job.Status != "failed" || job.Error == nil || len(job.PIDs) != 0 {
			t.Errorf("its file says %+v", job)
		}
	})
}

func TestACancelledReviewEndsWithAllItsProcesses(t *testing.T) {
	p := reviewed(t)
	c := p.window()
	id, _ := p.begin(c)
	if text := c.do("jobs " + fmt.Sprintf(`{"action":"cancel","job_id":%q}`, id)); !strings.HasPrefix(text, id+"  cancelled after ") {
		t.Errorf("it says %q", text)
	}
	if running := p.processes(); len(running) != 1 || running[0] != c.command.Process.Pid {
		t.Errorf("%v run", running)
	}
	if job := p.file(id); job.Status != "cancelled" {
		t.Errorf("its file says %+v", job)
	}
}

func TestLeftoverJobsAreNamedAtExit(t *testing.T) {
	t.Parallel()
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("done")
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]any{"command": `touch "$HOME/out"; echo tried; sleep 300`, "run_in_background": true}})
	}, "-p", "go")
	var stderr strings.Builder
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	named := regexp.MustCompile(`(?m)^  (cmd-[a-z2-7]{5}), pid (\d+): touch "\$HOME/out"; echo tried; sleep 300; output in (/.*\.log)$`).FindStringSubmatch(stderr.String())
	if named == nil {
		t.Fatalf("it says %q", stderr.String())
	}
	if !alive(named[2]) {
		t.Error("it does not run")
	}
	for limit := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if output, err := os.ReadFile(named[3]); err == nil && strings.Contains(string(output), "tried\n") {
			break
		} else if time.Now().After(limit) {
			t.Fatalf("it wrote %q, %v", output, err)
		}
	}
	home := strings.TrimPrefix(command.Env[0], "HOME=")
	if _, err := os.Stat(filepath.Join(home, "out")); err == nil {
		t.Error("in the background nothing holds a command")
	}
	syscall.Kill(-atoi(t, named[2]), syscall.SIGKILL)
	checkCostLine(t, stderr.String())
}
