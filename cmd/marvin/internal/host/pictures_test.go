package host

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/app/apptest"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/ui/command"
)

// The picture of the clipboard comes from the first program that has one. It is stored in a file
// that only its user can read, and files that are weeks old are removed.
func TestTheClipboardsPictureIsPasted(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	dot, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"wl-paste": "#!/bin/sh\necho 'no selection' >&2; exit 1\n", "xclip": "#!/bin/sh\n[ \"$4\" = image/png ] && cat " + bin + "/dot\n", "dot": string(dot),
	} {
		if err := disktest.WriteProgram(filepath.Join(bin, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	world := cli.World{Home: home, Now: time.Now, Environ: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "DISPLAY=:1", "WAYLAND_DISPLAY=w"}, Getenv: func(name string) string {
		return map[string]string{"DISPLAY": ":1", "WAYLAND_DISPLAY": "w"}[name]
	}}
	p := PictureHost{&app.App{World: world, Config: actors.Config{Home: persistence.Open(home, time.Now)}}}
	path, label, err := p.paste(t.Context())
	if err != nil || !strings.HasPrefix(label, "[picture 1: pasted-") || !strings.HasSuffix(label, ".gif 1x1]") {
		t.Fatalf("%q, %q, %v", path, label, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || info.Size() != int64(len(dot)) {
		t.Errorf("%v, %v", info, err)
	}
	old := time.Now().Add(-2 * pastedAge)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.paste(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the old one stays: %v", err)
	}
	if err := disktest.WriteProgram(filepath.Join(bin, "xclip"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.paste(t.Context()); err == nil || err.Error() != "there is no picture on the clipboard; copy one, or name its file in the prompt" {
		t.Errorf("without one: %v", err)
	}
}

// A user can name a picture file in several ways. A file that is not a picture is an error.
func TestAPictureIsAFile(t *testing.T) {
	p, _ := apptest.AtHome(t, nil)
	dot, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
	if err != nil {
		t.Fatal(err)
	}
	home, sub := p.World.Home, filepath.Join(p.World.Home, "sub")
	if err := errors.Join(os.Mkdir(sub, 0o755), os.WriteFile(filepath.Join(home, "my dot.gif"), dot, 0o600), os.WriteFile(filepath.Join(sub, "d.gif"), dot, 0o600), os.WriteFile(filepath.Join(home, "text.png"), []byte("text"), 0o600)); err != nil {
		t.Fatal(err)
	}
	large, err := os.Create(filepath.Join(home, "large.png"))
	if err == nil {
		err = errors.Join(large.Truncate(pictures.LargestPicture+1), large.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for path, name := range map[string]string{"my dot.gif": "my dot.gif", "~/my dot.gif": "my dot.gif", "file://" + home + "/my%20dot.gif": "my dot.gif", "sub/d.gif": "d.gif", sub + "/d.gif": "d.gif", "file://~/sub/d.gif": "d.gif"} {
		picture, err := pictures.Read(p.World, path, home)
		if err != nil || picture.Name != name || picture.Type != "image/gif" || picture.Width != 1 || !filepath.IsAbs(picture.Path) {
			t.Errorf("%s: %+v, %v", path, picture, err)
		}
	}
	for path, want := range map[string]string{
		"none.png": command.ErrNoPicture.Error(), "a\x00b.png": command.ErrNoPicture.Error(), strings.Repeat("x", 5000): command.ErrNoPicture.Error(), "file://%zz.png": command.ErrNoPicture.Error(),
		"sub": "it is no file", "large.png": "its size is 64 MB; the limit is 64 MB", "text.png/x": "stat " + home + "/text.png/x: not a directory",
	} {
		if _, err := pictures.Read(p.World, path, home); err == nil || err.Error() != want {
			t.Errorf("%.60q: %v, want %s", path, err, want)
		}
	}
	if _, err := pictures.Read(p.World, "text.png", home); err == nil {
		t.Error("text is a picture")
	}
	shown, err := PictureHost{App: p}.show(t.Context(), "d.gif", sub)
	if err != nil || shown.Name != "d.gif" {
		t.Errorf("%+v, %v", shown, err)
	}
	if _, err := (PictureHost{App: p}).show(t.Context(), "d.gif", ""); !errors.Is(err, command.ErrNoPicture) {
		t.Errorf("from the directory of the start: %v", err)
	}
	opts := cli.Options{}
	opts.Image = []string{"my dot.gif", "sub/d.gif"}
	if all, err := pictures.FromOptions(opts, p.World); err != nil || len(all) != 2 || all[1].Name != "d.gif" {
		t.Errorf("%+v, %v", all, err)
	}
	opts.Image = append(opts.Image, "none")
	if all, err := pictures.FromOptions(opts, p.World); err == nil || all != nil || err.Error() != "--image none: "+command.ErrNoPicture.Error() {
		t.Errorf("%+v, %v", all, err)
	}
	if _, _, err := (PictureHost{App: p}).keepPasted([]byte("text")); err == nil || !strings.HasPrefix(err.Error(), "read the picture on the clipboard: ") {
		t.Errorf("%v", err)
	}
	nowhere := PictureHost{&app.App{World: p.World, Config: actors.Config{Home: persistence.Open("", p.World.Now)}}}
	if _, _, err := nowhere.keepPasted(dot); err == nil || err.Error() != "there is no home directory to keep the picture in; save the picture to a file, and give its path" {
		t.Errorf("%v", err)
	}
}
