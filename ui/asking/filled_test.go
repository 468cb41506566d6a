package asking_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/asking"
)

// What each line makes of each kind of page, and what is answered then, stands in this file;
// UPDATE_GOLDEN=1 writes it anew.
func TestGoldenLinesThatFillASheet(t *testing.T) {
	var all strings.Builder
	options := []messages.Option{{Label: "Red"}, {Label: "blue"}, {Label: "2 green", Recommended: true}}
	for name, asked := range []messages.Asked{
		{Kind: messages.AskChoice, Detail: "about it", Questions: []messages.Question{{Text: "one", Options: options}}},
		{Kind: messages.AskChoice, Questions: []messages.Question{{Text: "some", Options: options, Several: true, Default: []string{"blue"}}}},
		{Kind: messages.AskChoice, Questions: []messages.Question{{Text: "one or words", Options: options, Free: true, Default: []string{"red"}}}},
		{Kind: messages.AskChoice, Questions: []messages.Question{{Text: "words"}}},
		{Kind: messages.AskForm, Detail: "a form", Fields: []messages.Field{{Name: "f", Title: "A text", Doc: "of it", Type: messages.StringField, Required: true}}},
		{Kind: messages.AskForm, Fields: []messages.Field{{Name: "f", Type: messages.NumberField, Default: 3.5}}},
		{Kind: messages.AskForm, Fields: []messages.Field{{Name: "f", Type: messages.BooleanField, Default: true}}},
		{Kind: messages.AskForm, Fields: []messages.Field{{Name: "f", Type: messages.BooleanField, Required: true}}},
		{Kind: messages.AskForm, Fields: []messages.Field{{Name: "f", Type: messages.EnumField, Options: []string{"small", "large"}, Default: "large"}}},
		{Kind: messages.AskForm},
		{Kind: messages.AskConsent, Fields: []messages.Field{{Name: "f", Type: messages.StringField}}},
		{Kind: messages.AskChoice, Fields: []messages.Field{{Name: "f", Type: messages.StringField}}, Detail: messages.TextOf(nil)},
	} {
		sheet := asking.New(asked)
		if sheet == nil {
			fmt.Fprintf(&all, "== %d is no sheet\n", name)
			continue
		}
		page := sheet.Page()
		fmt.Fprintf(&all, "== %d: %q, %q, about %q, %d options, several %v, free %v, stated %q\n", name, page.Text, page.Doc, sheet.About(), len(page.Options), page.Several, page.Free, page.Stated)
		for _, line := range []string{"", "1", " 2 ", "1,3", "3;1 2", "0", "4", "1 x", "RED", "2 green", "own words", "3.5", "-1", "1e400", "yes", "no", "true", "large", strings.Repeat("x", 40), "a\x1b[2Jb"} {
			again := asking.New(asked)
			one := again.Page()
			before := one.Take("own")
			err := one.Take(line)
			fmt.Fprintf(&all, "%q: marked %v, own %q, %v, %v; done %v; answer %+v\n", line, one.Marked, one.Own, before, err, one.Done(), again.Answer())
		}
		for _, option := range []int{0, 1, 1} {
			if option < len(page.Options) {
				page.Toggle(option)
				fmt.Fprintf(&all, "toggled %d: %v, own %q\n", option, page.Marked, page.Own)
			}
		}
	}
	goldentest.Hold(t, "filled.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
