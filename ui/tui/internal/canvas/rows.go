package canvas

import (
	"fmt"
	"strings"
	"time"
)

// HintTime is how long a hint is shown.
const HintTime = 4 * time.Second

// FramedFrom is the minimum screen height at which a line is drawn below the input.
const FramedFrom = 18

func Position(end, rows int) string { return fmt.Sprintf("(line %d of %d)", end, rows) }

// OneRow replaces each line break in text with a visible symbol, and each tab with a space.
func OneRow(text string) string {
	return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(text)
}
