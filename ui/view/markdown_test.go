package view_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/view"
)

const document = `## Cities & ~~towns~~
Here they are, *all* of them:
| city | people | note |
|:-----|-------:|:----:|
| 東京 | 13 960 000 | the **largest** of them by far, says everybody who was there |
| Malmö 👨‍👩‍👧 | 360 000 | ` + "`a\\|b`" + ` |

1. first
   - [x] done
   - [ ] open, and long enough to be broken in the middle of it

     a paragraph of the item
   ` + "```sh" + `
   echo "in a list" # yes
   ` + "```" + `
2. second
> quoted *text*
> - in a list

See [the page](https://example.org/a_b) or <https://example.org>, not ![a picture](p.png).
It\'s 5 &lt; 6 &amp;&amp; 3\*4, &#27;[31m is no colour.
  An indent that was meant.<br>A break.

---
<details>
as it is
</details>

    indented code
`

func TestMarkdownDrawing(t *testing.T) {
	v := shown(messages.Text{Chunk: document})
	for _, width := range []int{60, 24} {
		compare(t, fmt.Sprintf("markdown-%d.txt", width), drawing((&view.Window{}).Show(v.Blocks, width, 1000, start)))
	}
}

func TestOutputOfToolsIsNoMarkdown(t *testing.T) {
	const output = "*star*.txt\n# head\n    __init__.py"
	v := shown(messages.Opened{Provider: "offline"}, messages.Text{Chunk: output})
	if got := drawing((&view.Window{}).Show(v.Blocks, 40, 10, start)); got != "<assistant>● </>*star*.txt\n  # head\n      __init__.py\n" {
		t.Errorf("%s", got)
	}
}

func TestCharacterReferencesAreSafe(t *testing.T) {
	v := shown(messages.Text{Chunk: "a&#27;]0;owned&#7; &#x9b;31m &#8238; &#xE0041; [x](http://&#27;)"})
	for _, r := range drawing((&view.Window{}).Show(v.Blocks, 80, 100, start)) {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e || r > 0xe0000 {
			t.Errorf("%U gets through", r)
		}
	}
}

// The cost of a word does not depend on the length of the answer: no block of text, code or table
// is parsed again from its start.
func TestLongAnswersAreCutIntoBlocks(t *testing.T) {
	for name, line := range map[string]string{
		"lines": "just a line of output %d\n", "code": "x := %d // more\n", "list": "- item %d\n", "quote": "> quoted %d\n", "text": "word%d ",
	} {
		text := strings.Builder{}
		if name == "code" {
			text.WriteString("```go\n")
		}
		for i := range 6_000 {
			fmt.Fprintf(&text, line, i)
			if name == "text" && i%2000 == 1999 {
				text.WriteString("\n")
			}
		}
		v := shown(messages.Text{Chunk: text.String()})
		var window view.Window
		window.Show(v.Blocks, 100, 50, start)
		allocated := testing.AllocsPerRun(20, func() {
			v.Apply(messages.Envelope{Event: messages.Text{Chunk: "more "}})
			window.Show(v.Blocks, 100, 50, start)
		})
		if allocated > 20_000 {
			t.Errorf("%s: a word costs %.0f allocations", name, allocated)
		}
	}
}

func BenchmarkStreamMarkdown(b *testing.B) {
	for name, text := range map[string]string{"prose": document, "code": "```go\n" + strings.Repeat("func f(a int) string { return \"x\" } // comment\n", 40) + "```\n"} {
		b.Run(name, func(b *testing.B) {
			v := shown(messages.TurnStarted{Prompt: "p"})
			var window view.Window
			words := strings.SplitAfter(text, " ")
			for i := range b.N {
				v.Apply(messages.Envelope{Event: messages.Text{Chunk: words[i%len(words)]}})
				window.Show(v.Blocks, 200, 60, start)
			}
		})
	}
}
