package command_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/ui/command"
)

// How terminals and people write the path of a picture; what is prose stays prose.
func TestIssue19PicturesAreFoundInAPrompt(t *testing.T) {
	for text, want := range map[string]string{
		"what is in shot.png?":                     "shot.png",
		"see @docs/a.JPEG, please":                 "docs/a.JPEG",
		"(./x.webp)":                               "./x.webp",
		`'/tmp/my shot.png' `:                      "/tmp/my shot.png",
		`"~/Desktop/it's.png": why?`:               "~/Desktop/it's.png",
		`/tmp/my\ shot\(1\).png and more`:          "/tmp/my shot(1).png",
		`@"a b.gif"`:                               "a b.gif",
		"/Users/x/Screenshot at 9.41\u202fAM.png":  "/Users/x/Screenshot at 9.41\u202fAM.png",
		"file:///tmp/my%20shot.png":                "/tmp/my shot.png",
		"`a.png` is the logo":                      "a.png",
		"don't touch b.png":                        "b.png",
		"https://example.org/a.png":                "",
		"make png files of all jpg files. thanks.": "",
		".png":                             ".png",
		"write main.go and a picture.pngx": "",
		"a 'quote that nobody closed and c.png there": "c.png",
	} {
		var first string
		for _, readings := range command.PictureNames(text) {
			if slices.Contains(readings, want) {
				first = want
			} else if first == "" {
				first = readings[0]
			}
		}
		if first != want {
			t.Errorf("%q names %q, want %q (%q)", text, first, want, command.PictureNames(text))
		}
	}
}

func FuzzPictureNames(f *testing.F) {
	f.Add(`'/tmp/my shot.png' "x\ y.gif @z.webp`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, readings := range command.PictureNames(text) {
			if len(readings) == 0 || slices.Contains(readings, "") {
				t.Errorf("%q names nothing", text)
			}
		}
	})
}

// What a prompt names is read beside the loop and goes with it, once; a prompt behind it
// waits for its turn. What is damaged is told, what is not there is only words.
func TestIssue19APromptTakesItsPicturesAlong(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("one"), modeltest.Text("two"))
	d := sit(t, server)
	dir := t.TempDir()
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewRGBA(image.Rect(0, 0, 8, 6))); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.png": drawn.Bytes(), "half.png": drawn.Bytes()[:40]} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	release := make(chan struct{})
	d.engine.Pictures.Show = func(_ context.Context, path, _ string) (messages.Picture, error) {
		<-release
		content, err := os.ReadFile(filepath.Join(dir, path))
		if errors.Is(err, os.ErrNotExist) {
			return messages.Picture{}, command.ErrNoPicture
		}
		return tools.Picture(path, filepath.Join(dir, path), content)
	}
	d.engine.Take("what is in a.png, @a.png, half.png and none.png?")
	d.engine.Take("and now?")
	close(release)
	d.wait(func() bool { return len(server.Requests()) == 2 && !d.busy })
	asked := server.Requests()[0].Last()
	if len(asked.Pictures) != 1 || asked.Pictures[0].Type != "image/png" || asked.Text != "what is in a.png, @a.png, half.png and none.png?" {
		t.Errorf("the model is asked %+v", asked)
	}
	if all := strings.Join(d.said, "\n"); !strings.Contains(all, "half.png is not shown to the model: ") || strings.Contains(all, "none.png is not shown") {
		t.Errorf("said was %q", d.said)
	}
	for _, step := range d.talk.Steps {
		if step.Role == "you" {
			if !slices.Equal(step.Pictures, []string{"[picture 1: a.png 8x6]"}) {
				t.Errorf("the first prompt shows %q", step.Pictures)
			}
			break
		}
	}
}
