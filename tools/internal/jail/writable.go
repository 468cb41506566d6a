package jail

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// Writable reports whether a jailed command of this keeper could change the file at a path: the
// path, a symbolic link on the way, or the target is in a root of a jail so far, in a shared cache,
// or in the private temporary directory. A relative or circular path counts as writable. A root
// without a jail so far is unknown here.
func (k *Keeper) Writable(path string) bool {
	if k == nil {
		return false
	}
	names, ok := passed(path)
	if !ok {
		return true
	}
	trees := k.trees()
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(trees, func(tree string) bool { return disk.Within(name, tree) })
	})
}

// trees are what all jails so far write to, without symbolic links.
func (k *Keeper) trees() []string {
	var trees []string
	for _, cache := range k.shared() {
		if cache.path != "" {
			trees = append(trees, cache.path)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.temp != nil {
		trees = append(trees, k.temp.path)
	}
	for _, made := range k.jails {
		trees = append(trees, made.plan.Write...)
	}
	return trees
}

// mostLinks is how many symbolic links the kernel follows in one path.
const mostLinks = 40

// passed returns the names looked up on the way to a path: a process that can write one of them
// decides what is found. ok is false if the path is invalid.
func passed(path string) (names []string, ok bool) {
	if !filepath.IsAbs(path) {
		return nil, false
	}
	at, rest := "/", strings.Split(path, "/")
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		name := filepath.Join(at, part)
		names = append(names, name)
		target, err := os.Readlink(name)
		if err != nil { // no link
			at = name
			continue
		}
		if links++; links > mostLinks {
			return names, false
		}
		if filepath.IsAbs(target) {
			at = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return names, true
}
