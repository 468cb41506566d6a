package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/messages"
	"marvin/tools"
)

// Pictures that a person shows: files that a prompt or an option names, and what is on the
// clipboard.

// PictureHost is the program as pictures are shown to it.
type PictureHost struct{ *app.App }

// show implements [command.Show].
func (p PictureHost) show(_ context.Context, path, dir string) (messages.Picture, error) {
	return pictures.Read(p.World, path, cmp.Or(dir, p.App.World.Dir))
}

// Checked looks at a picture that a program sends: its bytes, or the path of a file.
func (p PictureHost) Checked(picture messages.Picture) (messages.Picture, error) {
	if len(picture.Data) == 0 && picture.Path != "" {
		return p.show(context.Background(), picture.Path, "")
	}
	return tools.Picture(picture.Name, "", picture.Data)
}

// pastedAge is how long files of pasted pictures stay.
const pastedAge = 7 * 24 * time.Hour

// paste puts the picture of the clipboard into a file of Marvin's and says where that is, and
// what the picture is.
func (p PictureHost) paste(ctx context.Context) (path, label string, err error) {
	content, err := pictures.FromClipboard(ctx, p.World)
	if err != nil {
		return "", "", err
	}
	return p.keepPasted(content)
}

// keepPasted writes a picture where its person alone reads it; old ones go.
func (p PictureHost) keepPasted(content []byte) (path, label string, err error) {
	picture, err := tools.Picture("clipboard", "", content)
	if err != nil {
		return "", "", fmt.Errorf("the picture on the clipboard: %w", err)
	}
	if p.Config.Home.State == "" {
		return "", "", errors.New("there is no home directory to keep the picture in; save it to a file and name that")
	}
	dir := filepath.Join(p.Config.Home.State, "pictures")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	now := p.World.Now()
	old, _ := filepath.Glob(filepath.Join(dir, "pasted-*")) // the pattern is one
	for _, one := range old {
		if info, err := os.Stat(one); err == nil && now.Sub(info.ModTime()) > pastedAge {
			_ = os.Remove(one) // it goes with the next one
		}
	}
	file, err := os.CreateTemp(dir, "pasted-"+now.Format("20060102-150405")+"-*."+strings.TrimPrefix(picture.Type, "image/"))
	if err != nil {
		return "", "", err
	}
	_, err = file.Write(picture.Data)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", "", errors.Join(err, os.Remove(file.Name()))
	}
	picture.Name = filepath.Base(file.Name())
	return file.Name(), messages.Labels([]messages.Picture{picture})[0], nil
}
