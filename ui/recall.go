package ui

import (
	"fmt"

	"marvin/messages"
)

// ResumedText returns the text that announces a resumed conversation.
func ResumedText(event messages.Resumed) string {
	turns := messages.Counted(event.Turns, "turn")
	if event.Turns == 0 { // Marvin ended during the first turn
		turns = "no complete turn"
	}
	text := fmt.Sprintf("── Continued: %s (%s, last on %s) ──", event.Title, turns, event.Left.Local().Format("2 January 15:04"))
	if event.Earlier {
		text += fmt.Sprintf("\nEarlier turns are not shown here; to print them all, run marvin sessions show %s.", event.ID)
	}
	if event.From != "" {
		text += "\nIt is a copy of " + event.From + "; /resume " + event.From + " continues the original."
	}
	return text
}

// RewoundText returns the text that announces a return to the state before an earlier prompt.
func RewoundText(event messages.Rewound) string {
	if event.Again {
		return "── Asked again; the earlier answer is a branch (/tree) ──"
	}
	return "── The conversation is back at the point before this prompt. Edit the prompt and send it again. Later messages are kept as a branch (see /tree). Changes to files remain; /undo reverts them ──"
}
