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
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/ui/command"
)

// The forms in which terminals and users write the path of a picture; prose stays prose.
func TestPicturesAreFoundInAPrompt(t *testing.T) {
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

func TestAPromptTakesItsPicturesAlong(t *testing.T) {
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

// A pasted or dropped text becomes a chip if all of it is the path of one picture. A picture of the
// clipboard is inserted as its new file.
func TestPastedPicture(t *testing.T) {
	dir := t.TempDir()
	var told []string
	front := &fixture{t: t, later: make(chan func(), 1)}
	front.engine = &command.Engine{Env: command.Env{Front: front, Talk: &front.talk, Now: time.Now}}
	put := func(text, chip string) { told = append(told, text+"|"+chip) }
	command.PastePicture(front.engine, put)
	if !slices.Equal(front.said, []string{"Marvin cannot read pictures from a clipboard here; name the file in the prompt."}) || len(told) > 0 {
		t.Errorf("%q, %q", front.said, told)
	}
	if command.PastedFile(front.engine, "a.png", put) {
		t.Error("a picture is looked for where no one looks")
	}
	err := errors.New("it is empty")
	front.engine.Pictures = command.Pictures{
		Paste: func(context.Context) (string, string, error) { return "/tmp/a b.png", "[a]", err },
		Show: func(_ context.Context, path, from string) (messages.Picture, error) {
			if strings.HasPrefix(filepath.Base(path), "no") || strings.Contains(path, `\`) || from != dir {
				return messages.Picture{}, command.ErrNoPicture
			}
			return messages.Picture{Path: path, Name: filepath.Base(path), Width: 1, Height: 2}, nil
		},
	}
	front.talk.Dir = dir
	command.PastePicture(front.engine, put)
	(<-front.later)()
	if front.said[1] != "it is empty" || len(told) > 0 {
		t.Errorf("%q, %q", front.said, told)
	}
	err = nil
	command.PastePicture(front.engine, put)
	(<-front.later)()
	if !slices.Equal(told, []string{"'/tmp/a b.png'|[a]"}) {
		t.Errorf("%q", told)
	}
	for text, want := range map[string]string{
		"a.png": "a.png|[picture 1: a.png 1x2]", " /tmp/b.png\n": "/tmp/b.png|[picture 1: b.png 1x2]", "'/tmp/a b.png'": "'/tmp/a b.png'|[picture 1: a b.png 1x2]", `/tmp/a\ b.png`: "'/tmp/a b.png'|[picture 1: a b.png 1x2]",
		"/tmp/it's.png": `"/tmp/it's.png"|[picture 1: it's.png 1x2]`, "/tmp/a b.png": "'/tmp/a b.png'|[picture 1: a b.png 1x2]", "file:///tmp/c.png": "/tmp/c.png|[picture 1: c.png 1x2]", "none.png": "none.png|", "/tmp/a(1).png": "'/tmp/a(1).png'|[picture 1: a(1).png 1x2]",
		"see a.png": "", "a.png b.png": "", "a.png\nb.png": "", "text": "", "a.txt": "", strings.Repeat("a", 4093) + ".png": "", "": "",
	} {
		told = nil
		if command.PastedFile(front.engine, text, put) {
			(<-front.later)()
		}
		if got := strings.Join(told, " "); got != want {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
	}
}
