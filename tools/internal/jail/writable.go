package jail

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// Writable reports whether a command in one of the existing jails could change the file at path, or
// redirect path to another file. A relative or circular path counts as writable.
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
		return slices.ContainsFunc(trees, func(tree string) bool { return disk.Contains(name, tree) })
	})
}

// trees returns the resolved paths of the trees that commands in the existing jails can write to.
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

// mostLinks is the number of symbolic links that the kernel follows in one path.
const mostLinks = 40

// passed returns the names that a path passes through. A process that can write one of them decides
// which file is found. If the path is relative or circular, ok is false.
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
		if err != nil { // not a link
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
