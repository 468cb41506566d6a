package proc

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Identity names a process beyond its own life: a pid alone is soon another's.
type Identity struct {
	PID     int
	Started string // in clock ticks since boot, as /proc has it; "" where there is no /proc
	Mark    string // in the environment of all that it started
}

// Self is the identity of this process, without a mark.
func Self() Identity { return identify(os.Getpid(), "") }

// Detached is a child that no call waits for. It has a session of its own and no pipe
// to Marvin, so it also lives on when Marvin ends, however that happens.
type Detached struct {
	Identity
	run   *running
	input *os.File // what the child reads is written here; nil for one that reads nothing
}

// Ending is how a detached child ended.
type Ending struct {
	ExitCode int       // as in [Result]
	Signal   string    // as in [Result]
	Left     []Process // what it started and left running
}

// Start starts a child that writes into two files, which may be the same one. Whoever
// calls it must call [Detached.Wait] too, or a zombie stays. Stdin, Stdout, Limit,
// Grace and Progress of the command do not count. One with input reads what
// [Detached.Write] is given, and its end when Marvin ends.
func Start(command Command, stdout, stderr *os.File, input bool) (*Detached, error) {
	run, err := prepare(command)
	if err != nil {
		return nil, err
	}
	detached := &Detached{}
	var reads *os.File
	if input {
		if reads, detached.input, err = os.Pipe(); err != nil {
			return nil, err
		}
		defer func() { _ = reads.Close() }()
	}
	run, err = run.started(func(run *running) {
		run.child.Stdin, run.child.Stdout, run.child.Stderr = nil, stdout, stderr
		if reads != nil {
			run.child.Stdin = reads
		}
		outlive(run.child.SysProcAttr)
	})
	if err != nil {
		return nil, errors.Join(err, detached.End())
	}
	run.session.leads(run.child.Process.Pid)
	detached.Identity, detached.run = identify(run.session.leader, run.session.mark), run
	return detached, nil
}

// ErrNoInput means that a child reads nothing from Marvin.
var ErrNoInput = errors.New("it was started without an input")

// Write gives the child something to read, and waits so long for it to take that.
func (d *Detached) Write(text string, limit time.Duration) error {
	if d.input == nil {
		return ErrNoInput
	}
	if err := d.input.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	n, err := d.input.WriteString(text)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("it took %d of %d bytes and reads no more at present", n, len(text))
	}
	return err
}

// End ends what the child reads.
func (d *Detached) End() error {
	if d.input == nil {
		return nil
	}
	return d.input.Close()
}

// Wait waits for the child's end and takes it off the kernel's list. It is called once.
func (d *Detached) Wait() Ending {
	_ = d.run.child.Wait() // what it says is in the state too
	_ = d.End()            // it may be closed already
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

// errUnmarked means that a process is not known to be what it was taken for.
var errUnmarked = errors.New("the process does not carry Marvin's mark, so it may not be ours; check it with ps and end it with kill")

// Alive says whether the process runs. A zombie does not.
func (i Identity) Alive() bool { return i.PID > 0 && alive(i) }

// Stop ends a process and everything that it started: TERM, after the grace KILL. What
// does not carry the mark is left alone with an error, because the identity may come
// from a file that anybody can have written.
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
	group.signal(terminate)
	group.vanish(grace)
	for range 2 { // see session.stop
		group.signal(kill)
	}
	if !group.vanish(lastResort) {
		return errUnkillable
	}
	return nil
}

// vanish waits until all processes are gone, within the limit.
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

// isMark says whether a text can be a mark: an empty one would be found everywhere.
func isMark(text string) bool {
	return len(text) == 26 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
