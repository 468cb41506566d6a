package paths

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func indexOfAll(list ...string) *Index {
	x := &Index{}
	for _, path := range list {
		x.Add([]byte(path))
	}
	return x
}

func TestTheBestPathComesFirst(t *testing.T) {
	x := indexOfAll("README.md", "actors/router.go", "actors/router_test.go", "cmd/marvin/main.go", "docs/routing.md", "ui/command/tree.go", "ui/theme/theme.go", "ui/tui/Router.go")
	for word, want := range map[string]string{
		"router": "actors/router.go", "ROUTER": "actors/router.go", "main": "cmd/marvin/main.go", "readme": "README.md", "rt": "actors/router_test.go",
		"theme": "ui/theme/", "command/tree": "ui/command/tree.go", "umt": "ui/theme/theme.go", "routing": "docs/routing.md", "ui/": "ui/", "actors/ro": "actors/router.go",
	} {
		if found := x.Find(word, 8, nil); !slices.Contains(found, want) || word != "rt" && word != "umt" && found[0] != want {
			t.Errorf("%q finds %v", word, found)
		}
	}
	if found := x.Find("router", 8, []string{"docs/routing.md", "actors/router_test.go"}); found[0] != "actors/router_test.go" {
		t.Errorf("what was used lately is not first: %v", found)
	}
	if found := x.Find("zzz", 8, nil); len(found) > 0 {
		t.Errorf("%v", found)
	}
	if found := x.Find("", 3, nil); len(found) != 3 || strings.Count(strings.Join(found, ""), "/") > 3 {
		t.Errorf("nothing typed finds %v", found)
	}
}

// Each directory is found once.
func TestDirectoriesAreFound(t *testing.T) {
	x := indexOfAll("a/b/c.go", "a/b/d.go", "a/e.go", "f/g.go")
	if got := x.Find("", 100, nil); len(got) != 7 || x.Len() != 7 {
		t.Errorf("%v", got)
	}
}

func TestDeceptiveNamesAreLeftOut(t *testing.T) {
	x := indexOfAll("good.go", "a\x1b]52;c;eA==\abad.go", "evil\u202eog.exe", "tab\tbad", "line\nbad", "c1\u009bbad", "\xff\xfebad", "größe.go", strings.Repeat("x", 5000))
	if found := x.Find("", 100, nil); len(found) != 2 || !slices.Contains(found, "größe.go") {
		t.Errorf("%q", found)
	}
}

// Every result contains the letters in order, and no match is missing below the limit.
func TestFindAgainstAPlainSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := "abcAB/._1"
	x, all := &Index{}, map[string]bool{}
	for range 80 {
		var path strings.Builder
		for range 1 + random.IntN(12) {
			path.WriteByte(letters[random.IntN(len(letters))])
		}
		x.Add([]byte(path.String()))
	}
	for i := range x.Len() {
		all[string(x.pathAt(i))] = true
	}
	for range 500 {
		word := ""
		for range 1 + random.IntN(4) {
			word += string(letters[random.IntN(len(letters))])
		}
		found := map[string]bool{}
		for _, path := range x.Find(word, maxRanked, nil) {
			found[path] = true
		}
		for path := range all {
			rest, has := strings.ToLower(path), true
			for _, char := range strings.ToLower(word) {
				at := strings.IndexRune(rest, char)
				if at < 0 {
					has = false
					break
				}
				rest = rest[at+1:]
			}
			if has != found[path] && len(found) < maxRanked {
				t.Fatalf("%q in %q: %v, found %v", word, path, has, found[path])
			}
		}
	}
}

// large returns half a million paths like those of a large repository.
func large() *Index {
	x, random := &Index{}, rand.New(rand.NewPCG(3, 4))
	parts := strings.Fields("server client render parser token stream session provider component button dialog service model view controller test fixture helper util index main types")
	for dir := range 5000 {
		base := fmt.Sprintf("packages/%s%d/src/%s", parts[dir%len(parts)], dir, parts[(dir/7)%len(parts)])
		for file := range 100 {
			x.Add(fmt.Appendf(nil, "%s/%s_%s%d.go", base, parts[random.IntN(len(parts))], parts[random.IntN(len(parts))], file))
		}
	}
	return x
}

// Half a million paths take at most 40 MiB, and a search always less than half a second.
// BenchmarkFind measures the time on a quiet machine.
func TestHalfAMillionPaths(t *testing.T) {
	x := large()
	if x.Len() < 500_000 || x.Size() > 40<<20 {
		t.Errorf("%d paths take %.1f MiB", x.Len(), float64(x.Size())/(1<<20))
	}
	begun := time.Now()
	found := x.Find("renderparser77", 8, nil)
	t.Logf("%d paths, %.1f MiB, %v: %v", x.Len(), float64(x.Size())/(1<<20), time.Since(begun), found)
	if len(found) != 8 {
		t.Errorf("%v", found)
	}
}

func BenchmarkFind(b *testing.B) {
	x := large()
	b.ReportMetric(float64(x.Size())/(1<<20), "MiB")
	for _, word := range []string{"s", "se", "sess", "renderparser77", "packages/token"} {
		b.Run(strings.ReplaceAll(word, "/", "_"), func(b *testing.B) {
			for range b.N {
				x.Find(word, 8, nil)
			}
		})
	}
}

func TestAnotherIndexHasRoomForTheSame(t *testing.T) {
	x := &Index{}
	for i := range 5000 {
		x.Add(fmt.Appendf(nil, "dir%d/file%d.go", i/100, i))
	}
	y := x.EmptyLike()
	room := y.Size()
	for i := range 5100 {
		y.Add(fmt.Appendf(nil, "dir%d/file%d.go", i/100, i))
	}
	if y.Size()-cap(y.last) != room || room > 5*x.Size()/4 {
		t.Errorf("another index took %d bytes, then %d; the first %d", room, y.Size(), x.Size())
	}
	if found := y.Find("file5099", 1, nil); len(found) != 1 || y.Len() != 5100+51 {
		t.Errorf("%v of %d", found, y.Len())
	}
}

// Len returns the number of paths, including directories.
func (x *Index) Len() int { return len(x.ends) }

// Size returns the memory of the index in bytes.
func (x *Index) Size() int {
	return cap(x.text) + 4*cap(x.ends) + 2*cap(x.names) + 8*cap(x.masks) + 8*cap(x.pairs) + cap(x.last)
}
