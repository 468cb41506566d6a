package store

import (
	"encoding/json"
	"testing"
)

func TestUnencodableDocumentIsNotWritten(t *testing.T) {
	if data, err := Encode(struct{ Run func() }{func() {}}, nil); err == nil || data != nil {
		t.Errorf("%q, %v", data, err)
	}
	data, err := Encode(struct {
		A string `json:"a"`
	}{"<&>"}, map[string]json.RawMessage{"z": []byte(`[1]`), "b": []byte(`{}`)})
	if want := "{\n  \"a\": \"<&>\",\n  \"b\": {},\n  \"z\": [\n    1\n  ]\n}"; err != nil || string(data) != want {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := Encode(struct{}{}, map[string]json.RawMessage{"b": []byte(`1`)}); err != nil || string(data) != "{\n  \"b\": 1\n}" {
		t.Errorf("%q, %v", data, err)
	}
}
