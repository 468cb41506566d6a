package tui

import (
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// place is the conversation's directory.
type place struct {
	dir, called string // the path, and the short name with the git branch
	jobs        int    // number of background jobs in the directory
	known       bool   // false if the branch may have changed
	asking      bool
}

// placeFinder looks up the directory's name and shows it in the greeting.
type placeFinder struct {
	place
	talk   *conversation.State
	window *view.Window
	frame  *canvas.Canvas
	beside func(work func() (then func()))
	name   func(dir string) string // short name and git branch of dir; if nil, locate does nothing
	count  func(dir string) int    // counts the background jobs; nil to count none
}

// locate determines the directory's name and job count outside the loop. Only one lookup runs at a
// time, so an old result never replaces a newer one.
func (p *placeFinder) locate() {
	dir := p.talk.Dir
	if p.name == nil || !p.talk.Opened || p.asking || p.known && p.dir == dir {
		return
	}
	p.place = place{dir: dir, called: p.called, jobs: p.jobs, known: true, asking: true}
	p.beside(func() func() {
		called, jobs := p.name(dir), 0
		if p.count != nil {
			jobs = p.count(dir)
		}
		return func() {
			p.called, p.jobs, p.asking = called, jobs, false
			p.locate()
		}
	})
}

// relocate determines the directory's short name again, because a command can change the git
// branch.
func (f front) relocate() {
	f.place.known = false
	f.place.locate()
}

// greet puts the greeting below the transcript if there is room. The first prompt or command hides
// the greeting.
func (p *placeFinder) greet() {
	if !p.talk.Opened || p.talk.Messages > 0 || p.talk.Turn.Running || p.talk.Ran() {
		return
	}
	_, rows := p.window.Extent()
	from := 2 + rows // the first row after the status line, the transcript and an empty row
	var lines []string
	for _, line := range p.talk.Welcome(p.called) {
		lines = append(lines, view.WrapLabeled(termsafe.Line(line), max(p.frame.Width-3, 1))...)
	}
	if from+len(lines) > p.frame.Page {
		return
	}
	for i, text := range lines {
		role := view.Faint
		if i == 0 {
			role = view.Heading
		}
		p.frame.Put(from+i, view.Line{{Role: view.Plain, Text: "  "}, {Role: role, Text: view.Cut(text, max(p.frame.Width-3, 1))}})
	}
}
