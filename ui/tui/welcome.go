package tui

import (
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// place is the directory of the conversation as people call it, with its branch.
type place struct {
	dir, called string
	known       bool // false when a call ended since it was asked: it may have checked another branch out
	asking      bool
}

// placing finds out how people call the directory, and greets with it.
type placing struct {
	place
	talk   *conversation.State
	window *view.Window
	frame  *frame
	beside func(work func() (then func()))
	name   func(dir string) string // nil where it is not shown
}

// locate asks, beside the loop, how the directory is called. One question is asked at a time, so
// that no older answer takes the place of a newer one.
func (p *placing) locate() {
	dir := p.talk.Dir
	if p.name == nil || !p.talk.Opened || p.asking || p.known && p.dir == dir {
		return
	}
	p.place = place{dir: dir, called: p.called, known: true, asking: true}
	p.beside(func() func() {
		called := p.name(dir)
		return func() {
			p.called, p.asking = called, false
			p.locate()
		}
	})
}

// moved asks anew how the directory is called, behind a command of the person's own.
func (f front) moved() {
	f.place.known = false
	f.place.locate()
}

// greet greets below what stands in the transcript, as long as nobody said anything
// and where there is room: a small screen has other things to show.
func (p *placing) greet() {
	if !p.talk.Opened || p.talk.Messages > 0 || p.talk.Turn.Running {
		return
	}
	_, rows := p.window.Extent()
	from := 1 + rows
	if rows > 0 {
		from++
	}
	lines := p.talk.Welcome(p.called)
	if from+len(lines) > p.frame.page { // guard: U7: a greeting fills no small screen
		return
	}
	for i, text := range lines {
		role := view.Faint
		if i == 0 {
			role = view.Heading
		}
		p.frame.put(from+i, view.Line{{Role: view.Plain, Text: "  "}, {Role: role, Text: view.Cut(termsafe.Line(text), max(p.frame.width-3, 1))}})
	}
}
