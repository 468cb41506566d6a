package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// outcome is the result of one run of an attack.
type outcome struct {
	Escaped string // which of its signs there is; "" if it was held
	Missing string // a sign that it was tried at all, which is not there
	Hung    bool   // it did not end in its time
	Exit    int
	Peak    int64    // of Marvin and its children, MiB
	Took    float64  // seconds
	Output  string   // the end of standard output and error
	Results []string // the tool results for the model, each cut
	Error   string   // why it could not be tried
}

// inside is the main function of the third process. It tries the attack, or runs its control.
func (t trial) inside() error {
	if err := refuses(); err != nil {
		return fmt.Errorf("it refuses to run: %w", err)
	}
	result := t.try()
	return json.NewEncoder(os.NewFile(3, "results")).Encode(result)
}

func (t trial) try() (result outcome) {
	a, err := parseAttack(t.Name, []byte(t.Attack))
	if err != nil {
		return outcome{Error: err.Error()}
	}
	if a.Umask != "" {
		bits, err := strconv.ParseUint(a.Umask, 8, 32)
		if err != nil {
			return outcome{Error: err.Error()}
		}
		unix.Umask(int(bits))
	}
	s, err := a.set(t.Files)
	if err != nil {
		return outcome{Error: "set the scene: " + err.Error()}
	}
	stop, err := s.swapping()
	if err != nil {
		return outcome{Error: "set the scene: " + err.Error()}
	}
	beside := s.bash("beside.sh")
	if beside != nil {
		if err := beside.Start(); err != nil {
			return outcome{Error: err.Error()}
		}
	}
	command := s.bash("control.sh")
	if !t.Control {
		args := append(append([]string{}, a.Args...), strings.Fields(t.Mode)...)
		for i, arg := range args {
			args[i] = s.places.Replace(arg)
		}
		command = exec.Command(inRoot+"/marvin", args...)
		command.Dir, command.Env, command.Stdin = s.project, s.environ(), strings.NewReader(s.places.Replace(a.Stdin))
	}
	result = s.follow(command, time.Duration(a.Seconds)*time.Second, !t.Control)
	stop()
	if t.Control {
		s.said += result.Output // what a program of the person's reads
	}
	if beside != nil {
		_ = syscall.Kill(-beside.Process.Pid, syscall.SIGKILL)
		_ = beside.Wait()
	}
	if err := s.script("after.sh"); err != nil && !t.Control {
		result.Output += "\n" + err.Error()
	}
	s.judge(&result)
	return result
}

// follow runs a command until it ends, or until its time is over. A busy machine extends the time
// of an attack, but not of a control, because a control that intentionally does not end would delay
// all others.
func (s *attackScene) follow(command *exec.Cmd, limit time.Duration, extend bool) (result outcome) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begun, out := time.Now(), &head{}
	output := io.Writer(out)
	if s.Terminal {
		master, slave, err := rawTerminal()
		if err != nil {
			return outcome{Error: err.Error()}
		}
		read := make(chan struct{})
		command.Stdout, command.Stderr = slave, slave
		go func() {
			defer close(read)
			_, _ = io.Copy(output, master) // EIO is the end
		}()
		defer func() { slave.Close(); <-read; result.Output = out.String() }()
	} else {
		command.Stdout, command.Stderr = out, out
	}
	command.WaitDelay = 5 * time.Second
	if err := command.Start(); err != nil {
		return outcome{Error: err.Error()}
	}
	kill := context.AfterFunc(ctx, func() { _ = command.Process.Signal(syscall.SIGKILL) })
	most := 1.0
	if extend {
		most = mostSlowdown
	}
	cancelLate(cancel, limit, most)
	err := command.Wait()
	kill()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		result.Error = err.Error()
	}
	result.Hung, result.Took, result.Output = ctx.Err() != nil, time.Since(begun).Seconds(), out.String()
	result.Exit = command.ProcessState.ExitCode()
	result.Peak = command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
	return result
}

// mostSlowdown is the maximum factor by which a busy machine extends the time of an attack.
const mostSlowdown = 6

// cancelLate cancels after a time that is enough on an idle machine. A busy machine gets up to most
// times as long.
func cancelLate(cancel func(), limit time.Duration, most float64) {
	begun := time.Now()
	var check func()
	check = func() {
		if more := time.Until(begun.Add(time.Duration(float64(limit) * min(slowdown(), most)))); more > 0 {
			time.AfterFunc(more, check)
			return
		}
		cancel()
	}
	time.AfterFunc(limit, check)
}

// slowdown returns how many times longer work takes now than on an idle machine: the number of
// processes that want to run, for each processor, over the last minute.
func slowdown() float64 {
	content, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(content), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 1
	}
	return min(max(load/float64(runtime.NumCPU()), 1), mostSlowdown)
}

// head is the beginning of an output.
type head struct {
	mu   sync.Mutex
	text []byte
}

// headSize is how much is kept.
const headSize = 8 << 20

func (h *head) Write(piece []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, piece[:min(len(piece), headSize-len(h.text))]...)
	return len(piece), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}
