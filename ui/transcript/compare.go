package transcript

import (
	"fmt"
	"reflect"
	"strings"
)

// Side is one of two compared conversations or branches.
type Side struct {
	Title string
	Steps []Step
}

const compareStyle = `<style>
body { max-width: 90rem } .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; border-top: 1px solid var(--line) }
.sides > div { min-width: 0 } .sides h1 { position: sticky; top: 0; background: var(--back); padding: .5rem 0; margin: 0 }
@media (max-width: 60rem) { .sides { grid-template-columns: 1fr } }
</style>
`

// Compare returns an HTML page that shows the common beginning of two conversations, and their
// remaining steps side by side. The page loads no resources and runs no scripts.
func Compare(left, right Side) []byte {
	same := 0
	for same < len(left.Steps) && same < len(right.Steps) && alike(left.Steps[same], right.Steps[same]) {
		same++
	}
	title := escape(strings.TrimSpace(left.Title) + " — " + strings.TrimSpace(right.Title))
	var text strings.Builder
	fmt.Fprintf(&text, pageBegin, title, title)
	text.WriteString(compareStyle)
	switch {
	case same == 0:
		text.WriteString("<p>The two conversations have no common beginning.</p>\n")
	case same == len(left.Steps) && same == len(right.Steps):
		text.WriteString("<p>They are the same.</p>\n")
		sections(&text, left.Steps)
	default:
		fmt.Fprintf(&text, "<details><summary>Both begin with the same %d steps</summary>\n", same)
		sections(&text, left.Steps[:same])
		text.WriteString("</details>\n")
	}
	if same < max(len(left.Steps), len(right.Steps)) {
		text.WriteString("<div class=\"sides\">\n")
		for _, side := range []Side{left, right} {
			fmt.Fprintf(&text, "<div>\n<h1>%s</h1>\n", escape(side.Title))
			if same == len(side.Steps) {
				text.WriteString("<p>It ends here.</p>\n")
			}
			sections(&text, side.Steps[same:])
			text.WriteString("</div>\n")
		}
		text.WriteString("</div>\n")
	}
	text.WriteString("</body>\n</html>\n")
	return []byte(text.String())
}

// alike reports whether two steps are equal except for their time and usage.
func alike(a, b Step) bool {
	a.At, a.Usage, b.Usage = b.At, nil, nil
	return reflect.DeepEqual(a, b)
}
