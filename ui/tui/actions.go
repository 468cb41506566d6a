package tui

import (
	"slices"

	"marvin/ui/command"
	"marvin/ui/keymap"
	"marvin/ui/lineedit"
	"marvin/ui/view"
)

// An action is a named function that can be bound to a key.
type action struct {
	name string
	do   func(*Screen)
}

// whileTyping lists actions of [keymap.Typing], without the editing actions of [lineedit.Actions].
func whileTyping() []action {
	return []action{
		{"send", (*Screen).enter},
		{"later", (*Screen).sendLater},
		{"complete", func(s *Screen) { s.input.complete.tab() }},
		{"cancel", (*Screen).cancel},
		{"cancel-or-leave", (*Screen).interrupt},
		{"leave", (*Screen).leave},
		{"leave-or-delete", (*Screen).leaveOrDelete},
		{"dequeue", func(s *Screen) { s.queue.editNewest() }},
		{"editor", (*Screen).edit},
		{"paste-picture", func(s *Screen) { command.PastePicture(s.engine, s.input.attach) }},
		{"suspend", (*Screen).stop},
		{"redraw", func(s *Screen) { s.screen.Sync(); s.frame.Last = nil }},
		{"approve", func(s *Screen) { s.engine.NextApproval() }},
		{"background", func(s *Screen) { s.engine.Background() }},
		{"page-up", func(s *Screen) { s.window.Scroll(-max(s.frame.Page-2, 1)) }},
		{"page-down", func(s *Screen) { s.window.Scroll(max(s.frame.Page-2, 1)) }},
		{"line-up", func(s *Screen) { s.window.Scroll(-1) }},
		{"line-down", func(s *Screen) { s.window.Scroll(1) }},
		{"top", func(s *Screen) { s.window.Home() }},
		{"bottom", func(s *Screen) { s.window.End() }},
		{"home", func(s *Screen) { s.input.home(&s.window) }},
		{"end", func(s *Screen) { s.input.end(&s.window) }},
		{"prompt-up", func(s *Screen) { s.look.promptUp() }},
		{"prompt-down", func(s *Screen) { s.window.GoToPrompt(1) }},
		{"find", func(s *Screen) { s.look.find() }},
		{"read", func(s *Screen) { s.look.begin() }},
		{"results", func(s *Screen) { s.window.ToggleAll(view.Call) }},
		{"thoughts", func(s *Screen) { s.window.ToggleAll(view.Thinking) }},
		{"copy-answer", func(s *Screen) { s.clipboard.copyBlock() }},
		{"copy-code", func(s *Screen) { s.clipboard.copyCode() }},
		{"mouse", func(s *Screen) { s.mouse.toggle() }},
		{"up", func(s *Screen) { s.input.past.moveUp() }},
		{"down", func(s *Screen) { s.input.past.moveDown() }},
		{"older", func(s *Screen) { s.input.past.older() }},
		{"newer", func(s *Screen) { s.input.past.newer() }},
		{"search", func(s *Screen) { s.input.past.begin() }},
	}
}

func aboutModels() []action {
	return []action{
		{"next-model", func(s *Screen) { command.NextModel(s.engine) }},
		{"next-effort", func(s *Screen) { command.NextEffort(s.engine) }},
	}
}

func aboutLists() []action {
	return []action{
		{"agents", func(s *Screen) { s.engine.Take("/agents") }},
		{"plan", showPlan},
		{"everything", openMenu},
		{"help", func(s *Screen) { s.help.open = &overlay{} }},
	}
}

// whileReading lists the actions of [keymap.Reading].
func whileReading() []action {
	return []action{
		{"block-up", func(s *Screen) { s.window.MoveFocus(-1) }},
		{"block-down", func(s *Screen) { s.window.MoveFocus(1) }},
		{"fold", func(s *Screen) { s.look.fold() }},
		{"copy", func(s *Screen) { s.clipboard.copyBlock() }},
		{"copy-its-code", func(s *Screen) { s.clipboard.copyCode() }},
		{"open-change", openChange},
		{"find-here", func(s *Screen) { s.look.find() }},
		{"find-up", func(s *Screen) { s.look.next(-1) }},
		{"find-down", func(s *Screen) { s.look.next(1) }},
		{"prompt-before", func(s *Screen) { s.look.promptUp() }},
		{"prompt-after", func(s *Screen) { s.window.GoToPrompt(1) }},
		{"stop-reading", func(s *Screen) { s.look.stop() }},
		{"keys", func(s *Screen) { s.help.open = &overlay{reading: true} }},
	}
}

// actions returns all actions by name.
func actions() map[string]func(*Screen) {
	all := map[string]func(*Screen){}
	for _, each := range slices.Concat(whileTyping(), aboutModels(), aboutLists(), whileReading()) {
		all[each.name] = each.do
	}
	for name, do := range lineedit.Actions() {
		all[name] = func(s *Screen) { do(&s.input.Editor) }
	}
	return all
}

// act invokes the action assigned to a key, and returns the action's name. It returns "" if the key
// has no action.
func (s *Screen) act(place keymap.Place, key string) string {
	name := s.keys.Action(place, key)
	if do := s.actions[name]; do != nil {
		do(s)
		return name
	}
	return ""
}

func (w *inputState) home(window *view.Window) {
	if w.Empty() {
		window.Home()
	} else {
		w.LineStart()
	}
}

func (w *inputState) end(window *view.Window) {
	if w.Empty() {
		window.End()
	} else {
		w.LineEnd()
	}
}
