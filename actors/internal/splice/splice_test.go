package splice_test

import (
	"strings"
	"testing"

	"marvin/actors/internal/splice"
)

func join(before, continuation string, size int) string {
	return through(splice.New(before), before, continuation, size)
}

func through(joint *splice.Joint, before, continuation string, size int) string {
	var out strings.Builder
	out.WriteString(before)
	for len(continuation) > 0 {
		n := min(size, len(continuation))
		out.WriteString(joint.Pass(continuation[:n]))
		continuation = continuation[n:]
	}
	out.WriteString(joint.End())
	return out.String()
}

func TestEventsAreNotRepeated(t *testing.T) {
	story := strings.Repeat("One day the river rose. ", 20) + "Then the bridge fell and nobody could cross it until spring."
	cases := []struct{ name, before, continuation, want string }{
		{"exactly from there", "The answer is for", "ty-two.", "The answer is forty-two."},
		{"backs up a little", "The answer is surely forty", "is surely forty-two.", "The answer is surely forty-two."},
		{"chance is no overlap", "a b", "b c", "a bb c"},
		{"tells it all again", story[:300], story, story},
		{"tells it again in short pieces", story[:300], story, story},
		{"a short answer again", "half", "half and half", "half and half"},
		{"wide letters", "das ist schön und gür", "schön und gürtel", "das ist schön und gürtel"},
		{"nothing came", "half", "", "half"},
	}
	for _, c := range cases {
		for _, size := range []int{1, 7, 1000} {
			if got := join(c.before, c.continuation, size); got != c.want {
				t.Errorf("%s, pieces of %d:\ngot  %q\nwant %q", c.name, size, got, c.want)
			}
		}
	}
}

func TestRevisedAnswerIsShownSeparately(t *testing.T) {
	story := strings.Repeat("One day the river rose. ", 20)
	cases := []struct{ name, before, again, want string }{
		{"the same", "The first half ", "The first half and the rest.", "The first half and the rest."},
		{"the same, and long", story[:300], story, story},
		{"shorter", story[:300], story[:200], story[:300]},
		{"another", "It is forty-", "Fifty.", "It is forty-\n\nFifty."},
		{"another after a while", story[:300], story[:250] + "räised.", story[:300] + "\n\n" + "thräised."},
		{"another in the middle of a word", story + "The bridge fe", story + "The bridges fell.", story + "The bridge fe\n\nbridges fell."},
		{"nothing came", "half", "", "half"},
	}
	for _, c := range cases {
		for _, size := range []int{1, 7, 1000} {
			if got := through(splice.NewApart(c.before), c.before, c.again, size); got != c.want {
				t.Errorf("%s, pieces of %d:\ngot  %q\nwant %q", c.name, size, got, c.want)
			}
		}
	}
}

func FuzzSplice(f *testing.F) {
	f.Add("The answer is surely forty", "is surely forty-two.", 3)
	f.Add(strings.Repeat("x", 300), strings.Repeat("x", 400), 50)
	f.Fuzz(func(t *testing.T, before, continuation string, size int) {
		got := join(before, continuation, 1+size&0xff)
		if !strings.HasPrefix(got, before) {
			t.Fatalf("the answer before was changed: %q", got)
		}
		if rest := got[len(before):]; !strings.HasSuffix(continuation, rest) {
			t.Fatalf("%q is not the end of the continuation %q", rest, continuation)
		}
	})
}
