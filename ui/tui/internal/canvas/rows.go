package canvas

import (
	"fmt"
	"iter"
	"strings"
	"time"
)

// HintTime is how long a hint stands.
const HintTime = 4 * time.Second

// FramedFrom is the height from which there is a rule below the input as well.
const FramedFrom = 18

func Position(end, rows int) string { return fmt.Sprintf("(line %d of %d)", end, rows) }

// OneRow is a text with its line breaks made visible.
func OneRow(text string) string {
	return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(text)
}

func EachLine(text string) iter.Seq[string] { return strings.SplitSeq(text, "\n") }
