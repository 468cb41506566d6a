package persistence

import (
	"encoding/json"
	"maps"
	"time"

	"marvin/persistence/internal/store"
)

// Adapted stores how Marvin changed requests that a host had refused, for each host and model.
// Later processes send the changed form at once. An entry expires after a day, because the host may
// by then accept the original form.
type Adapted struct{ *Home }

// adaptedFor is the lifetime of an entry.
const adaptedFor = 24 * time.Hour

type adaptedEntry struct {
	Learned time.Time       `json:"learned"`
	Form    json.RawMessage `json:"form"`
}

func (a Adapted) memo() store.Memo { return store.Memo{Home: a.Home, Path: a.Path("requests.read")} }

// adaptedWords stands in for the file contents that a [store.Memo] needs. It never changes, so the
// memo depends only on the build of Marvin.
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

// Get returns the stored change for a host and model, or nil if there is none.
func (a Adapted) Get(host string) []byte { return a.entries()[host].Form }

// Keep stores the change for a host and model. It ignores errors, because the next process can
// learn the change again.
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
