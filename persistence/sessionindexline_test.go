package persistence

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// The index is read by hand, and says the same as if it were not; fields that were added to
// it are not forgotten here.
func TestAnIndexLineIsReadAsJSON(t *testing.T) {
	whole := SessionInfo{
		SessionHeader: SessionHeader{Format: 1, ID: "20261122-144702-ucd2oj", Created: time.Date(2026, 11, 22, 14, 47, 2, 123456789, time.UTC), Dir: "/p \"q\"", Profile: "alex", Forked: &ForkedAt{Session: "other", Entry: 7}, Imported: "Codex x"},
		About:         About{Name: "n", Title: "Wörter <&>", First: "f\\", Last: "l\u2028", Model: "m", Branch: "b", Terminal: "TMUX_PANE=%1", Turns: 3, Cost: 0.25},
		Updated:       time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC), Size: 1 << 40,
	}
	value := reflect.ValueOf(whole)
	for _, part := range []reflect.Value{value, value.FieldByName("SessionHeader"), value.FieldByName("About")} {
		for i := range part.NumField() {
			if field := part.Type().Field(i); part.Field(i).IsZero() && field.Tag.Get("json") != "-" {
				t.Errorf("the test does not set %s", field.Name)
			}
		}
	}
	for _, info := range []SessionInfo{whole, {SessionHeader: SessionHeader{Format: 1, ID: "a", Created: whole.Created}, Updated: whole.Updated}} {
		line, err := encodeValue(info)
		if err != nil {
			t.Fatal(err)
		}
		var want SessionInfo
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
