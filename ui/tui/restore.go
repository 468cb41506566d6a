package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"
)

// restore restores the terminal. tcell waits for its reader, which blocks until the last typed keys
// are read, so they are read here. It gives up on an unresponsive terminal after a while.
func (s *Screen) restore() {
	leavePictures(s)
	s.without(s.frame.EventQueue(), func() { s.screen.Fini() })
}

// without runs work while keys are dropped.
func (r *running) without(queue <-chan tcell.Event, work func()) {
	done := make(chan struct{})
	r.work.Start(work, func() { close(done) })
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case <-done:
			return
		case <-queue:
		case <-late.C:
			return
		}
	}
}

// suspend restores the terminal while work runs, and takes it back.
func (s *Screen) suspend(work func()) {
	leavePictures(s)
	s.without(s.frame.EventQueue(), func() { _ = s.screen.Suspend() }) // tcell 2.13 always returns nil
	work()
	if err := s.screen.Resume(); err != nil {
		s.gone = true
		s.leave()
		return
	}
	s.frame.Width, s.frame.Height = s.screen.Size()
	s.screen.Sync()
	s.frame.Last = nil
	s.frame.Dirty, s.frame.Soon = true, true
}
