package canvas

import (
	"fmt"
	"strings"
	"time"
)

// HintTime is the time for which a hint is shown.
const HintTime = 4 * time.Second

// FramedFrom is the minimum height of a screen that also has a line below the input.
const FramedFrom = 18

func Position(end, rows int) string { return fmt.Sprintf("(line %d of %d)", end, rows) }

// OneRow replaces each line break in a text with a visible sign, and each tab with a space.
func OneRow(text string) string {
	return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(text)
}
