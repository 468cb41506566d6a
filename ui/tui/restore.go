package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"
)

// restore restores the terminal. It drops unread keys, which can block tcell's shutdown.
func (s *Screen) restore() {
	removePictures(s)
	s.dropKeysDuring(s.frame.EventQueue(), func() { s.screen.Fini() })
}

// dropKeysDuring runs a function in the background. It drops all events until the function returns
// or [patience] has passed.
func (r *running) dropKeysDuring(queue <-chan tcell.Event, work func()) {
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

// suspend restores the terminal, runs a function, and then takes over the terminal again.
func (s *Screen) suspend(work func()) {
	removePictures(s)
	s.dropKeysDuring(s.frame.EventQueue(), func() { _ = s.screen.Suspend() }) // tcell 2.13 always returns nil
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
