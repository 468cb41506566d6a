package coding

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
)

// treeLimit is the maximum number of entries in a tree.
const treeLimit = 500

type treeArgs struct {
	Path             string `json:"path" doc:"Directory, relative to the working directory" sent:"" default:"." alias:"dir,directory"`
	MaxDepth         int    `json:"max_depth" doc:"Directory levels to show" sent:"" default:"3" min:"1" max:"10" alias:"depth"`
	RespectGitignore bool   `json:"respect_gitignore" doc:"Leave out files that git ignores" sent:"-" default:"true"`
}

func treeTool() tools.Tool {
	return tools.WithOutline("Show the project as a tree.", tools.New(tools.Def[treeArgs]{
		Name:     "tree",
		Doc:      "Show the project's directories and files as a tree, and count them.",
		Examples: []string{"show the tree of this project", "tree of {cmd|path} {2|max_depth} levels deep", "show the directory tree of {cmd|path}", "what is in this project"},
		Core:     true, Needs: tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc,
		Run: tree,
	}))
}

func tree(ctx context.Context, env tools.Env, in treeArgs) (tools.Output, error) {
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	if _, err := dir.List(in.Path); err != nil {
		return tools.Output{}, err // the error explains why the path is not a directory
	}
	start, _, err := dir.Locate(in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	drawing := &drawing{dir: dir, depth: in.MaxDepth, root: &node{name: start, path: start, isDir: true}}
	note := ""
	if in.RespectGitignore {
		if note, err = drawing.fromGit(ctx, env, start); err != nil {
			return tools.Output{}, err
		}
	}
	if len(drawing.root.children) == 0 {
		if err := drawing.fromDisk(ctx, start); err != nil {
			return tools.Output{}, err
		}
	}
	return tools.Output{Text: drawing.String() + note}, nil
}

// fromGit adds the files that git tracks or would track. It counts the files below the maximum
// depth, and notes their number beside the directory at that depth. It adds nothing if git cannot
// list the files or lists none. The note describes files that git ignores.
func (d *drawing) fromGit(ctx context.Context, env tools.Env, start string) (note string, err error) {
	list := listing{env: env, dir: d.dir}
	var files []string
	known, err := list.fromGit(ctx, list.repository(start), start, func(name []byte) error {
		files = append(files, string(name))
		return nil
	})
	switch {
	case err != nil:
		return "", err
	case list.hidden:
		return "(git ignores all of this, or does not track it)\n", nil
	case !known:
		return "", nil
	}
	slices.Sort(files)
	files = slices.Compact(files)
	seen := map[string]bool{}
	below := map[*node]int{}
	for _, name := range files {
		relative := strings.TrimPrefix(name, start+"/")
		isDir := strings.HasSuffix(relative, "/") // a nested repository
		parts := strings.Split(strings.TrimSuffix(relative, "/"), "/")
		d.files++
		at := d.root
		for i, part := range parts {
			last := i == len(parts)-1
			if !last {
				if dir := strings.Join(parts[:i+1], "/"); !seen[dir] {
					seen[dir] = true
					d.dirs++
				}
			}
			if i == d.depth {
				below[at]++
			}
			if i < d.depth {
				at = at.child(part)
				at.isDir = at.isDir || !last || isDir
			}
		}
	}
	for at, files := range below {
		at.remark = "  (" + count(files, "file", "files") + ")"
	}
	return list.describeLeftOut(), nil
}

// fromDisk walks the directory tree, and adds its entries down to the maximum depth.
func (d *drawing) fromDisk(ctx context.Context, start string) error {
	nodes := map[string]*node{start: d.root}
	return walk(ctx, d.dir, start, func(name string, entry fs.DirEntry) error {
		at := nodes[path.Dir(name)].child(path.Base(name))
		if !entry.IsDir() {
			d.files++
			return nil
		}
		d.dirs++
		at.isDir = true
		nodes[name] = at
		switch {
		case box.Skip(entry.Name()):
			at.remark = "  (not listed)"
			return fs.SkipDir
		case strings.Count(strings.TrimPrefix(name, start+"/"), "/")+1 >= d.depth:
			d.unseen = true
			return fs.SkipDir
		}
		return nil
	})
}
