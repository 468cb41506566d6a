package sessions

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

// The index is read by hand, and says the same as if it were not; fields that were added to
// it are not forgotten here.
func TestAnIndexLineIsReadAsJSON(t *testing.T) {
	whole := Info{
		Header:  Header{Format: 1, ID: "20261122-144702-ucd2oj", Created: time.Date(2026, 11, 22, 14, 47, 2, 123456789, time.UTC), Dir: "/p \"q\"", Profile: "alex", Forked: &ForkedAt{Session: "other", Entry: 7}, Imported: "Codex x"},
		About:   About{Name: "n", Title: "Wörter <&>", First: "f\\", Last: "l\u2028", Model: "m", Branch: "b", Terminal: "TMUX_PANE=%1", Turns: 3, Cost: 0.25},
		Updated: time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC), Size: 1 << 40,
	}
	value := reflect.ValueOf(whole)
	for _, part := range []reflect.Value{value, value.FieldByName("Header"), value.FieldByName("About")} {
		for i := range part.NumField() {
			if field := part.Type().Field(i); part.Field(i).IsZero() && field.Tag.Get("json") != "-" {
				t.Errorf("the test does not set %s", field.Name)
			}
		}
	}
	for _, info := range []Info{whole, {Header: Header{Format: 1, ID: "a", Created: whole.Created}, Updated: whole.Updated}} {
		line, err := store.EncodeValue(info)
		if err != nil {
			t.Fatal(err)
		}
		var want Info
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		if got, ok := decodeInfo(line); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, want %+v", got, want)
		}
		for cut := range line {
			if _, ok := decodeInfo(line[:cut]); ok {
				t.Errorf("half of a line is read: %s", line[:cut])
			}
		}
	}
}

// So is a line of a session. What is no entry is none; what it may be is not kept from the
// rest of the file.
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
