package tui

import (
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/view"
)

// front is the screen as commands see it.
type front struct{ *Screen }

var _ command.Front = front{}

// Say is part of [command.Front].
func (f front) Say(level messages.Level, text string) {
	f.view.Say(level, text)
	f.window.End()
	f.frame.dirty = true
}

// Submit sends a prompt, or queues it while a turn runs.
func (f front) Submit(prompt messages.Prompt) {
	if f.view.Turn.Running {
		if f.input.after || prompt.Provider != "" || len(prompt.Pictures) > 0 {
			f.view.Queue = append(f.view.Queue, conversation.Queued{Prompt: prompt})
		} else {
			f.steer(prompt)
		}
		return
	}
	f.send(prompt)
}

// Go does work of a command beside the loop. What it did may have checked another branch out.
func (f front) Go(work func() func()) {
	apart(f.Screen, func() func() {
		then := work()
		return func() {
			if then != nil {
				then()
			}
			f.moved()
		}
	})
}

// apart does work beside the loop, and what it gives back in the loop.
func apart(s *Screen, work func() func()) {
	s.work.Start(func() {
		then := work()
		select {
		case s.done <- then:
		case <-s.over:
		}
	}, func() {})
}

// Suspend is part of [command.Front].
func (f front) Suspend(use func() error) (err error) {
	f.suspend(func() { err = use() })
	f.moved()
	return err
}

// Pick is part of [command.Front].
func (f front) Pick(pick command.Pick) bool {
	f.picker.close(true) // one that is open already is left
	f.complete.open, f.overlay, f.input.search = nil, nil, nil
	f.picker.show(pick)
	return true
}

// Theme is part of [command.Front].
func (f front) Theme(name string) error { return f.frame.paint(name) }

// Keys is part of [command.Front].
func (f front) Keys() string { return f.keys.Listing() }

// Leave is part of [command.Front].
func (f front) Leave() { f.leave() }

// maxClipboard is how much OSC 52 carries: more than that terminals drop without a word.
const maxClipboard = 74_000

// Copy puts text on the clipboard: by a program if there is one, which over ssh would
// be the wrong clipboard, so the terminal is asked as well.
func (f front) Copy(text string) (way string, err error) {
	small := len(text) <= maxClipboard
	if small {
		f.screen.SetClipboard([]byte(text))
	}
	if f.Screen.Copy != nil {
		if way, err = f.Screen.Copy(text); err == nil {
			return way, nil
		}
	}
	if small {
		return "by the terminal, if it allows that", nil
	}
	if err == nil {
		err = fmt.Errorf("no program for the clipboard was found")
	}
	return "", fmt.Errorf("copy %d bytes: %w; install wl-clipboard, xclip or xsel, or use /export", len(text), err)
}

// copyBlock copies the focused block, else the last answer.
func (s *Screen) copyBlock() {
	block := s.copyable()
	if block == nil {
		s.say("There is nothing to copy yet", hintTime)
		return
	}
	s.copied("It", strings.TrimRight(block.Text(), "\n"))
}

// copyCode copies the last block of code, and pressed again the one before it.
func (s *Screen) copyCode() {
	block := s.copyable()
	var codes []string
	if block != nil {
		codes = block.Codes()
	}
	if len(codes) == 0 {
		s.say("There is no block of code in it", hintTime)
		return
	}
	if s.look.codeOf != block || s.look.codeNext <= 0 {
		s.look.codeOf, s.look.codeNext = block, len(codes)
	}
	s.look.codeNext--
	s.copied(fmt.Sprintf("Code %d of %d", s.look.codeNext+1, len(codes)), strings.TrimRight(codes[s.look.codeNext], "\n"))
}

func (s *Screen) copied(what, text string) {
	way, err := front{s}.Copy(text)
	if err != nil {
		s.view.Say(messages.Problem, err.Error())
		return
	}
	s.say(fmt.Sprintf("%s is on the clipboard (%d characters, %s)", what, len([]rune(text)), way), hintTime)
}

// copyable is the focused block, or the last answer.
func (s *Screen) copyable() *view.Block {
	if block := s.window.Focused(); block != nil {
		return block
	}
	for i := len(s.view.Blocks) - 1; i >= 0; i-- {
		if s.view.Blocks[i].Kind == view.Answer {
			return s.view.Blocks[i]
		}
	}
	return nil
}
