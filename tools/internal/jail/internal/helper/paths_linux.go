package helper

import (
	"errors"
	"path"
	"strconv"
	"syscall"
)

// exists reports whether a path exists. It does not follow a final symbolic link.
func exists(place string) bool {
	var info syscall.Stat_t
	return syscall.Lstat(place, &info) == nil
}

func kind(info syscall.Stat_t) uint32 { return info.Mode & syscall.S_IFMT }

// resolved expands all symbolic links in a path.
func resolved(place string) (string, error) {
	file, err := syscall.Open(place, oPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = syscall.Close(file) }()
	return readLink("/proc/self/fd/" + strconv.Itoa(file))
}

func readLink(place string) (string, error) {
	to := make([]byte, 4096) // PATH_MAX
	n, err := syscall.Readlink(place, to)
	if err != nil {
		return "", err
	}
	return string(to[:n]), nil
}

func makeDirs(dir string, mode uint32) error {
	err := syscall.Mkdir(dir, mode)
	if err == syscall.ENOENT && dir != "/" {
		if err := makeDirs(path.Dir(dir), mode); err != nil {
			return err
		}
		err = syscall.Mkdir(dir, mode)
	}
	if err != nil {
		var info syscall.Stat_t
		if syscall.Stat(dir, &info) == nil && kind(info) == syscall.S_IFDIR {
			return nil
		}
		return wrap("make the directory "+dir, err)
	}
	return nil
}

// namesIn returns the entries of a directory, or as many as can be listed.
func namesIn(dir string) (names []string) {
	file, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = syscall.Close(file) }()
	for page := make([]byte, 32<<10); ; {
		n, err := syscall.ReadDirent(file, page)
		if err != nil || n == 0 {
			return names
		}
		_, _, names = syscall.ParseDirent(page[:n], -1, names)
	}
}

// mostLinks is the maximum number of symbolic links that the kernel follows in one path.
const mostLinks = 40

// spellings follows the symbolic links in a path one at a time. It returns the original path and
// the path after each step.
func spellings(place string) []string {
	places := []string{place}
	for range mostLinks {
		next := followLink(place)
		if next == place {
			break
		}
		place = next
		places = append(places, place)
	}
	return places
}

// followLink replaces the first symbolic link in a path with its target.
func followLink(name string) string {
	for at := 1; at <= len(name); at++ {
		if at < len(name) && name[at] != '/' {
			continue
		}
		if to, err := readLink(name[:at]); err == nil {
			if !path.IsAbs(to) {
				to = path.Join(path.Dir(name[:at]), to)
			}
			return path.Join(to, name[at:])
		}
	}
	return name
}

func missing(err error) bool { return errors.Is(err, syscall.ENOENT) }

func denied(err error) bool { return errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) }
