package jail

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail/copies"
	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/jail/internal/placeholder"
	"marvin/tools/internal/jail/internal/sockets"
	"marvin/tools/internal/protected"
)

// Mode is how much a command is held.
type Mode string

// The modes. Auto confines unapproved commands, as Workspace does for all.
const (
	Auto      Mode = ""
	Off       Mode = "off"
	Workspace Mode = "workspace" // writes in the working directory and caches, network
	Strict    Mode = "strict"    // no shared caches, no network, no signals out
)

// ErrMissing means that the system lacks a layer of the jail; the error says which.
var ErrMissing = errors.New("the sandbox is not complete on this system")

// ErrPlace means that a jail cannot hold this working directory.
var ErrPlace = errors.New("the sandbox cannot protect this working directory")

// Config is what jails are made of. Nothing in it ever comes from a model.
type Config struct {
	Mode    Mode
	Home    string   // the user's home directory, "" if unset
	State   string   // Marvin's own directory
	Data    string   // where conversations are kept
	Environ []string // for where caches are
	Temp    string   // the directory in which to make the private one; "" means the system's
	// Readable are paths to leave visible, or $NAME for the path in a variable. A path may begin
	// with ~/.
	Readable []string
	// Private are directories that commands read only in jails that lie in them. One that is
	// renamed within its directory stays private.
	Private []string
	// Hosts are base URLs that replace hosts.
	Hosts map[string]string
	// Opened are further directories of the user, by their real paths. A command that works in one
	// is held to it instead of to the root. None of them lies in another one or has the root in it:
	// a command could replace a directory below it by a link.
	Opened []string
}

// Keeper makes jails, one for each root, and owns what they share. It is safe for
// concurrent use. The zero value holds nothing.
type Keeper struct {
	config  Config
	private []fs.FileInfo // what config.Private were at the start, nil for nothing

	mu    sync.Mutex
	jails map[string]*Jail
	temp  *tempDir
	lacks atomic.Uint32 // a [lack]

	proven atomic.Bool // a command ran with what there is
	// heard says that a command was held to hosts, unheard that none can be.
	heard, unheard atomic.Bool
	holds          placeholder.Holds
	pins           gitdir.Pins

	once, onceNamed sync.Once
	caches          []cache
	namedSockets    []string
	finder          sockets.Finder
	remotes         map[string][]string          // hosts, by the root
	told            map[string][sha256.Size]byte // of lists of a rebase: see [Jail.Report]

	befores map[string]*copies.Before // by their roots
	kept    retained

	links struct { // other names of hidden files
		sync.Mutex
		byRoot map[string][]string
	}

	righted struct { // see [Keeper.PutRight]
		sync.Mutex
		all []string
	}
	records *gitwatch.Records // nil for none
}

// NewKeeper makes a keeper. It touches nothing until the first jail is asked for.
func NewKeeper(config Config) *Keeper {
	k := &Keeper{config: config}
	for _, dir := range config.Private {
		info, _ := os.Stat(dir)
		k.private = append(k.private, info)
	}
	return k
}

// Mode is the mode of all jails of this keeper.
func (k *Keeper) Mode() Mode {
	if k == nil {
		return Off
	}
	return k.config.Mode
}

// Opened are the directories of the user beside the root.
func (k *Keeper) Opened() []string {
	if k == nil {
		return nil
	}
	return k.config.Opened
}

// Jail is a plan for commands in one root, computed once.
type Jail struct {
	keeper *Keeper
	plan   plan
	absent []placeholder.Absence // what is made while a command runs

	repository bool   // there is one, to which the plan was made
	worktrees  string // of the repository whose linked worktree the root is; "" for others
	read       []stamp
	ownCaches  []cache         // those that are in the private directory
	ownInside  bool            // Marvin's own directories are below the root
	watch      *gitwatch.Watch // what is put right after commands
	gits       []string        // the directories of git to which commands write
	trees      []gitwatch.Tree // working trees whose submodules the user's git status reads

	observer *observer          // notes what the program does; nil for commands
	gate     func(net.Listener) // takes the proxy of a program whose hosts are held
	hosts    bool               // there are such hosts
	lodged   bool               // the program has a home directory in its /tmp: see [Lodging]
	network  Network            // carries what a command says; nil where it speaks as it likes
}

// stamp is a configuration of git in the state in which it was read for the plan.
type stamp struct {
	path string
	info os.FileInfo // nil if it was not there
}

func stampOf(path string) stamp {
	info, _ := os.Stat(path) // whatever the error, git does not read it either
	return stamp{path, info}
}

func (s stamp) changed() bool {
	now := stampOf(s.path).info
	if s.info == nil || now == nil {
		return s.info != now
	}
	return !os.SameFile(s.info, now) || !s.info.ModTime().Equal(now.ModTime()) || s.info.Size() != now.Size()
}

// outdated says whether the user changed what the plan was made to. No command in a jail
// can make a repository in its root, or change what its configuration includes.
func (j *Jail) outdated() bool {
	return !j.repository && hasRepository(j.plan.Root) || slices.ContainsFunc(j.read, stamp.changed)
}

// Jail returns the jail for a root: the working directory at the beginning of the conversation. If
// the root is not a directory or is larger than a project, the error wraps [ErrPlace]; on a system
// without jails, [ErrMissing].
func (k *Keeper) Jail(root string) (*Jail, error) {
	if err := available(); err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.noteRemotes(root)
	if found := k.jails[root]; found != nil && !found.outdated() {
		return found, nil
	}
	if err := k.makeTemp(); err != nil {
		return nil, err
	}
	made, err := newJail(k, root)
	if err != nil {
		return nil, err
	}
	if k.jails == nil {
		k.jails = map[string]*Jail{}
	}
	if k.jails[root] == nil { // what waits already, no command made
		made.eachTodo(func(string, []string, bool) {})
	}
	k.jails[root] = made
	return made, nil
}

// WithoutNetwork returns the same jail for programs that must not use the network.
func (j *Jail) WithoutNetwork() *Jail {
	offline := *j
	offline.plan.Offline, offline.plan.Network, offline.network = true, false, nil
	return &offline
}

// makeTemp makes the private directory. The keeper is locked.
func (k *Keeper) makeTemp() error {
	if k.temp != nil {
		return nil
	}
	temp, err := newTempDir(k.config.Temp, k.rescue)
	if err != nil {
		return fmt.Errorf("make the private temporary directory: %w", err)
	}
	k.temp = temp
	k.keepRecords()
	k.holds.Begin(filepath.Join(temp.whole, bookName), func() bool { return othersEnded(temp.whole) })
	return nil
}

// Close removes the private temporary directory, except what [Keeper.Kept] lists, and the
// placeholders. Those of a running job stay, for a later Marvin to remove.
func (k *Keeper) Close() error {
	if k == nil {
		return nil
	}
	k.Settle()
	k.LookAgain()
	k.mu.Lock()
	defer k.mu.Unlock()
	temp := k.temp
	k.temp, k.jails = nil, nil
	if temp == nil {
		return nil
	}
	for _, one := range k.befores {
		for _, lost := range one.AtEnd() {
			if err := k.keepLost(lost); err != nil {
				k.kept.failed = err
			}
		}
	}
	k.befores = nil
	k.rescue(temp.path)
	k.holds.Abandon()
	k.records.Close()
	k.records = nil
	return temp.remove()
}

// place checks a root and resolves it.
func (k *Keeper) place(root string) (string, error) {
	if !filepath.IsAbs(root) {
		return "", fmt.Errorf("%w: no working directory was set when the conversation began; start Marvin with --working-dir, or with --sandbox off", ErrPlace)
	}
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPlace, err)
	}
	if home := k.home(); home != "" && home != resolved && disk.Within(home, resolved) {
		return "", fmt.Errorf("%w: %s contains the home directory; start Marvin in a project, or with --sandbox off", ErrPlace, resolved)
	}
	if resolved == "/" {
		return "", fmt.Errorf("%w: it is the whole system; start Marvin in a project, or with --sandbox off", ErrPlace)
	}
	for _, own := range k.own() {
		if disk.Within(resolved, own) {
			return "", fmt.Errorf("%w: the sandbox protects %s; start Marvin in a project, or with --sandbox off", ErrPlace, resolved)
		}
	}
	return resolved, nil
}

// home is the home directory without symbolic links, "" if unset.
func (k *Keeper) home() string {
	resolved, err := filepath.EvalSymlinks(k.config.Home)
	if err != nil || k.config.Home == "" {
		return ""
	}
	return resolved
}

// own are the directories that belong to the user's keys and to Marvin.
func (k *Keeper) own() []string {
	var list []string
	for _, own := range []string{k.config.State, k.config.Data} {
		if own != "" {
			list = append(list, own)
		}
	}
	if home := k.home(); home != "" {
		for _, row := range protected.Home {
			if row.Own {
				list = append(list, under(home, row.Names)...)
			}
		}
	}
	return list
}

// Repositories remember which repository git found in each root.
func (k *Keeper) Repositories() *gitdir.Pins { return &k.pins }

// Trees are what commands of this keeper can write so far: the roots of its jails, the
// caches that are shared, the private temporary directory.
func (k *Keeper) Trees() []string {
	if k.Mode() == Off {
		return nil
	}
	return k.trees()
}
