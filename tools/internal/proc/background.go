package proc

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Identity identifies a process. The pid alone is not enough, because the kernel reuses pids.
type Identity struct {
	PID     int
	Started string // the start time in clock ticks since boot, or "" if unknown
	Mark    string // a mark in the environment of the process and its children
}

// Self returns the identity of the current process. The identity's Mark is empty.
func Self() Identity { return identify(os.Getpid(), "") }

// DetachedChild is a child that runs in the background. It has its own session and writes to files,
// not to pipes, so it continues if Marvin ends or crashes.
type DetachedChild struct {
	Identity
	run   *running
	input *os.File // the child's input; nil for a child without input
}

// Ending describes the end of a detached child.
type Ending struct {
	ExitCode int       // as in [Result]
	Signal   string    // as in [Result]
	Left     []Process // descendants of the child that are still running
}

// Start starts a child that writes to stdout and stderr, which may be the same file. The caller
// must call [DetachedChild.Wait], or a zombie remains. Start ignores the command's Stdin, Stdout,
// Limit, Grace and Progress. If input is true, the child's standard input is a pipe, and
// [DetachedChild.Write] writes to the pipe. The pipe closes when Marvin ends.
func Start(command Command, stdout, stderr *os.File, input bool) (*DetachedChild, error) {
	run, err := prepare(command)
	if err != nil {
		return nil, err
	}
	detached := &DetachedChild{}
	var reads *os.File
	if input {
		if reads, detached.input, err = os.Pipe(); err != nil {
			return nil, err
		}
		defer func() { _ = reads.Close() }()
	}
	run, err = run.startChild(func(run *running) {
		run.child.Stdin, run.child.Stdout, run.child.Stderr = nil, stdout, stderr
		if reads != nil {
			run.child.Stdin = reads
		}
		outlive(run.child.SysProcAttr)
	})
	if err != nil {
		return nil, errors.Join(err, detached.CloseInput())
	}
	run.session.leads(run.child.Process.Pid)
	detached.Identity, detached.run = identify(run.session.leader, run.session.mark), run
	return detached, nil
}

// ErrNoInput means that a child was started without input.
var ErrNoInput = errors.New("the job was started without \"input\"")

// Write sends text to the child. It returns an error if the child has not read enough of its input
// within the given time.
func (d *DetachedChild) Write(text string, limit time.Duration) error {
	if d.input == nil {
		return ErrNoInput
	}
	if err := d.input.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	n, err := d.input.WriteString(text)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the job read only %d of %d bytes and is not reading more at the moment", n, len(text))
	}
	return err
}

// CloseInput closes the child's standard input. It does nothing for a child without input.
func (d *DetachedChild) CloseInput() error {
	if d.input == nil {
		return nil
	}
	return d.input.Close()
}

// Wait waits until the child ends, and reaps the child. Call Wait only once.
func (d *DetachedChild) Wait() Ending {
	_ = d.run.child.Wait() // ProcessState contains the exit status
	_ = d.CloseInput()     // the input may be closed already
	var end Ending
	if state := d.run.child.ProcessState; state != nil {
		end.ExitCode, end.Signal = ending(state)
	}
	if d.run.session.hasGroup() || marksWork {
		end.Left = d.run.session.members()
	}
	d.run.leave(len(end.Left) > 0)
	return end
}

// End kills the child and its descendants, and waits for the child. Like [Away.End], it does not
// need the mark to find the child.
func (d *DetachedChild) End() Ending {
	for range 2 { // see session.stop
		d.run.session.signalAll(kill)
	}
	return d.Wait()
}

// errUnmarked means that a process lacks Marvin's mark.
var errUnmarked = errors.New("the process lacks Marvin's mark, so perhaps Marvin did not start it; check it with ps, and end it with kill")

// Alive reports whether the process is running. On Linux, a zombie does not count as running.
func (i Identity) Alive() bool { return i.PID > 0 && isAlive(i) }

// Stop sends TERM to a process and its children and, after the grace period, KILL. It returns an
// error for a process that lacks i.Mark, because the identity could come from a file that other
// programs can write.
func (i Identity) Stop(grace time.Duration) error {
	if !isMark(i.Mark) {
		return errUnmarked
	}
	group := session{mark: i.Mark}
	switch {
	case i.Alive() && carries(i):
		group.leader = i.PID
	case i.Alive():
		return errUnmarked
	case !marksWork:
		return nil
	}
	group.signalAll(terminate)
	group.vanish(grace)
	for range 2 { // see session.stop
		group.signalAll(kill)
	}
	if !group.vanish(lastResort) {
		return errUnkillable
	}
	return nil
}

// vanish waits until all processes are gone. It returns false if they are not gone within the given
// time.
func (s *session) vanish(limit time.Duration) bool {
	deadline := time.After(limit)
	for pause := time.Millisecond; s.alive(); pause = min(2*pause, 100*time.Millisecond) {
		select {
		case <-time.After(pause):
		case <-deadline:
			return false
		}
	}
	return true
}

// isMark reports whether text has the form of a mark. An empty mark would match every process.
func isMark(text string) bool {
	return len(text) == 26 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
