package persistence

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// What is written in pieces, each way in which it ends, what is known of it then and in the next
// process, and which files it left, stands in this file; UPDATE_GOLDEN=1 writes it anew.
func TestGoldenArtifactsInPieces(t *testing.T) {
	var all strings.Builder
	for _, media := range []string{"", "image/png"} {
		for _, pieces := range [][]string{nil, {""}, {"a"}, {"a\n"}, {"a\nb", ""}, {"a\n", "", "b\n", "c"}, {"a", "b\n"}, {"\n\n"}} {
			for _, end := range []string{"close", "as audio/wav", "removed, then close", "removed, then as audio/wav"} {
				home := Open(t.TempDir(), now)
				artifacts := home.Artifacts("c")
				w, err := artifacts.Begin(Artifact{Tool: "x", Media: media})
				must(t, err)
				for _, piece := range pieces {
					n, err := w.Write([]byte(piece))
					if n != len(piece) || err != nil {
						t.Errorf("%q: %d, %v", piece, n, err)
					}
				}
				if strings.HasPrefix(end, "removed") {
					must(t, os.RemoveAll(artifacts.Dir()))
				}
				closes := w.Close
				if strings.Contains(end, "as ") {
					closes = func() (Artifact, error) { return w.CloseAs("audio/wav") }
				}
				about, err := closes()
				n, late := w.Write([]byte("late"))
				_, again := w.Close()
				fmt.Fprintf(&all, "%q %q %s: %d of %d bytes, %d lines, media %q, hash %v, %s; late %d %v, again %v\n", media, pieces, end, about.Size, about.Total, about.Lines, about.Media, about.Hash != "", of(home, err), n, late, again != nil)
				next := home.Artifacts("c")
				second, failed := next.Put(Artifact{Tool: "y"}, []byte("second\n"))
				same, _ := next.Put(Artifact{Tool: "y"}, []byte("second\n"))
				fmt.Fprintf(&all, "   then %d, %d, %s of %d; %s\n", second.Number, same.Number, of(home, failed), len(next.List()), strings.Join(below(t, artifacts.Dir()), " "))
			}
		}
	}
	goldentest.Hold(t, "artifacts.golden", strings.ReplaceAll(all.String(), noon.String(), "NOON"), os.Getenv("UPDATE_GOLDEN") != "")
}

// of is an error without the home that it is in.
func of(home *Home, err error) string {
	return strings.ReplaceAll(fmt.Sprint(err), filepath.Join(home.Data, "artifacts"), "ARTIFACTS")
}

// below are the files of a directory, with what they hold.
func below(t *testing.T, dir string) (files []string) {
	t.Helper()
	for name, text := range contents(t, dir) {
		if strings.HasSuffix(name, ".jsonl") {
			text = fmt.Sprint(strings.Count(text, "\n"), " lines")
		}
		files = append(files, fmt.Sprintf("%s{%s}", name, strings.TrimSpace(text)))
	}
	slices.Sort(files)
	return files
}

// An index that ends in the middle of a line loses nothing that comes behind it, once.
func TestATornIndexGoesOnInALineOfItsOwn(t *testing.T) {
	home := Open(t.TempDir(), now)
	artifacts := home.Artifacts("c")
	for _, text := range []string{"one", "two"} {
		_, err := artifacts.Put(Artifact{}, []byte(text))
		must(t, err)
	}
	index := filepath.Join(artifacts.Dir(), "index.jsonl")
	whole := get(t, index)
	put(t, index, whole[:len(whole)-5])
	again := home.Artifacts("c")
	for _, text := range []string{"three", "four"} {
		_, err := again.Put(Artifact{}, []byte(text))
		must(t, err)
	}
	var numbers []int
	for _, one := range home.Artifacts("c").List() {
		numbers = append(numbers, one.Number)
	}
	if text := get(t, index); fmt.Sprint(numbers) != "[1 3 4]" || strings.Contains(text, "\n\n") || strings.Count(text, "\n") != 4 {
		t.Errorf("%v are known of\n%s", numbers, text)
	}
}

// Where there is no home, no such conversation or no artifact, nothing is kept, and nothing else
// is removed.
func TestArtifactsOfNobody(t *testing.T) {
	var none *Artifacts
	if _, err := none.Begin(Artifact{}); err == nil || none.Temporary() || none.List() != nil || none.Dir() != "" || none.Close() != nil {
		t.Errorf("nothing keeps something: %v", err)
	}
	if _, _, err := none.Open(1); !errors.Is(err, ErrNoArtifact) {
		t.Errorf("%v", err)
	}
	home := Open(t.TempDir(), now)
	_, err := home.Artifacts("c").Put(Artifact{}, []byte("kept"))
	must(t, err)
	for _, id := range []string{"", ".", "..", "../artifacts", "a/b"} {
		if err := home.forgetArtifacts(id); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	(&Home{}).Artifacts("c")
	must(t, (&Home{}).forgetArtifacts("c"))
	if one := home.Artifacts("c"); len(one.List()) != 1 || filepath.Base(one.Place(9)) != "9.txt" {
		t.Errorf("%v is left", one.List())
	}
	must(t, home.forgetArtifacts("c"))
	if left := home.Artifacts("c").List(); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}
