package conversation

import (
	"fmt"

	"marvin/messages"
)

// This file contains the messages that all front ends share.

// Cost returns the cost in dollars, with a plus if some requests have no known price and a tilde if
// some amounts are estimated.
func (s *State) Cost() string {
	text := fmt.Sprintf("$%.4f", s.Usage.Cost)
	if s.Usage.Estimated > 0 {
		text = "~" + text
	}
	if len(s.Usage.Unpriced) > 0 {
		text += "+"
	}
	return text
}

// noModel is the provider of the built-in assistant, which has its own greeting.
const noModel = "offline"

// HasModel reports whether answers come from a model rather than from the built-in assistant.
func (s *State) HasModel() bool { return s.Turn.Provider != noModel }

// Welcome returns the lines that are shown before the first prompt. The argument is the
// directory to show, or "" for none.
func (s *State) Welcome(place string) []string {
	lines := []string{"Marvin, an assistant in your terminal", ""}
	if place != "" {
		lines = append(lines, "Directory  "+place)
	}
	lines = append(lines, "Model      "+s.Turn.Model+" ("+s.Turn.Provider+"), profile "+s.Profile)
	mode := "Coding     off; type /code to let Marvin read and change files here and run commands"
	if s.Coding {
		mode = "Coding     on: Marvin reads and changes files here"
		if s.Approval != "" {
			mode += "; " + s.Approval.Description() + " (/approve)"
		}
	}
	lines = append(lines, mode, "")
	return append(lines, s.ideas()...)
}

func (s *State) ideas() []string {
	ask := "what is in this directory?"
	switch {
	case s.Turn.Provider == noModel:
		ask = "show the tree of this project"
	case !s.Coding:
		ask = "/code  (switches on file and shell tools here)"
	}
	return []string{
		"Try        " + ask,
		"           @ and part of a file name  (attaches the file to your prompt)",
		"           /help  (lists commands; /theme sets colors; !ls runs ls in a shell)",
	}
}

// Farewell returns the message for a user who leaves, or "" if there were no prompts.
// resumeCommand is the command that continues the conversation, or "" if the conversation is not
// stored.
func (s *State) Farewell(resumeCommand string) string {
	prompts := s.Before + s.prompts()
	if prompts == 0 {
		return ""
	}
	cost := s.Cost()
	if tokens := s.Usage.InputTokens + s.Usage.OutputTokens; s.Usage.Cost == 0 && len(s.Usage.Unpriced) > 0 {
		cost = messages.Counted(tokens, "token") + " of unknown price"
	}
	text := fmt.Sprintf("%s, %s.", messages.Counted(prompts, "prompt"), cost)
	if resumeCommand == "" {
		return text + " It was not saved."
	}
	return text + " To continue it: " + resumeCommand
}

// prompts returns the number of prompts in this conversation.
func (s *State) prompts() (count int) {
	for _, step := range s.Steps {
		if step.Role == "you" {
			count++
		}
	}
	return count
}
