package persistence

import (
	"encoding/json"
	"maps"
	"time"

	"marvin/persistence/internal/store"
)

// Adapted is how requests were changed that hosts refused, by host and model, so that the next
// process does not pay for the same refusal. It holds for a day: a server may take later what it
// refuses now.
type Adapted struct{ *Home }

// adaptedFor is how long a change holds.
const adaptedFor = 24 * time.Hour

type adaptedEntry struct {
	Learned time.Time       `json:"learned"`
	Form    json.RawMessage `json:"form"`
}

func (a Adapted) memo() store.Memo { return store.Memo{Home: a.Home, Path: a.Path("requests.read")} }

// adaptedWords are the bytes that the memo is of: it depends on the program alone.
var adaptedWords = []byte("how requests are changed")

func (a Adapted) all() map[string]adaptedEntry {
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

// Of is what was kept for a host and model, nil if there is nothing.
func (a Adapted) Of(host string) []byte { return a.all()[host].Form }

// Keep keeps what was learned. If it cannot be kept the next process learns it again.
func (a Adapted) Keep(host string, form []byte) {
	if a.State == "" {
		return
	}
	all := a.all()
	all[host] = adaptedEntry{a.Now(), form}
	if encoded, err := json.Marshal(all); err == nil {
		a.memo().Keep(adaptedWords, encoded)
	}
}
