package tui

import (
	"fmt"
	"iter"
	"strings"
	"time"
)

// hintTime is how long a hint stands.
const hintTime = 4 * time.Second

// framedFrom is the height from which there is a rule below the input as well.
const framedFrom = 18

func position(end, rows int) string { return fmt.Sprintf("(line %d of %d)", end, rows) }

// oneRow is a text with its line breaks made visible.
func oneRow(text string) string {
	return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(text)
}

func eachLine(text string) iter.Seq[string] { return strings.SplitSeq(text, "\n") }
