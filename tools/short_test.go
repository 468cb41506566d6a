package tools

import (
	"encoding/json"
	"testing"
)

// A small window has room for the most important tools. Their short form contains no texts for
// people, but all names.
func TestTheShortFormOfATool(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(`{"type":"object","description":"whole","examples":[1],
		"properties":{"description":{"type":"string","description":"a","default":{"description":"kept"}},"list":{"type":"array","items":{"type":"string","description":"b"}},
			"either":{"anyOf":[{"description":"c","type":"string"},{"examples":[2],"type":"null"},7]},"bare":true},
		"$defs":{"examples":{"description":"d","const":{"examples":"kept"}}},"required":["description"]}`), &schema); err != nil {
		t.Fatal(err)
	}
	removeDescriptions(schema)
	got, err := json.Marshal(schema)
	want := `{"$defs":{"examples":{"const":{"examples":"kept"}}},"properties":{"bare":true,"description":{"default":{"description":"kept"},"type":"string"},` +
		`"either":{"anyOf":[{"type":"string"},{"type":"null"},7]},"list":{"items":{"type":"string"},"type":"array"}},"required":["description"],"type":"object"}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
