//go:build amd64 || arm64

package disktest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Disk models a directory after a series of calls. It separates data in the kernel's memory from
// data on the disk. A file's content is on the disk after the file is synced, and a file's name
// after the directory is synced.
type Disk struct {
	names   map[string]*node // the names that processes see
	settled map[string]*node // the names on the disk
	pending []step           // changes of names that are not on the disk yet, in order
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

// step changes names. After a power cut, either all of its changes are on the disk or none.
type step struct {
	dirs    []string
	entries map[string]*node // nil takes a name away
}

// Loss is the fate of unsynced data.
type Loss int

// The losses of names and of contents: all changes, no changes, or the second half of the changes.
// Zeros is the loss that delayed allocation causes: the file has its new size, but the new bytes
// are zero.
const (
	All Loss = iota
	Nothing
	Half
	Zeros
)

// NewDisk begins with the contents of dir, all synced.
func NewDisk(dir string) (*Disk, error) {
	disk := &Disk{names: map[string]*node{}, settled: map[string]*node{}}
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

// Apply applies a call. A call the kernel would refuse changes nothing.
func (d *Disk) Apply(call Call) {
	known := d.names[call.Path]
	switch call.Kind {
	case Open:
		switch {
		case known == nil && call.Flags&unix.O_CREAT != 0 && d.parent(call.Path):
			d.name(map[string]*node{call.Path: {}})
		case known != nil && !known.isDir && call.Flags&unix.O_TRUNC != 0:
			known.change(change{at: 0})
		}
	case Write:
		if known != nil {
			if call.Offset < 0 {
				call.Offset = int64(len(known.now))
			}
			known.change(change{call.Offset, append([]byte{}, call.Data...)})
		}
	case Truncate:
		if known != nil {
			known.change(change{at: call.Size})
		}
	case Copy:
		if to := d.names[call.To]; known != nil && to != nil {
			to.change(change{0, append([]byte{}, known.now...)})
		}
	case Mkdir:
		if known == nil && d.parent(call.Path) {
			d.name(map[string]*node{call.Path: {isDir: true}})
		}
	case Remove:
		if known != nil {
			d.name(map[string]*node{call.Path: nil})
		}
	case Rename:
		if known != nil {
			d.name(map[string]*node{call.Path: nil, call.To: known})
		}
	case Link:
		if known != nil && d.names[call.To] == nil {
			d.name(map[string]*node{call.To: known})
		}
	case Sync:
		d.sync(call.Path, known)
	}
}

func (d *Disk) parent(path string) bool {
	parent := d.names[filepath.Dir(path)]
	return parent != nil && parent.isDir
}

func (d *Disk) name(entries map[string]*node) {
	step := step{entries: entries}
	for path := range entries {
		step.dirs = append(step.dirs, filepath.Dir(path))
	}
	step.on(d.names)
	d.pending = append(d.pending, step)
}

func (s step) on(names map[string]*node) {
	for path, node := range s.entries {
		if names[path] = node; node == nil {
			delete(names, path)
		}
	}
}

func (d *Disk) sync(path string, known *node) {
	if known == nil {
		return
	}
	if !known.isDir {
		known.durable, known.pending = slices.Clone(known.now), nil
		return
	}
	d.pending = slices.DeleteFunc(d.pending, func(step step) bool {
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
func (n *node) after(loss Loss) []byte {
	if loss == Nothing {
		return n.now
	}
	content := slices.Clone(n.durable)
	for i, change := range n.pending {
		switch {
		case loss == All, loss == Half && i > len(n.pending)/2:
			return content
		case loss == Half && i == len(n.pending)/2:
			change.data = change.data[:len(change.data)/2]
		case loss == Zeros:
			change.data = bytes.Repeat([]byte{0}, len(change.data))
		}
		content = change.on(content)
	}
	return content
}

// After returns the files and directories that a power cut would leave now, by path. The content of
// a directory is nil.
func (d *Disk) After(names, contents Loss) map[string][]byte {
	left := map[string]*node{}
	for path, node := range d.settled {
		left[path] = node
	}
	for i, step := range d.pending {
		if names == All || names == Half && i >= len(d.pending)/2 {
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
