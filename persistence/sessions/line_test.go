package sessions

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

// The hand-written decoder of session lines gives the same result as encoding/json. A line that is
// not an entry does not hide the rest of the file.
func TestAnEntryIsReadAsJSON(t *testing.T) {
	at := time.Date(2026, 11, 22, 14, 47, 2, 123456789, time.UTC)
	whole := Entry{ID: 7, Parent: 1 << 53, Of: 3, Kind: "step \"x\"", At: at, About: &About{First: "Wörter", Turns: 2}, Body: json.RawMessage(`{"a":[1,{"id":9}],"b":"\u2028"}`)}
	lines := []string{
		`{"id":1,"kind":"step","at":"2026-01-01T00:00:00Z","body":null}`, `{"id":1,"kind":"step","at":"2026-01-01T00:00:00Z","about":null}`,
		`{"id":1,"parent":null,"kind":null,"at":null}`, ` { "id" : 1 , "new" : {"kind":"other"}, "kind" : "step" } `, `{"id":9223372036854775807}`, `{}`,
		`{"id":"1"}`, `{"id":1.5}`, `{"id":1e3}`, `{"id":99999999999999999999}`, `{"id":1,"kind":5}`, `{"id":1,"at":"yesterday"}`, `{"id":1,"about":[]}`,
		`{"id":1,"parent":"x"}`, `[1]`, `7`, `null`, ``, "\x00\x00", `{"id":1} trailing`, `{"id":1,"body":{"a":}}`,
	}
	if line, err := store.EncodeValue(whole); err != nil {
		t.Fatal(err)
	} else {
		lines = append(lines, string(line))
	}
	for _, line := range lines {
		var want Entry
		readable := json.Unmarshal([]byte(line), &want) == nil && line != "null"
		got, ok := decodeEntry([]byte(line))
		if ok != readable || ok && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read %+v (%v), want %+v (%v)", line, got, ok, want, readable)
		}
	}
	room := []byte(lines[len(lines)-1])
	got, _ := decodeEntry(room)
	clear(room)
	if !reflect.DeepEqual(got, whole) {
		t.Errorf("when its line has gone it is %+v", got)
	}
}
