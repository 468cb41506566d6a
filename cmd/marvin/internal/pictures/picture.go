package pictures

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/tools"
	"marvin/ui/command"
)

// Read reads a picture file. The path may be a file URL or begin with ~/. A relative path is
// resolved against dir. If there is no such file, the error is [command.ErrNoPicture].
func Read(w cli.World, path, dir string) (messages.Picture, error) {
	if address, ok := strings.CutPrefix(path, "file://"); ok {
		if plain, err := url.PathUnescape(address); err == nil {
			path = plain
		}
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok && w.Home != "" {
		path = filepath.Join(w.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EINVAL), err != nil && strings.Contains(err.Error(), "name too long"):
		return messages.Picture{}, command.ErrNoPicture
	case err != nil:
		return messages.Picture{}, err
	case !info.Mode().IsRegular(): // reading a pipe would block
		return messages.Picture{}, errors.New("it is no file")
	case info.Size() > LargestPicture:
		return messages.Picture{}, fmt.Errorf("its size is %d MB; the limit is %d MB", info.Size()>>20, LargestPicture>>20)
	}
	file, err := os.Open(path)
	if err != nil {
		return messages.Picture{}, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, LargestPicture+1))
	if err != nil {
		return messages.Picture{}, err
	}
	return tools.Picture(filepath.Base(path), tools.ResolveLinks(path), content)
}

// FromOptions reads the pictures from the --image options. If a picture is invalid, FromOptions
// returns no pictures, because the answer depends on all of them.
func FromOptions(o cli.Options, world cli.World) (pictures []messages.Picture, err error) {
	for _, path := range o.Image {
		picture, err := Read(world, path, world.Dir)
		if err != nil {
			return nil, fmt.Errorf("--image %s: %w", path, err)
		}
		pictures = append(pictures, picture)
	}
	return pictures, nil
}

// LargestPicture is the maximum size of a picture file, in bytes. Larger files are refused, not
// scaled down.
const LargestPicture = 64 << 20
