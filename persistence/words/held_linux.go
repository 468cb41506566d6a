package words

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// held is a directory below which the kernel finds a whole path in one call and lets no
// part of it lead out, which takes os.Root a call for each part. Opening 300 skills that
// way takes half as long. The zero value is none.
type held struct{ fd int }

// hold is the directory at a path.
func hold(path string) held {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return held{}
	}
	return held{fd}
}

func (h held) open() bool { return h.fd > 0 }

func (h held) close() {
	if h.open() {
		_ = unix.Close(h.fd) // it was only read
	}
}

// find opens what a path leads to.
func (h held) find(name string, flags uint64) (fd int, err error) {
	for range 3 { // a signal came between
		fd, err = unix.Openat2(h.fd, filepath.FromSlash(name), &unix.OpenHow{
			Flags:   flags | unix.O_CLOEXEC,
			Resolve: unix.RESOLVE_BENEATH, // guard: the kernel lets no link lead out
		})
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	return fd, err
}

// below is a directory in it, none where there is none, or where os.Root has to say why not.
func (h held) below(name string) held {
	if !h.open() {
		return held{}
	}
	fd, err := h.find(name, unix.O_PATH|unix.O_DIRECTORY)
	if err != nil {
		return held{}
	}
	return held{fd}
}

// directory opens one for its names; nil where os.Root has to look.
func (h held) directory(name string) *os.File {
	if !h.open() {
		return nil
	}
	fd, err := h.find(name, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), name)
}

// has says whether there is a directory of one name, no path. Not sure is what os.Root must
// look at, as a link.
func (h held) has(name string) (directory, sure bool) {
	var stat unix.Stat_t
	if !h.open() {
		return false, false
	}
	if err := unix.Fstatat(h.fd, name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return false, errors.Is(err, unix.ENOENT)
	}
	kind := stat.Mode & unix.S_IFMT
	return kind == unix.S_IFDIR, kind != unix.S_IFLNK
}

// read reads a regular file into a buffer from room, which gets its size. Not sure is what
// os.Root must look at: anything but a regular file that could be read, or nothing.
func (h held) read(name string, room func(size int64) []byte) (info fs.FileInfo, length int, sure bool) {
	if !h.open() {
		return nil, 0, false
	}
	fd, err := h.find(name, unix.O_RDONLY|unix.O_NONBLOCK)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return nil, 0, true
	}
	if err != nil {
		return nil, 0, false
	}
	defer unix.Close(fd)
	found := &status{name: name}
	if err := syscall.Fstat(fd, &found.stat); err != nil || found.stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, 0, false
	}
	if length, err = unix.Read(fd, room(found.Size())); err != nil { // a regular file gives what it has at once
		return nil, 0, false
	}
	return found, length, true
}

// status is what the kernel says of a regular file.
type status struct {
	name string
	stat syscall.Stat_t
}

func (s *status) Name() string       { return filepath.Base(s.name) }
func (s *status) Size() int64        { return s.stat.Size }
func (s *status) ModTime() time.Time { return time.Unix(s.stat.Mtim.Unix()) }
func (s *status) IsDir() bool        { return false }
func (s *status) Sys() any           { return &s.stat }

func (s *status) Mode() fs.FileMode {
	mode := fs.FileMode(s.stat.Mode & 0o777)
	for bit, is := range map[uint32]fs.FileMode{unix.S_ISUID: fs.ModeSetuid, unix.S_ISGID: fs.ModeSetgid, unix.S_ISVTX: fs.ModeSticky} {
		if s.stat.Mode&bit != 0 {
			mode |= is
		}
	}
	return mode
}

// same says whether two are the same file.
func same(a, b fs.FileInfo) bool {
	one, known := a.Sys().(*syscall.Stat_t)
	other, also := b.Sys().(*syscall.Stat_t)
	return known && also && one.Dev == other.Dev && one.Ino == other.Ino
}
