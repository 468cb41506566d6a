package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// A line may name pictures, relative to its working directory. If a picture cannot be shown, the
// line fails and no model is asked.
func TestBatchLinesShowPictures(t *testing.T) {
	t.Parallel()
	command := process(t, func(request modeltest.Request) modeltest.Step {
		return modeltest.Text(fmt.Sprintf("saw %d", len(request.Last().Pictures)))
	})
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(command.Dir, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{filepath.Join(command.Dir, "a.png"): drawn.Bytes(), filepath.Join(below, "b.png"): drawn.Bytes(), filepath.Join(command.Dir, "no.png"): []byte("text")} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command.Args = []string{"marvin", "batch", "-", "--provider", "openai-compat", "--model", "gpt-4o"}
	command.Stdin = strings.NewReader(`{"id":"1","prompt":"x","images":["a.png","below/b.png"]}
{"id":"2","prompt":"x","images":["b.png"],"working_dir":"below"}
{"id":"3","prompt":"x","images":["gone.png"]}
{"id":"4","prompt":"x","images":["no.png"]}
{"id":"5","prompt":"x","images":"a.png"}
{"id":"6","prompt":"x"}`)
	stdout, stderr, code := ends(t, command)
	want := map[string]string{ // a line that is not read has no id
		"1": "saw 2", "2": "saw 1", "3": "images: gone.png: there is no such file", "4": "images: no.png: ", "": `"images" holds a JSON string, not a list of strings`, "6": "saw 0",
	}
	for _, r := range resultsIn(t, stdout) {
		if got := r.Text + r.Error; want[r.ID] == "" || !strings.HasPrefix(got, want[r.ID]) {
			t.Errorf("%s: %q\n%s", r.ID, got, stderr)
		}
		delete(want, r.ID)
	}
	if len(want) > 0 || code != 1 {
		t.Errorf("exit code %d, no results: %v", code, want)
	}
}

// A fleet does not get files of this machine, and answers no line without its pictures.
func TestAFleetTakesNoLineWithPictures(t *testing.T) {
	t.Parallel()
	f := newFleet(t, func(string) modeltest.Step { return modeltest.Text("x") }, []string{`{"id":"1","prompt":"x","images":["a.png"]}`})
	stdout, _, code := ends(t, again(f.batch))
	if all := resultsIn(t, stdout); code != 1 || len(all) != 1 || !strings.HasPrefix(all[0].Error, `"images" names files on this machine`) {
		t.Errorf("exit code %d: %+v", code, all)
	}
}
