package persistence

import (
	"encoding/json"
	"maps"
	"time"

	"marvin/persistence/internal/store"
)

// Adapted stores which changes to requests each host and model requires, so that later processes
// apply them at once. An entry expires after a day, in case the host no longer requires the
// changes.
type Adapted struct{ *Home }

// adaptedFor is the lifetime of an entry.
const adaptedFor = 24 * time.Hour

type adaptedEntry struct {
	Learned time.Time       `json:"learned"`
	Form    json.RawMessage `json:"form"`
}

func (a Adapted) memo() store.Memo { return store.Memo{Home: a.Home, Path: a.Path("requests.read")} }

// adaptedWords is given to the [store.Memo] in place of the contents of a file. These bytes never
// change, so the memo is valid until the build of Marvin changes.
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
