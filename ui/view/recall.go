package view

import (
	"marvin/messages"
	"marvin/ui/conversation"
)

// showTurn shows a turn of a resumed conversation.
func (v *View) showTurn(event messages.Recalled) {
	v.showPrompt(event.Prompt, event.Shown, event.Images)
	for _, step := range event.Steps {
		if step.Said {
			block := v.add(Prompt)
			block.write(step.Text)
			v.show(block, step.Images)
			continue
		}
		if step.Tool == "" {
			if step.Thinking != "" {
				v.last(Thinking).write(step.Thinking)
			}
			if step.Text != "" {
				v.last(Answer).write(step.Text)
			}
			continue
		}
		block := v.add(Call)
		block.Tool = &conversation.Call{Name: step.Tool, Title: step.Title, Command: step.Command, Status: step.Status, Exit: step.Exit, Job: step.Job, Summary: messages.Summary(step.Status, step.Text), Past: true}
		block.write(step.Text)
		v.show(block, step.Images)
	}
	if event.Err != "" {
		v.AddNotice(messages.Problem, event.Err)
	}
}
