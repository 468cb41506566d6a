package paths

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// What words find among a few paths, in which order and at what worth, stands in this file;
// UPDATE_GOLDEN=1 writes it anew.
func TestGoldenWhatIsFound(t *testing.T) {
	x := indexOfAll("README.md", "actors/router.go", "actors/router_test.go", "actors/internal/route/Route.go", "cmd/marvin/main.go", "docs/routing.md", "docs/a route.md", "größe/öl.go", "ui/command/tree.go", "ui/theme/theme.go", "ui/tui/Router.go", "ui/tui/x_router-9.go", "z", "zz/z")
	var all strings.Builder
	for i := range x.Len() {
		fmt.Fprintf(&all, "%q, its name at %d, mask %x, pairs %x\n", x.at(i), x.names[i], x.masks[i], x.pairs[i])
	}
	for _, word := range []string{"", "r", "ro", "route", "Router", "outer", "er.go", "z", "zz", "zzz", "ui/", "/", "s/r", "actors/router", "tui/r", "i/t", "ui/tui/x", "urg", "aro", "atg", "ö", "9", "_", "a r", "route.md", "go", ".", "main.go/", "a/"} {
		wanted := []byte(strings.ToLower(strings.ReplaceAll(word, " ", "")))
		fmt.Fprintf(&all, "== %q across %v: 4 are %q, with two of late %q\n", word, across(wanted), x.Find(word, 4, nil), x.Find(word, 4, []string{"zz/z", "gone", "docs/routing.md"}))
		for _, begins := range []bool{true, false} {
			if len(wanted) > 0 {
				fmt.Fprintf(&all, "named %v: %v\n", begins, x.named(wanted, begins))
			}
		}
		fmt.Fprintf(&all, "anywhere: %v\n", x.anywhere(wanted))
		for i := range x.Len() {
			for _, least := range []int{math.MinInt, inItsOrder, inPath, inName, inName + most - 20} {
				if worth, ok := worthOf(x.at(i), wanted, least); ok {
					fmt.Fprintf(&all, " %d>%d:%d", i, least, worth)
				}
			}
		}
		all.WriteByte('\n')
	}
	goldentest.Hold(t, "found.txt", strings.ReplaceAll(all.String(), fmt.Sprint(math.MinInt), "-"), os.Getenv("UPDATE_GOLDEN") != "")
}

// Of many paths a few hundred are ranked, and however few are wanted the best are among them.
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
		if got := len(x.Find("x", limit, nil)); got != min(limit, ranked) {
			t.Errorf("of %d wanted %d are found", limit, got)
		}
	}
	if got := indexOfAll("\x1b", "\u202e", "\x7f").Len(); got != 0 {
		t.Errorf("%d names of nothing that is shown are held", got)
	}
	another := x.Another()
	if another.Len() != 0 || cap(another.ends) < x.Len() || cap(another.text) < len(x.text) || another.Size() > x.Size()*11/10 {
		t.Errorf("another has %d, %d bytes of %d", another.Len(), another.Size(), x.Size())
	}
}
