package personal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// The Python Marvin's file belongs to all profiles and is only read. The TypeScript Marvin's file
// belongs to the profile.
func TestBookmarksOfEarlierMarvinsAreReadTogether(t *testing.T) {
	h := storetest.CopyOf(t, "../testdata/python")
	storetest.Must(t, os.CopyFS(h.User, os.DirFS("../testdata/typescript/.config/marvin/profiles/main/..")))
	storetest.Must(t, os.Rename(filepath.Join(h.User, "main", "bookmarks.json"), h.Profile("main").Path("bookmarks.json")))
	all, err := BookmarksOf(h.Profile("main")).All()
	storetest.Must(t, err)
	if len(all) != 2 {
		t.Fatalf("got %+v", all)
	}
	if own := all[0]; own.Title != "Documentation" || own.Created != "2026-02-14T13:30:05.120Z" || strings.Join(own.Tags, " ") != "go" {
		t.Errorf("the profile's: %+v", own)
	}
	if shared := all[1]; shared.URL != "https://café.example" || shared.SavedAt != "2026-02-14 10:05:00" || len(shared.Tags) != 0 {
		t.Errorf("the shared one: %+v", shared)
	}
	if other, err := BookmarksOf(h.Profile("other")).All(); err != nil || len(other) != 2 || other[1].Title != "" {
		t.Errorf("another profile: %+v, %v", other, err)
	}
}

func TestANewBookmarkHasAllKeysAndLeavesTheOthersAlone(t *testing.T) {
	profile := storetest.CopyOf(t, "../testdata/typescript").Profile("main")
	before := storetest.Get(t, profile.Path("bookmarks.json"))
	total, err := BookmarksOf(profile).Save(Bookmark{URL: "https://a.example/?x=1&y=<é>", Title: "A"})
	storetest.Must(t, err)
	want := strings.TrimSuffix(before, "\n]") + `,
  {
    "url": "https://a.example/?x=1&y=<é>",
    "title": "A",
    "tags": [],
    "notes": "",
    "created": "2026-02-14T12:30:15.250Z",
    "saved_at": "2026-02-14 12:30:15"
  }
]`
	if got := storetest.Get(t, profile.Path("bookmarks.json")); total != 2 || got != want {
		t.Errorf("%d, got %s", total, got)
	}
}

func TestABookmarkIsKeptOnce(t *testing.T) {
	h := storetest.CopyOf(t, "../testdata/python")
	profile := h.Profile("main")
	shared := storetest.Get(t, h.Path("bookmarks.json"))
	for _, known := range []string{"https://go.dev/doc", "HTTPS://GO.dev/doc/", " https://café.example "} {
		if _, err := BookmarksOf(profile).Save(Bookmark{URL: known}); !errors.Is(err, ErrBookmarked) {
			t.Errorf("%s: %v", known, err)
		}
	}
	if _, err := os.Stat(profile.Path("bookmarks.json")); err == nil {
		t.Error("a refused bookmark wrote a file")
	}
	for _, other := range []string{"https://go.dev/Doc", "https://go.dev/doc?a", "http://go.dev/doc"} {
		if _, err := BookmarksOf(profile).Save(Bookmark{URL: other}); err != nil {
			t.Errorf("%s: %v", other, err)
		}
	}
	if storetest.Get(t, h.Path("bookmarks.json")) != shared {
		t.Error("the shared file was written")
	}
}

func TestBookmarksThatCannotBeReadDoNotHideTheOthers(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	path := profile.Path("bookmarks.json")
	storetest.Put(t, path, `[{"url": "https://a.example", "tags": "x, y"}, {"url": 7}, {"url": "https://b.example", "tags": null, "notes": null}]`)
	all, err := BookmarksOf(profile).All()
	if len(all) != 2 || all[0].URL != "https://b.example" || strings.Join(all[1].Tags, "+") != "x+y" {
		t.Errorf("got %+v", all)
	}
	if err == nil || !strings.Contains(err.Error(), "entry 2") {
		t.Errorf("got %v", err)
	}
	storetest.Put(t, path, `[{"url": `)
	if _, err := BookmarksOf(profile).All(); err == nil {
		t.Error("a torn file reads as empty")
	}
	if total, err := BookmarksOf(profile).Save(Bookmark{URL: "https://c.example"}); !store.OnlyDamage(err) || total != 1 {
		t.Errorf("%d, %v", total, err)
	}
	if kept := storetest.Get(t, path+".damaged-20260214-123015"); kept != `[{"url": ` {
		t.Errorf("kept %q", kept)
	}
}

func TestTagsThatAreChangedInTheirPlace(t *testing.T) {
	bookmarks := BookmarksOf(store.Open(t.TempDir(), storetest.Now).Profile("default"))
	_, err := bookmarks.Save(Bookmark{URL: "https://a.org", Tags: []string{"one", "two"}})
	storetest.Must(t, err)
	old, err := bookmarks.Change("https://a.org", func(b *Bookmark) bool { b.Tags[0] = "other"; return true })
	storetest.Must(t, err)
	all, err := bookmarks.All()
	storetest.Must(t, err)
	if !slices.Equal(old.Tags, []string{"one", "two"}) || len(all) != 1 || !slices.Equal(all[0].Tags, []string{"other", "two"}) {
		t.Errorf("was %q, is %+v", old.Tags, all)
	}
}
