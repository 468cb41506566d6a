package proc

import (
	"errors"
	"time"
)

// session is everything that one command started.
type session struct {
	leader int            // pid of the child: also its process group and its session
	began  string         // when the child did, as in an [Identity]; "" where it is not known
	mark   string         // in the environment of its processes
	known  map[int]string // members found last time: pid and start
}

// leads makes a child that was just started the leader.
func (s *session) leads(child int) { s.leader, s.began = child, startOf(child) }

// errUnkillable means that even KILL did not end the child: it hangs in the kernel.
var errUnkillable = errors.New("the process does not die; it hangs in the kernel, probably on a device or network file system")

// stop asks every process to end, and after the grace makes it.
func (s *session) stop(waited <-chan error, grace time.Duration) error {
	s.signal(terminate)
	err, gone := s.await(waited, grace)
	// Twice at least: a process may be forked between the search and the signal.
	for range 2 {
		s.signal(kill)
	}
	for pause := time.Millisecond; s.alive() && pause < 100*time.Millisecond; pause *= 2 {
		time.Sleep(pause)
		s.signal(kill)
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

// await gives the processes until limit to go by themselves. It reports what
// Wait said about the child, if it said anything yet.
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

// clear ends what a child left running when it ended itself.
func (s *session) clear(grace time.Duration) {
	if !s.alive() {
		return
	}
	s.signal(terminate)
	s.vanish(grace)
	for range 2 { // see stop
		s.signal(kill)
	}
	s.vanish(lastResort)
}
