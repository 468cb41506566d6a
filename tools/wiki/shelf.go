package wiki

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"marvin/tools"
)

const (
	ending   = ".txt"
	nameSize = 200 // bytes; file systems allow 255
)

// shelf is the directory of saved articles. Its Root rejects names and links that lead outside.
type shelf struct {
	*os.Root
	path string
}

// openShelf opens the directory of saved articles, creating it if create is true. If the directory
// does not exist, the error wraps [fs.ErrNotExist].
func openShelf(env tools.Env, create bool) (shelf, error) {
	if env.Home == "" {
		return shelf{}, tools.Advise(errors.New("there is no home directory, so articles cannot be saved"), "Start Marvin with HOME set.")
	}
	path := filepath.Join(env.Home, ".cache", "marvin", "wiki")
	if create {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return shelf{}, fmt.Errorf("create the directory for articles: %w", err)
		}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return shelf{}, fmt.Errorf("open the directory for articles: %w", err)
	}
	return shelf{root, path}, nil
}

func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r) {
			return '_'
		}
		return r
	}, title)
	if len(name) > nameSize {
		name = strings.ToValidUTF8(name[:nameSize], "")
	}
	return name + ending
}

// save writes an article atomically to a file named after the article's title. If the requested
// title is different, save also creates a link with the requested title.
func (s shelf) save(title, asked, text string) (path string, err error) {
	name, temporary := fileName(title), ".saving-"+rand.Text()
	if err := s.WriteFile(temporary, []byte(text), 0o644); err != nil {
		_ = s.Remove(temporary)
		return "", fmt.Errorf("save the article: %w", err)
	}
	if err := s.Rename(temporary, name); err != nil {
		_ = s.Remove(temporary)
		return "", fmt.Errorf("save the article: %w", err)
	}
	if other := fileName(asked); other != name {
		// An article may have been saved under the requested title before the title became a redirect. If
		// Symlink fails (for example, on Windows), wiki_grep knows only the article's own title.
		if err := s.Remove(other); err == nil || errors.Is(err, fs.ErrNotExist) {
			_ = s.Symlink(name, other)
		}
	}
	return filepath.Join(s.path, name), nil
}

// titles returns the sorted titles of the saved articles. If links is true, it also returns the
// titles of redirects.
func (s shelf) titles(links bool) ([]string, error) {
	entries, err := fs.ReadDir(s.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list the saved articles: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ending); ok && (entry.Type().IsRegular() || links && entry.Type() == fs.ModeSymlink) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// read returns a saved article. The lookup follows redirects and ignores case.
func (s shelf) read(title string) (string, error) {
	name := fileName(title)
	if _, err := s.Stat(name); errors.Is(err, fs.ErrNotExist) {
		names, err := s.titles(true)
		if err != nil {
			return "", err
		}
		at := slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known+ending, name) })
		if at >= 0 {
			name = names[at] + ending
		}
	}
	file, err := s.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fs.ErrNotExist
	}
	content, err := io.ReadAll(io.LimitReader(file, answerLimit))
	return strings.ToValidUTF8(string(content), "�"), err
}
