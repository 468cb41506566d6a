package personal

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"marvin/persistence/internal/store"
)

// Bookmarks manages the bookmarks of a profile.
type Bookmarks struct{ profile store.Profile }

// BookmarksOf returns the bookmarks of a profile.
func BookmarksOf(p store.Profile) Bookmarks { return Bookmarks{p} }

// Bookmark is an entry of bookmarks.json. Marvin's TypeScript version stored the time in Created,
// and the Python version stored it in SavedAt.
type Bookmark struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Tags    []string `json:"tags"`
	Notes   string   `json:"notes"`
	Created string   `json:"created"`
	SavedAt string   `json:"saved_at"`
}

// UnmarshalJSON accepts tags as a list or as one string, such as "a, b".
func (b *Bookmark) UnmarshalJSON(data []byte) error {
	type plain Bookmark
	read := struct {
		*plain
		Tags any `json:"tags"`
	}{plain: (*plain)(b)}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	b.Tags = listOf(read.Tags)
	return nil
}

// ErrBookmarked reports that the address is already bookmarked.
var ErrBookmarked = errors.New("already bookmarked")

func (b Bookmarks) list() store.List {
	return store.List{Home: b.profile.Home, Path: b.profile.Path("bookmarks.json"), Note: b.profile.ChangeReporter("bookmarks")}
}

// sharedList returns the bookmarks that Marvin's Python version stored for all profiles. Marvin
// only reads this list.
func (b Bookmarks) sharedList() store.List {
	return store.List{Home: b.profile.Home, Path: b.profile.Home.Path("bookmarks.json")}
}

// SharedBookmarks returns the path of the file that Marvin's Python version kept for all profiles.
func SharedBookmarks(h *store.Home) string { return h.Path("bookmarks.json") }

// All reads the profile's bookmarks, then the bookmarks for all profiles (see [SharedBookmarks]).
// Each group is newest first. If some bookmarks cannot be read, All returns the others with an
// error.
func (b Bookmarks) All() ([]Bookmark, error) {
	own, err := readBookmarks(b.list())
	shared, failed := readBookmarks(b.sharedList())
	for _, bookmark := range shared {
		if !slices.ContainsFunc(own, func(known Bookmark) bool { return SameAddress(known.URL, bookmark.URL) }) {
			own = append(own, bookmark)
		}
	}
	return own, errors.Join(err, failed)
}

// readBookmarks returns the bookmarks of a list, newest first.
func readBookmarks(l store.List) ([]Bookmark, error) {
	bookmarks, err := store.LoadAs[Bookmark](l)
	slices.Reverse(bookmarks)
	return bookmarks, err
}

// Save adds a bookmark, sets Created and SavedAt, and returns the number of the profile's
// bookmarks. If the address is already bookmarked, the error is [ErrBookmarked].
func (b Bookmarks) Save(bookmark Bookmark) (total int, err error) {
	shared, err := readBookmarks(b.sharedList())
	if damaged := (*store.DamagedError)(nil); err != nil && shared == nil && !errors.As(err, &damaged) {
		return 0, err
	}
	now := b.profile.Home.Now()
	bookmark.Created = now.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	bookmark.SavedAt = now.Format("2006-01-02 15:04:05")
	if bookmark.Tags == nil {
		bookmark.Tags = []string{} // never null
	}
	err = b.list().Update(func(entries []json.RawMessage) ([]json.RawMessage, error) {
		same := func(known Bookmark) bool { return SameAddress(known.URL, bookmark.URL) }
		for _, entry := range entries {
			var known Bookmark
			if json.Unmarshal(entry, &known) == nil && same(known) {
				return nil, ErrBookmarked
			}
		}
		if slices.ContainsFunc(shared, same) {
			return nil, ErrBookmarked
		}
		encoded, err := store.EncodeValue(bookmark)
		entries = append(entries, encoded)
		total = len(entries)
		return entries, err
	})
	return total, err
}

// ErrNoBookmark reports that the profile has no bookmark for an address. A bookmark that Marvin's
// Python version kept for all profiles does not count, because Marvin never changes it.
var ErrNoBookmark = errors.New("that address is not bookmarked in this profile")

// Change lets the given function edit the bookmark for an address. If the function returns false,
// Change removes the bookmark. JSON keys that [Bookmark] does not contain stay in the file. The
// error is [ErrNoBookmark] if the address has no bookmark, and [ErrBookmarked] if the new address
// has one.
func (b Bookmarks) Change(at string, change func(*Bookmark) (keep bool)) (old Bookmark, err error) {
	err = b.list().Update(func(entries []json.RawMessage) ([]json.RawMessage, error) {
		found := -1
		for i, entry := range entries {
			var known Bookmark
			if found < 0 && json.Unmarshal(entry, &known) == nil && SameAddress(known.URL, at) {
				found, old = i, known
			}
		}
		if found < 0 {
			return nil, ErrNoBookmark
		}
		changed := old
		changed.Tags = slices.Clone(old.Tags)
		if !change(&changed) {
			return slices.Delete(entries, found, found+1), nil
		}
		for i, entry := range entries {
			var known Bookmark
			if i != found && json.Unmarshal(entry, &known) == nil && SameAddress(known.URL, changed.URL) {
				return nil, ErrBookmarked
			}
		}
		entry := entries[found]
		for _, text := range [][3]string{{"url", old.URL, changed.URL}, {"title", old.Title, changed.Title}, {"notes", old.Notes, changed.Notes}} {
			if text[1] == text[2] {
				continue
			}
			value, err := store.EncodeValue(text[2])
			if err == nil {
				entry, err = store.WithKey(entry, text[0], json.RawMessage(value))
			}
			if err != nil {
				return nil, err
			}
		}
		if !slices.Equal(old.Tags, changed.Tags) {
			var err error
			if entry, err = store.WithKey(entry, "tags", append([]string{}, changed.Tags...)); err != nil {
				return nil, err
			}
		}
		entries[found] = entry
		return entries, nil
	})
	return old, err
}

// SameAddress reports whether two URLs are equal. It ignores a trailing slash, and the case of the
// scheme and the host.
func SameAddress(a, b string) bool { return address(a) == address(b) }

func address(text string) string {
	parsed, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return text
	}
	parsed.Scheme, parsed.Host = strings.ToLower(parsed.Scheme), strings.ToLower(parsed.Host)
	parsed.Path, parsed.RawPath = strings.TrimSuffix(parsed.Path, "/"), ""
	return parsed.String()
}
