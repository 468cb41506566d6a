package call

import (
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/tools"
)

// mostTold is the maximum size of a [talkTail], in bytes.
const mostTold = 32 << 10

// talkTail holds the most recent part of a sub-agent's conversation, for the user to look at.
type talkTail struct {
	lines    []string
	size     int
	cut      bool // the beginning of the conversation is left out
	speaking bool // the next text from the model continues the last line
	number   int  // grows with each update
}

// appendLine appends one line. It shortens a long line and makes invisible characters visible.
func (a *talkTail) appendLine(line string) {
	a.speaking = false
	if line = strings.Trim(tools.Visible(line), "\n"); strings.TrimSpace(line) == "" {
		return
	}
	if len(line) > mostTold/4 {
		line = strings.ToValidUTF8(line[:mostTold/4], "") + "…"
	}
	a.append(line)
}

// say appends text that the sub-agent wrote.
func (a *talkTail) say(words string) {
	words = tools.Visible(words)
	if !a.speaking {
		words = strings.TrimLeft(words, " \n")
	}
	if words == "" {
		return
	}
	if !a.speaking {
		a.append("")
		a.speaking = true
	}
	last := len(a.lines) - 1
	a.lines[last] += words
	a.grow(len(words))
}

func (a *talkTail) append(line string) {
	a.lines = append(a.lines, line)
	a.grow(len(line))
}

// grow adjusts a.number and a.size after text was appended. If the size exceeds [mostTold], the
// oldest text is removed.
func (a *talkTail) grow(added int) {
	a.number++
	a.size += added
	for a.size > mostTold && len(a.lines) > 1 {
		a.size -= len(a.lines[0])
		a.lines, a.cut = a.lines[1:], true
	}
	if a.size > mostTold {
		a.lines[0] = strings.ToValidUTF8(a.lines[0][a.size-mostTold:], "")
		a.size, a.cut = len(a.lines[0]), true
	}
}

// addEvent appends the text that the sub-agent wrote before the event. For some events, addEvent
// also appends a line that describes the event.
func (a *talkTail) addEvent(event messages.Event, words string) {
	a.say(words)
	switch event := event.(type) {
	case messages.ToolStarted:
		a.appendLine("→ " + callTitle(event.Name, event.Title))
	case messages.ToolEnded:
		line, ended := "✓ "+event.Name, event.Status.DescribeEnd(event.Exit, event.Job)
		switch {
		case event.Job != "":
			line = fmt.Sprintf("» %s · %s", event.Name, ended)
		case ended != string(messages.OK):
			line = fmt.Sprintf("✗ %s · %s", event.Name, ended)
		}
		if event.Summary != "" && event.Job == "" {
			line += " · " + event.Summary
		}
		a.appendLine(line)
	case messages.Notice:
		a.appendLine("• " + event.Text)
	default: // all other events change at most the status line
	}
}

func callTitle(name, title string) string {
	if strings.HasPrefix(title, name) {
		return title
	}
	return strings.TrimSpace(name + " " + title)
}

func (a *talkTail) text(task string) string {
	parts := []string{"> " + strings.ReplaceAll(tools.Visible(strings.TrimSpace(task)), "\n", "\n> ")}
	if a.cut {
		parts = append(parts, "[… the beginning is left out]")
	}
	for _, line := range a.lines {
		parts = append(parts, strings.TrimRight(line, " \n"))
	}
	return strings.Join(parts, "\n\n")
}
