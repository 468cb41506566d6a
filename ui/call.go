package ui

import (
	"strings"

	"marvin/messages"
)

// callRoom is the maximum number of characters that are shown of the title or summary of a call.
const callRoom = 100

// CallLine describes a successful call in one line: the tool, its arguments and a short result. If
// the call continues as a background job, the line names the job instead of a result. Control
// characters are not removed.
func CallLine(event messages.ToolEnded) string {
	if event.Job != "" {
		return "» " + CallTitle(event) + ": " + event.Status.DescribeEnd(0, event.Job)
	}
	line := "✓ " + CallTitle(event)
	if summary := firstLine(event.Summary); summary != "" {
		line += ": " + summary
	}
	return line
}

// CallTitle returns a one-line title for a call. The title begins with the tool's name.
func CallTitle(event messages.ToolEnded) string {
	title := firstLine(event.Title)
	if title == "" || !strings.HasPrefix(title, event.Name) {
		title = strings.TrimSpace(event.Name + " " + title)
	}
	return title
}

func firstLine(text string) string {
	text, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(text); len(runes) > callRoom {
		text, more = string(runes[:callRoom]), true
	}
	if more {
		text += "…"
	}
	return text
}
