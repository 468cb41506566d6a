package paths

import (
	"fmt"
	"strings"
	"testing"
)

func TestTheBestOfManyAreKept(t *testing.T) {
	x := &Index{}
	for i := range 2000 {
		x.Add(fmt.Appendf(nil, "d%02d/%s%04d", i%40, strings.Repeat("x", 1+(i*7919)%40), i))
	}
	for word, want := range map[string][]string{"x": {"d00/x0000", "d00/x0040", "d00/x0080"}, "": {"z"}} {
		got := x.Find(word, 3, nil)
		if word == "" {
			want = []string{"d00/", "d01/", "d02/"}
		}
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Errorf("%q finds %q, not %q", word, got, want)
				break
			}
		}
	}
	for _, limit := range []int{299, 300, 301} {
		if got := len(x.Find("x", limit, nil)); got != min(limit, maxRanked) {
			t.Errorf("of %d wanted %d are found", limit, got)
		}
	}
	if got := indexOfAll("\x1b", "\u202e", "\x7f").Len(); got != 0 {
		t.Errorf("%d names of nothing that is shown are held", got)
	}
	another := x.EmptyLike()
	if another.Len() != 0 || cap(another.ends) < x.Len() || cap(another.text) < len(x.text) || another.Size() > x.Size()*11/10 {
		t.Errorf("another has %d, %d bytes of %d", another.Len(), another.Size(), x.Size())
	}
}
