package persistence

import (
	"encoding/json"
	"maps"
	"time"

	"marvin/persistence/internal/store"
)

// Adapted stores the changes to requests that a host and model require. Later processes apply these
// changes from their first request. An entry expires after a day, because the host might no longer
// require the changes.
type Adapted struct{ *Home }

// adaptedFor is the lifetime of an entry.
const adaptedFor = 24 * time.Hour

type adaptedEntry struct {
	Learned time.Time       `json:"learned"`
	Form    json.RawMessage `json:"form"`
}

func (a Adapted) memo() store.Memo { return store.Memo{Home: a.Home, Path: a.Path("requests.read")} }

// adaptedWords serves as the source content of the [store.Memo], which has no source file. The
// content is constant, so only another build of Marvin invalidates the memo.
var adaptedWords = []byte("how requests are changed")

func (a Adapted) entries() map[string]adaptedEntry {
	var all map[string]adaptedEntry
	if a.State == "" || !a.memo().Read(adaptedWords, &all) {
		return map[string]adaptedEntry{}
	}
	maps.DeleteFunc(all, func(_ string, entry adaptedEntry) bool {
		age := a.Now().Sub(entry.Learned)
		return age < 0 || age > adaptedFor
	})
	return all
}

// Get returns the stored changes, or nil if there are none. Its argument identifies a host and a
// model.
func (a Adapted) Get(host string) []byte { return a.entries()[host].Form }

// Keep stores the changes that a host and model require. It ignores errors, because a later process
// can discover the changes again.
func (a Adapted) Keep(host string, form []byte) {
	if a.State == "" {
		return
	}
	all := a.entries()
	all[host] = adaptedEntry{a.Now(), form}
	if encoded, err := json.Marshal(all); err == nil {
		a.memo().Keep(adaptedWords, encoded)
	}
}
