package box

import (
	"fmt"
	"os"
	"path/filepath"
)

// ResolveBelow returns the absolute path of dir without symbolic links, and reports whether dir is
// root or below it. Comparing paths is not enough, so ResolveBelow opens dir through root and calls
// [os.SameFile].
func ResolveBelow(root, dir string) (real string, inside bool, err error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is %s, not a directory", dir, kindOf(info.Mode()))
	}
	if err == nil {
		real, err = filepath.EvalSymlinks(dir)
	}
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil || root == "" {
		return real, false, err
	}
	base, failed := filepath.EvalSymlinks(root)
	if failed != nil {
		return real, false, nil // a root that does not exist contains no directories
	}
	below, failed := openBelow(base, real)
	if failed != nil {
		return real, false, nil
	}
	defer func() { _ = below.Close() }()
	now, failed := below.Stat(".")
	return real, failed == nil && os.SameFile(info, now), nil
}

// openBelow opens a directory below root. It returns an error if the path or a link leads out of
// root.
func openBelow(root, dir string) (*os.Root, error) {
	name, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%s: %w", dir, ErrOutside)
	}
	above, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = above.Close() }()
	return above.OpenRoot(name)
}

// OpenIn opens the working directory at dir. If dir is below root, OpenIn follows no link out of
// root, even if another program creates the link during the call. The returned Dir refuses to write
// to the places that its [Guard] protects.
func OpenIn(root, dir string, guard Guard) (*Dir, error) {
	name, err := filepath.Rel(root, dir)
	if root == "" || err != nil || !filepath.IsLocal(name) {
		opened, err := Open(dir) // dir is not below root
		if opened != nil {
			opened.guarded.Guard = guard
		}
		return opened, err
	}
	opened, err := OpenBelow("Working directory", root, dir)
	if opened != nil {
		opened.guarded.Guard = guard
	}
	return opened, err
}

// OpenBelow opens a directory below root. It returns an error if the path or a link leads out of
// root. Both paths must be absolute. Errors describe the directory with the first argument, such as
// "Working directory".
func OpenBelow(kind, root, dir string) (*Dir, error) {
	below, err := openBelow(root, dir)
	if err != nil {
		return nil, fmt.Errorf("open directory %s: %w", dir, err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir // the directory was removed after it was opened; the handle still works
	}
	return &Dir{contents: contents{root: below, kind: kind, path: dir}, real: real}, nil
}
