package coding

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"marvin/tools/internal/box"
)

// node is a file or directory in the tree.
type node struct {
	name, path string
	isDir      bool
	remark     string // shown after the name
	children   []*node
	byName     map[string]*node
	shown      bool
}

// drawing is a directory tree that will be converted to text.
type drawing struct {
	dir         *box.Dir
	depth       int
	root        *node
	files, dirs int
	unseen      bool // a directory at the maximum depth was not read
}

func (n *node) child(name string) *node {
	if child, ok := n.byName[name]; ok {
		return child
	}
	child := &node{name: name, path: path.Join(n.path, name)}
	if n.byName == nil {
		n.byName = map[string]*node{}
	}
	n.byName[name] = child
	n.children = append(n.children, child)
	return child
}

// String draws the tree. If there are more than [treeLimit] entries, String omits the deepest
// entries first, so that a large directory does not hide its neighbors.
func (d *drawing) String() string {
	d.choose()
	var text strings.Builder
	text.WriteString(visibleName(d.root.path) + "\n")
	d.draw(&text, d.root, "")
	fmt.Fprintf(&text, "%s, %s", count(d.dirs, "directory", "directories"), count(d.files, "file", "files"))
	if d.unseen {
		fmt.Fprintf(&text, " (down to depth %d)", d.depth)
	}
	text.WriteByte('\n')
	return text.String()
}

// choose restricts the drawing to the first treeLimit entries in breadth-first order.
func (d *drawing) choose() {
	room := treeLimit
	for queue := []*node{d.root}; len(queue) > 0; queue = queue[1:] {
		children := queue[0].children
		slices.SortFunc(children, func(a, b *node) int { return strings.Compare(a.name, b.name) })
		for _, child := range children[:min(room, len(children))] {
			child.shown = true
			queue = append(queue, child)
			room--
		}
	}
}

func (d *drawing) draw(text *strings.Builder, dir *node, indent string) {
	hidden := 0
	for _, child := range dir.children {
		if !child.shown {
			hidden++
		}
	}
	for i, child := range dir.children[:len(dir.children)-hidden] { // shown entries come first
		branch, below := "├── ", "│   "
		if i == len(dir.children)-1 {
			branch, below = "└── ", "    "
		}
		text.WriteString(indent + branch + d.label(child) + "\n")
		d.draw(text, child, indent+below)
	}
	if hidden > 0 {
		fmt.Fprintf(text, "%s└── … %d more (give a path, or a smaller max_depth)\n", indent, hidden)
	}
}

// label returns an entry's name, followed by a slash for a directory or by the target for a link.
func (d *drawing) label(entry *node) string {
	label := visibleName(entry.name)
	if !entry.isDir {
		if target, err := d.dir.Readlink(entry.path); err == nil {
			return label + " -> " + visibleName(target)
		}
		if _, info, err := d.dir.Locate(entry.path); err == nil && info != nil {
			entry.isDir = info.IsDir() // a submodule, which git lists like a file
		}
	}
	if entry.isDir {
		label += "/"
	}
	return label + entry.remark
}

func count(number int, one, many string) string {
	if number == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", number, many)
}
