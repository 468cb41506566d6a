package persistence

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An output that turned out to be a picture, and that somebody took away meanwhile, is told as an
// error and leaves nothing behind.
func TestAnOutputThatIsTakenAwayIsTold(t *testing.T) {
	home := Open(t.TempDir(), now)
	all := home.Artifacts("one")
	begin := func() *ArtifactWriter {
		t.Helper()
		writer, err := all.Begin(Artifact{Tool: "t"})
		must(t, err)
		_, err = writer.Write([]byte("a\nb"))
		must(t, err)
		return writer
	}
	writer := begin()
	must(t, os.Remove(writer.file.Name()))
	if one, err := writer.CloseAs("image/png"); err == nil || one.Number != 0 {
		t.Errorf("what is gone is kept: %+v, %v", one, err)
	}
	writer = begin()
	must(t, os.Mkdir(all.path(Artifact{Number: writer.about.Number, Media: "image/png"}), 0o700))
	if one, err := writer.CloseAs("image/png"); err == nil || !strings.HasPrefix(err.Error(), "keep the output: ") || one.Number != 0 {
		t.Errorf("over a directory: %+v, %v", one, err)
	}
	if _, err := os.Stat(writer.file.Name()); err == nil {
		t.Error("what could not be kept is left behind")
	}
	first, err := begin().CloseAs("image/png")
	must(t, err)
	again, err := begin().CloseAs("image/png")
	if err != nil || again.Number != first.Number || first.Media != "image/png" || first.Lines != 0 {
		t.Errorf("the same once more: %+v, %v", again, err)
	}
	text, err := begin().Close()
	if err != nil || text.Lines != 2 || text.Size != 3 {
		t.Errorf("a text whose last line is open: %+v, %v", text, err)
	}
	writer, err = all.Begin(Artifact{Tool: "t"})
	must(t, err)
	if one, err := writer.Close(); err != nil || one.Number != 0 {
		t.Errorf("of nothing there is %+v, %v", one, err)
	}
	if _, err := os.Stat(writer.file.Name()); err == nil {
		t.Error("an empty output is left behind")
	}
}

// What is kept of a log is its end, in whole lines, over the two files; what cannot be read is told.
func TestTheEndOfTheLog(t *testing.T) {
	home := Open(t.TempDir(), now)
	log := NewLog(home)
	path := log.Path()
	put(t, path+".1", "one\ntwo\n")
	put(t, path, "three\nfour\n")
	for limit, want := range map[int64]string{0: "", 3: "", 5: "", 6: "four\n", 10: "four\n", 11: "four\n", 12: "three\nfour\n", 19: "one\ntwo\nthree\nfour\n", 100: "one\ntwo\nthree\nfour\n"} {
		if text, err := log.Tail(limit); err != nil || string(text) != want {
			t.Errorf("the last %d bytes: %q, %v", limit, text, err)
		}
	}
	for _, name := range []string{path, path + ".1"} {
		must(t, os.Rename(name, name+".away"))
		must(t, os.Mkdir(name, 0o700))
		if _, err := log.Tail(100); err == nil || !strings.Contains(err.Error(), filepath.Base(name)+" is not a regular file") {
			t.Errorf("%s is a directory: %v", name, err)
		}
		must(t, os.Remove(name))
		must(t, os.Rename(name+".away", name))
	}
}

// What cannot be written as JSON is told, and nothing is written of it.
func TestWhatIsNoJSONIsNotEncoded(t *testing.T) {
	if data, err := encode(struct{ Run func() }{func() {}}, nil); err == nil || data != nil {
		t.Errorf("%q, %v", data, err)
	}
	data, err := encode(struct {
		A string `json:"a"`
	}{"<&>"}, map[string]json.RawMessage{"z": []byte(`[1]`), "b": []byte(`{}`)})
	if want := "{\n  \"a\": \"<&>\",\n  \"b\": {},\n  \"z\": [\n    1\n  ]\n}"; err != nil || string(data) != want {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := encode(struct{}{}, map[string]json.RawMessage{"b": []byte(`1`)}); err != nil || string(data) != "{\n  \"b\": 1\n}" {
		t.Errorf("%q, %v", data, err)
	}
}
