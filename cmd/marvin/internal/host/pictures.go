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

// PictureHost loads pictures for prompts, from files and from the clipboard.
type PictureHost struct{ *app.App }

// show implements [command.Show].
func (p PictureHost) show(_ context.Context, path, dir string) (messages.Picture, error) {
	return pictures.Read(p.World, path, cmp.Or(dir, p.App.World.Dir))
}

// Check validates a picture that a program sends as bytes or as a file path.
func (p PictureHost) Check(picture messages.Picture) (messages.Picture, error) {
	if len(picture.Data) == 0 && picture.Path != "" {
		return p.show(context.Background(), picture.Path, "")
	}
	return tools.Picture(picture.Name, "", picture.Data)
}

// pastedAge is how long pasted pictures stay on disk.
const pastedAge = 7 * 24 * time.Hour

// paste writes the clipboard's picture to a file.
func (p PictureHost) paste(ctx context.Context) (path, label string, err error) {
	content, err := pictures.FromClipboard(ctx, p.World)
	if err != nil {
		return "", "", err
	}
	return p.keepPasted(content)
}

// keepPasted stores a picture so that only the user can read it, and removes old pictures.
func (p PictureHost) keepPasted(content []byte) (path, label string, err error) {
	picture, err := tools.Picture("clipboard", "", content)
	if err != nil {
		return "", "", fmt.Errorf("read the picture on the clipboard: %w", err)
	}
	if p.Config.Home.State == "" {
		return "", "", errors.New("there is no home directory to keep the picture in; save the picture to a file, and give its path")
	}
	dir := filepath.Join(p.Config.Home.State, "pictures")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	now := p.World.Now()
	old, _ := filepath.Glob(filepath.Join(dir, "pasted-*")) // the pattern is valid
	for _, one := range old {
		if info, err := os.Stat(one); err == nil && now.Sub(info.ModTime()) > pastedAge {
			_ = os.Remove(one) // the next call tries again
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
