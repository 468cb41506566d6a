package proc

import (
	"errors"
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
	run *running
}

// Ending is how a detached child ended.
type Ending struct {
	ExitCode int       // as in [Result]
	Signal   string    // as in [Result]
	Left     []Process // what it started and left running
}

// Start starts a child that writes into two files, which may be the same one. Whoever
// calls it must call [Detached.Wait] too, or a zombie stays. Stdin, Stdout, Limit,
// Grace and Progress of the command do not count.
func Start(command Command, stdout, stderr *os.File) (*Detached, error) {
	run, err := prepare(command)
	if err != nil {
		return nil, err
	}
	run, err = run.started(func(run *running) {
		run.child.Stdin, run.child.Stdout, run.child.Stderr = nil, stdout, stderr
		outlive(run.child.SysProcAttr)
	})
	if err != nil {
		return nil, err
	}
	run.session.leader = run.child.Process.Pid
	return &Detached{Identity: identify(run.session.leader, run.session.mark), run: run}, nil
}

// Wait waits for the child's end and takes it off the kernel's list. It is called once.
func (d *Detached) Wait() Ending {
	_ = d.run.child.Wait() // what it says is in the state too
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
var errUnmarked = errors.New("the process does not carry Marvin's mark, so it may be somebody else's; look at it with ps and end it with kill")

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

// vanish waits until nobody is left, so long at most.
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
