package jail

import (
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/helper"
)

// GateAddress is the address of Marvin's proxy in the network of a program that may contact only
// certain hosts.
var GateAddress = "127.0.0.1:" + strconv.Itoa(helper.GatePort)

// access is a program's attempt to use a path or to contact a host.
type access struct {
	path    string
	writes  bool
	address string // the host's address; if it is set, path is ""
}

// mostAccesses is the maximum number of accesses that are recorded for one program.
const mostAccesses = 50_000

type observer struct {
	began atomic.Bool // the kernel passes system calls to Marvin
	blind atomic.Bool // Marvin cannot read the arguments of system calls

	mu    sync.Mutex
	seen  map[access]bool
	fresh []access // not evaluated yet
	wish  []string // paths that the program tried to read without permission
	vain  []string // paths that the program tried to write without permission
	past  bool     // the program tried to bypass the proxy
}

func (o *observer) begin() {
	if o != nil {
		o.began.Store(true)
	}
}

func (o *observer) add(one access) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.seen) < mostAccesses && !o.seen[one] {
		o.seen[one] = true
		o.fresh = append(o.fresh, one)
	}
}

func (o *observer) takeNew() []access {
	o.mu.Lock()
	defer o.mu.Unlock()
	fresh := o.fresh
	o.fresh = nil
	return fresh
}

// Observes reports whether Marvin records the jailed program's actions. Some kernels and containers
// make this impossible. The result is valid once the program has started.
func (j *Jail) Observes() bool {
	return j != nil && j.observer != nil && j.observer.began.Load() && !j.observer.blind.Load()
}

// Learned returns two profiles for the program in an observed jail. The first is the smallest
// profile that covers the program's actions. The second covers the program's failed attempts to
// write. Learned ignores connections to the proxy at the given address. It must be called only
// once.
func (j *Jail) Learned(proxy string) (did, wanted Profile) {
	var reads, writes, vain []string
	hidden := j.hidden()
	for _, one := range j.observer.takeNew() {
		path, ok := j.counts(one.path, one.writes, hidden)
		switch {
		case one.address != "": // a DNS lookup alone does not set did.Network
			did.Network = did.Network || one.address != proxy && spoken(one.address) && !strings.HasSuffix(one.address, ":53")
		case !ok:
		case !one.writes:
			reads = append(reads, path)
		case inAny(j.plan.Write, path):
			writes = append(writes, path)
		default:
			vain = append(vain, path)
		}
	}
	did.Read, did.Write, wanted.Write = j.smallest(reads, false, false), j.smallest(writes, true, true), j.smallest(vain, true, true)
	did.Read = did.Minus(Profile{Write: did.Write}).Read
	return did, wanted
}

// Wanted returns the permissions that a program has tried to use so far, but that its profile
// lacks.
func (j *Jail) Wanted() (wanted Profile) {
	if !j.Observes() {
		return Profile{}
	}
	o := j.observer
	fresh := o.takeNew()
	o.mu.Lock()
	defer o.mu.Unlock()
	var hidden []string
	if len(fresh) > 0 {
		hidden = j.hidden()
	}
	for _, one := range fresh {
		path, ok := j.counts(one.path, one.writes, hidden)
		switch {
		case one.address != "":
			o.past = o.past || j.plan.Offline && one.address != GateAddress && spoken(one.address)
		case !ok:
		case one.writes && !inAny(j.plan.Write, path):
			o.vain = append(o.vain, path)
		case !one.writes && !inAny(j.plan.Write, path) && !inAny(j.plan.Read, path):
			o.wish = append(o.wish, path)
		}
	}
	return Profile{Read: j.smallest(o.wish, true, false), Write: j.smallest(o.vain, true, true), Network: o.past}
}

func inAny(trees []string, path string) bool {
	return slices.ContainsFunc(trees, func(tree string) bool { return disk.Contains(path, tree) })
}

// spoken determines whether an address is a possible destination of a connection.
func spoken(address string) bool {
	at, err := netip.ParseAddrPort(address)
	return err == nil && at.Port() != 0 && at.Addr().IsValid() && !at.Addr().IsUnspecified()
}

// counts returns the resolved path and true if the path belongs in a profile. Hidden paths never
// belong in a profile. System files belong only if the program writes them, because every program
// can read them. A missing path belongs only if the program writes it and its directory exists. For
// a root such as /tmp/a/b, files in /tmp must be inside /tmp/a, because the program sees no other
// files in /tmp.
func (j *Jail) counts(path string, writes bool, hidden []string) (string, bool) {
	if path == "" {
		return "", false
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil && writes {
		dir, failed := filepath.EvalSymlinks(filepath.Dir(path))
		resolved, err = filepath.Join(dir, filepath.Base(path)), failed
	}
	p := &j.plan
	switch {
	case err != nil, resolved == "/", resolved == j.keeper.home():
	case disk.Contains(resolved, "/proc") || disk.Contains(resolved, "/dev"), disk.Contains(resolved, p.Temp):
	case disk.Contains(resolved, "/tmp") && !disk.Contains(resolved, p.Root) && !disk.Contains(p.Root, "/tmp/"+topOf(resolved)):
	case !writes && helper.IsSystemPath(resolved, j.keeper.home()):
	case inAny(hidden, resolved):
	case above(resolved, p.Root) && !writes: // a directory above the root
	default:
		return resolved, true
	}
	return "", false
}

func above(dir, path string) bool { return dir != path && disk.Contains(path, dir) }

// few is the maximum number of files that a profile names in one directory. If a program uses more
// files in a directory, the profile names the directory.
const few = 3

// smallest determines trees and files that cover all paths, and names them as a [Profile] does. If
// folders is true, smallest replaces files by their directories, because the program will probably
// use other files there. It keeps files directly in the home directory, or in a top-level
// directory such as /etc.
func (j *Jail) smallest(paths []string, folders, writes bool) []string {
	inDir := map[string]int{}
	for _, path := range paths {
		inDir[filepath.Dir(path)]++
	}
	home := j.keeper.home()
	var trees []string
	for _, path := range paths {
		info, err := os.Stat(path)
		tree := path
		if isDir := err == nil && info.IsDir(); !isDir && (folders || inDir[filepath.Dir(path)] > few) && strings.Count(path, "/") > 2 && filepath.Dir(path) != home {
			tree = filepath.Dir(path)
		}
		tree = treeOf(tree, j.plan.Root, home, writes)
		if !slices.Contains(trees, tree) {
			trees = append(trees, tree)
		}
	}
	var names []string
	for _, tree := range trees {
		if slices.ContainsFunc(trees, func(other string) bool { return above(other, tree) }) {
			continue
		}
		switch rest, ofHome := strings.CutPrefix(tree, home+"/"); {
		case tree == j.plan.Root:
			tree = "."
		case home != "" && ofHome:
			tree = "~/" + rest
		}
		names = append(names, tree)
	}
	slices.Sort(names)
	return names
}

// treeOf returns the tree that contains path, or path itself if no tree contains it. A tree is the
// root or a program's directory, such as ~/.npm, ~/.config/x or ~/.local/share/x. If writes is
// false, a directory of packages such as node_modules is also a tree.
func treeOf(path, root, home string, writes bool) string {
	if disk.Contains(path, root) {
		return root
	}
	for _, packages := range []string{"/node_modules/", "/site-packages/"} {
		if before, _, ok := strings.Cut(path, packages); ok && !writes {
			return before + strings.TrimSuffix(packages, "/")
		}
	}
	rest, ok := strings.CutPrefix(path, home+"/")
	if home == "" || !ok || !strings.HasPrefix(rest, ".") {
		return path
	}
	parts, deep := strings.Split(rest, "/"), 1
	switch parts[0] {
	case ".config", ".cache":
		deep = 2
	case ".local":
		deep = 3
	}
	return filepath.Join(home, filepath.Join(parts[:min(deep, len(parts))]...))
}
