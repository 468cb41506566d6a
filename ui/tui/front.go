package tui

import (
	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/view"
)

// front implements [command.Front].
type front struct{ *Screen }

var _ command.Front = front{}

// Say is part of [command.Front].
func (f front) Say(level messages.Level, text string) {
	f.view.AddNotice(level, text)
	f.window.End()
	f.frame.Dirty = true
}

// Submit sends a prompt. During a turn, Submit adds the prompt to that turn or to the queue.
func (f front) Submit(prompt messages.Prompt) {
	if f.view.Turn.Running {
		if f.input.after || prompt.Provider != "" || len(prompt.Pictures) > 0 {
			f.view.Queue = append(f.view.Queue, conversation.Queued{Prompt: prompt})
		} else {
			f.queue.steer(prompt)
		}
		return
	}
	f.send(prompt)
}

// Go is part of [command.Front].
func (f front) Go(work func() func()) {
	f.runOutside(func() func() {
		then := work()
		return func() {
			if then != nil {
				then()
			}
			f.relocate()
		}
	})
}

// Suspend is part of [command.Front].
func (f front) Suspend(use func() error) (err error) {
	f.suspend(func() { err = use() })
	f.relocate()
	return err
}

// Pick is part of [command.Front].
func (f front) Pick(pick command.Pick) bool {
	f.picker.close(true)
	f.input.complete.open, f.help.open, f.review.open, f.input.past.search = nil, nil, nil, nil
	f.picker.show(pick)
	return true
}

// Theme is part of [command.Front].
func (f front) Theme(name string) error { return f.frame.SetTheme(name) }

// StartDisplay is part of [command.Front].
func (f front) StartDisplay(line string) command.CommandDisplay {
	f.window.End()
	f.frame.Dirty = true
	return &ownCommand{f, f.view.Run(line, f.Now())}
}

// ownCommand shows a command that the user runs.
type ownCommand struct {
	front front
	block *view.Block
}

// Print is part of [command.CommandDisplay].
func (r *ownCommand) Print(lines string) {
	r.block.Print(lines)
	r.front.frame.Dirty = true
}

// End is part of [command.CommandDisplay].
func (r *ownCommand) End(ran command.CommandEnded) {
	status, problem := messages.OK, ""
	switch {
	case ran.Cancelled:
		status = messages.Interrupted
	case ran.Err != nil:
		status, problem = messages.ToolError, ran.Err.Error()
	}
	r.front.view.CloseCommand(r.block, ran.Output, status, problem, r.front.Now())
	r.front.frame.Dirty = true
}

// Keys is part of [command.Front].
func (f front) Keys() string { return f.keys.Listing() }

// Leave is part of [command.Front].
func (f front) Leave() { f.leave() }

// Copy is part of [command.Front].
func (f front) Copy(text string) (way string, err error) { return f.clipboard.put(text) }
