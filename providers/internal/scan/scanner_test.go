package scan_test

import (
	"encoding/json"
	"testing"

	"marvin/providers/internal/scan"
)

// small is a document with a field of each kind, for both readers.
type small struct {
	Text   string `json:"text"`
	Number int    `json:"number"`
	Inner  struct {
		Text string `json:"text"`
	} `json:"inner"`
}

func scanned(data []byte) (read small, ok bool) {
	var s scan.Scanner
	last := "same"
	s.Begin(data)
	ok = s.Members(func(key []byte) bool {
		switch string(key) {
		case "text":
			return s.TextAgain(&last, &read.Text)
		case "number":
			return s.Number(&read.Number)
		case "inner":
			return s.Members(func(key []byte) bool {
				return string(key) == "text" && s.Text(&read.Inner.Text) || string(key) != "text" && s.SkipUnused(key)
			})
		}
		return s.SkipUnused(key)
	})
	return read, ok && s.End()
}

func TestPlainDocumentsAreRead(t *testing.T) {
	for data, want := range map[string]small{
		`{}`: {}, ` { "text" : "a" , "number" : 0 } `: {Text: "a"}, `{"number":999999999,"text":"same"}`: {Text: "same", Number: 999_999_999},
		`{"x":[],"y":null,"z":true,"w":false,"v":"s","u":12,"text":"\n\"\\\/","inner":{"text":"ü","o":[ ]}}`: func() (s small) {
			s.Text, s.Inner.Text = "\n\"\\/", "ü"
			return s
		}(),
		`{"text":null,"number":null}`: {},
	} {
		if read, ok := scanned([]byte(data)); !ok || read != want {
			t.Errorf("%s was read as %+v, %v", data, read, ok)
		}
	}
}

// Uncertain input is left to encoding/json.
func TestUncertainInputFallsBackToEncodingJSON(t *testing.T) {
	for _, data := range []string{
		``, `{`, `[]`, `{"text":"a"`, `{"text":"a"}}`, `{"text":"a"} x`, `{"text":"a",}`, `{"text" "a"}`, `{,}`, `{"text":7}`, `{"text":["a"]}`,
		`{"number":-1}`, `{"number":1.0}`, `{"number":1e2}`, `{"number":01}`, `{"number":1234567890}`, `{"number":"1"}`, `{"number":1`, `{"number":`,
		`{"Text":"a"}`, `{"TEXT":"a"}`, `{"\u0074ext":"a"}`, `{"ſ":1}`, `{"inner":null}`, `{"inner":[]}`, `{"x":{}}`, `{"x":[1]}`, `{"x":[}`, `{"x":nul}`, `{"x":-1}`,
		`{"text":"\u00fc"}`, `{"text":"\x"}`, "{\"text\":\"\n\"}", "{\"text\":\"\xff\"}", "{\"text\":\"\\n\xff\"}", `{"text":"\`,
	} {
		if read, ok := scanned([]byte(data)); ok {
			t.Errorf("%q was read as %+v", data, read)
		}
	}
}

// FuzzScanner compares the scanner with encoding/json.
func FuzzScanner(f *testing.F) {
	f.Add([]byte(`{"text":"a\n","number":7,"inner":{"text":"b","x":[]},"y":null}`))
	f.Add([]byte(`{"text":"a","text":null,"inner":{},"inner":{"text":"b"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, ok := scanned(data)
		if !ok {
			return
		}
		var want small
		if err := json.Unmarshal(data, &want); err != nil || read != want {
			t.Errorf("%q: scanned %+v, read %+v, %v", data, read, want, err)
		}
	})
}
