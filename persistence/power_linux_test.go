//go:build amd64 || arm64

package persistence

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence/disktest"

	"golang.org/x/sys/unix"
)

// powerDisk models a directory after a series of calls. It separates data in the kernel's memory from
// data on the disk. A file's content is on the disk after the file is synced, and a file's name
// after the directory is synced.
type powerDisk struct {
	names   map[string]*node // the names that processes see
	settled map[string]*node // the names on the disk
	pending []naming         // changes of names that are not on the disk yet, in order
}

// node is a file or a directory. It may have any number of names.
type node struct {
	isDir        bool
	durable, now []byte
	pending      []change // of the content
}

// change is a write, or a new size if data is nil.
type change struct {
	at   int64
	data []byte
}

// naming changes names. After a power cut, either all of its changes are on the disk or none.
type naming struct {
	dirs    []string
	entries map[string]*node // nil takes a name away
}

// fate tells what happens to unsynced data in a power cut.
type fate int

// The losses of names and of contents: all changes, no changes, or the second half of the changes.
// zeroed is the loss that delayed allocation causes. The file has its new size, but the new bytes
// are zero.
const (
	lostAll fate = iota
	lostNothing
	lostHalf
	zeroed
)

// newDisk begins with the contents of dir, all synced.
func newDisk(dir string) (*powerDisk, error) {
	disk := &powerDisk{names: map[string]*node{}, settled: map[string]*node{}}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		made := &node{isDir: entry.IsDir()}
		if !made.isDir {
			if made.now, err = os.ReadFile(path); err != nil {
				return err
			}
			made.durable = slices.Clone(made.now)
		}
		disk.names[path], disk.settled[path] = made, made
		return nil
	})
	return disk, err
}

// apply applies a call. A call the kernel would refuse changes nothing.
func (d *powerDisk) apply(call disktest.Call) {
	known := d.names[call.Path]
	switch call.Kind {
	case disktest.Open:
		switch {
		case known == nil && call.Flags&unix.O_CREAT != 0 && d.parent(call.Path):
			d.name(map[string]*node{call.Path: {}})
		case known != nil && !known.isDir && call.Flags&unix.O_TRUNC != 0:
			known.change(change{at: 0})
		}
	case disktest.Write:
		if known != nil {
			if call.Offset < 0 {
				call.Offset = int64(len(known.now))
			}
			known.change(change{call.Offset, append([]byte{}, call.Data...)})
		}
	case disktest.Truncate:
		if known != nil {
			known.change(change{at: call.Size})
		}
	case disktest.Copy:
		if to := d.names[call.To]; known != nil && to != nil {
			to.change(change{0, append([]byte{}, known.now...)})
		}
	case disktest.Mkdir:
		if known == nil && d.parent(call.Path) {
			d.name(map[string]*node{call.Path: {isDir: true}})
		}
	case disktest.Remove:
		if known != nil {
			d.name(map[string]*node{call.Path: nil})
		}
	case disktest.Rename:
		if known != nil {
			d.name(map[string]*node{call.Path: nil, call.To: known})
		}
	case disktest.Link:
		if known != nil && d.names[call.To] == nil {
			d.name(map[string]*node{call.To: known})
		}
	case disktest.Sync:
		d.sync(call.Path, known)
	}
}

func (d *powerDisk) parent(path string) bool {
	parent := d.names[filepath.Dir(path)]
	return parent != nil && parent.isDir
}

func (d *powerDisk) name(entries map[string]*node) {
	step := naming{entries: entries}
	for path := range entries {
		step.dirs = append(step.dirs, filepath.Dir(path))
	}
	step.on(d.names)
	d.pending = append(d.pending, step)
}

func (s naming) on(names map[string]*node) {
	for path, node := range s.entries {
		if names[path] = node; node == nil {
			delete(names, path)
		}
	}
}

func (d *powerDisk) sync(path string, known *node) {
	if known == nil {
		return
	}
	if !known.isDir {
		known.durable, known.pending = slices.Clone(known.now), nil
		return
	}
	d.pending = slices.DeleteFunc(d.pending, func(step naming) bool {
		if !slices.Contains(step.dirs, path) {
			return false
		}
		step.on(d.settled)
		return true
	})
}

func (n *node) change(c change) {
	n.now = c.on(slices.Clone(n.now))
	n.pending = append(n.pending, c)
}

func (c change) on(content []byte) []byte {
	if c.data == nil {
		return append(content[:min(c.at, int64(len(content)))], make([]byte, max(0, c.at-int64(len(content))))...)
	}
	end := c.at + int64(len(c.data))
	if grow := end - int64(len(content)); grow > 0 {
		content = append(content, make([]byte, grow)...)
	}
	copy(content[c.at:end], c.data)
	return content
}

// after returns the content of a file after a power cut.
func (n *node) after(loss fate) []byte {
	if loss == lostNothing {
		return n.now
	}
	content := slices.Clone(n.durable)
	for i, change := range n.pending {
		switch {
		case loss == lostAll, loss == lostHalf && i > len(n.pending)/2:
			return content
		case loss == lostHalf && i == len(n.pending)/2:
			change.data = change.data[:len(change.data)/2]
		case loss == zeroed:
			change.data = bytes.Repeat([]byte{0}, len(change.data))
		}
		content = change.on(content)
	}
	return content
}

// after returns the files and directories that a power cut would leave now, by path. The
// content of a directory is nil.
func (d *powerDisk) after(names, contents fate) map[string][]byte {
	left := maps.Clone(d.settled)
	for i, step := range d.pending {
		if names == lostAll || names == lostHalf && i >= len(d.pending)/2 {
			break
		}
		step.on(left)
	}
	found := map[string][]byte{}
	for path, node := range left {
		if !reached(left, path) {
			continue
		}
		if found[path] = nil; !node.isDir {
			found[path] = append([]byte{}, node.after(contents)...)
		}
	}
	return found
}

// reached reports whether all parent directories of a path exist, up to the topmost directory of
// this disk.
func reached(names map[string]*node, path string) bool {
	top := path
	for other := range names {
		if strings.HasPrefix(path, other+"/") && len(other) < len(top) {
			top = other
		}
	}
	for dir := path; dir != top; {
		dir = filepath.Dir(dir)
		if parent := names[dir]; parent == nil || !parent.isDir {
			return false
		}
	}
	return true
}
