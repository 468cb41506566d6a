package proc

import (
	"errors"
	"time"
)

// session is the set of all processes of one command.
type session struct {
	leader int            // the child's pid, which is also the id of its process group and session
	began  string         // the child's start time, or "" if unknown
	mark   string         // the mark in the environment of the processes
	known  map[int]string // start times, by pid, from the last call of [session.members]
}

// leads appoints a new child as the leader of the session.
func (s *session) leads(child int) { s.leader, s.began = child, startOf(child) }

// errUnkillable means that even KILL did not end the child, because the child hangs in the kernel.
var errUnkillable = errors.New("the process does not die; it hangs in the kernel, probably on a device or network file system")

// stop sends TERM to every process, and KILL after the grace period.
func (s *session) stop(waited <-chan error, grace time.Duration) error {
	s.signalAll(terminate)
	err, gone := s.await(waited, grace)
	// KILL is sent at least twice, because a process can fork between the search and the signal.
	for range 2 {
		s.signalAll(kill)
	}
	for pause := time.Millisecond; s.alive() && pause < 100*time.Millisecond; pause *= 2 {
		time.Sleep(pause)
		s.signalAll(kill)
	}
	if gone {
		return err
	}
	select {
	case err = <-waited:
		return err
	case <-time.After(lastResort + Drain):
		return errUnkillable
	}
}

// await waits until the processes have exited, but no longer than the time limit. If the child has
// ended, gone is true and err is the result of the child's Wait.
func (s *session) await(waited <-chan error, limit time.Duration) (err error, gone bool) {
	deadline := time.After(limit)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		select {
		case err = <-waited:
			gone, waited = true, nil
		case <-time.After(pause):
		case <-deadline:
			return err, gone
		}
		if gone && !s.alive() {
			return err, gone
		}
	}
}

// endRest ends the remaining processes of the session after the child has exited.
func (s *session) endRest(grace time.Duration) {
	if !s.alive() {
		return
	}
	s.signalAll(terminate)
	s.vanish(grace)
	for range 2 { // see stop
		s.signalAll(kill)
	}
	s.vanish(lastResort)
}
