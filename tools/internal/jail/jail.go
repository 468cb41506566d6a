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

	"marvin/messages/lists"
	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail/copies"
	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/jail/internal/placeholder"
	"marvin/tools/internal/jail/internal/sockets"
	"marvin/tools/internal/protected"
)

// Mode says how strictly commands are confined.
type Mode string

// Auto confines only the commands that the user did not approve. Workspace and Strict confine all
// commands.
const (
	Auto      Mode = ""
	Off       Mode = "off"
	Workspace Mode = "workspace" // commands can write in the working directory and in caches, and use the network
	Strict    Mode = "strict"    // like Workspace, but commands get no shared caches and no network, and cannot send signals to outside processes
)

// ErrMissing means that the system lacks a layer of the jail. The wrapping error names the layer.
var ErrMissing = errors.New("the sandbox is not complete on this system")

// ErrPlace means that a jail cannot protect the working directory.
var ErrPlace = errors.New("the sandbox cannot protect this working directory")

// Config configures jails. A model cannot influence the configuration.
type Config struct {
	Mode    Mode
	Home    string   // the user's home directory, or "" if unset
	State   string   // Marvin's own directory
	Data    string   // the directory for conversations
	Environ []string // the user's environment, used to find caches and settings
	Temp    string   // the parent of the private directory; "" means the system's temporary directory
	// Readable lists paths that stay visible. A path can begin with "~/". The entry "$NAME" means
	// the value of the variable NAME.
	Readable []string
	// Private is the list of directories that jails hide, even if a directory is renamed within its
	// parent. A directory that contains the jail's root stays visible.
	Private []string
	// Hosts maps each replaced host to the base URL that Marvin contacts instead.
	Hosts map[string]string
	// Opened lists the real paths of the user's additional directories. A command in one of these
	// directories is confined to that directory instead of the root. No listed directory contains the
	// root or another listed directory. Otherwise, a command could replace the inner directory with a
	// link.
	Opened []string
}

// Keeper makes jails, one for each root, and owns their common state. It is safe for concurrent
// use. The zero value confines no command.
type Keeper struct {
	config Config
	// private contains the file info of each directory in config.Private, as read by NewKeeper. An
	// element is nil if its directory was missing.
	private []fs.FileInfo

	mu    sync.Mutex
	jails map[string]*Jail
	temp  *tempDir
	lacks atomic.Uint32 // a [lack]

	proven atomic.Bool // a command has run with all available layers
	// heard is true after a command has run with restricted hosts. unheard is true if this system
	// cannot restrict hosts.
	heard, unheard atomic.Bool
	holds          placeholder.Table
	pins           gitdir.Pins

	once, onceNamed sync.Once
	caches          []cache
	namedSockets    []string
	finder          *sockets.Finder
	remotes         map[string][]string          // hosts of the remotes, by root
	told            map[string][sha256.Size]byte // hashes of reported rebase lists: see [Jail.Report]

	befores map[string]*copies.Before // by root
	kept    retained

	links struct { // hard links to hidden files
		sync.Mutex
		byRoot map[string][]string
	}

	righted struct { // see [Keeper.PutRight]
		sync.Mutex
		all []string
	}
	records *gitwatch.Records // may be nil
}

// NewKeeper returns a keeper for the given settings. NewKeeper changes nothing on the disk.
func NewKeeper(config Config) *Keeper {
	k := &Keeper{config: config, finder: &sockets.Finder{}}
	for _, dir := range config.Private {
		info, _ := os.Stat(dir)
		k.private = append(k.private, info)
	}
	return k
}

// Mode returns the mode of all jails of this keeper.
func (k *Keeper) Mode() Mode {
	if k == nil {
		return Off
	}
	return k.config.Mode
}

// Opened returns the user's additional directories.
func (k *Keeper) Opened() []string {
	if k == nil {
		return nil
	}
	return k.config.Opened
}

// Jail is the confinement plan for commands in one directory, its root. [Keeper.Jail] replaces
// outdated plans.
type Jail struct {
	keeper *Keeper
	plan   plan
	absent []placeholder.Absence // the placeholders that exist while a command runs

	repository bool   // the root was in a repository when the plan was made
	worktrees  string // the worktrees directory of the repository if the root is a linked worktree, otherwise ""
	read       []stamp
	ownCaches  []cache         // caches in the private directory
	ownInside  bool            // one of Marvin's own directories is below the root
	watch      *gitwatch.Watch // undoes changes that commands made to repositories
	gits       []string        // the git directories that commands can write to
	trees      []gitwatch.Tree // working trees to search for submodules

	observer *observer          // the observer of the program's actions; nil for commands
	gate     func(net.Listener) // receives the proxy's listener if hosts are restricted
	hosts    bool               // the program's profile contains hosts
	lodged   bool               // the program has a home directory in its /tmp: see [Lodging]
	network  Network            // the Network that connects commands to permitted hosts, or nil
}

// stamp is the state that a git configuration file had when the plan was made.
type stamp struct {
	path string
	info os.FileInfo // nil for a missing file
}

func stampOf(path string) stamp {
	info, _ := os.Stat(path) // if this fails, git cannot read the file either
	return stamp{path, info}
}

func (s stamp) changed() bool {
	now := stampOf(s.path).info
	if s.info == nil || now == nil {
		return s.info != now
	}
	return !os.SameFile(s.info, now) || !s.info.ModTime().Equal(now.ModTime()) || s.info.Size() != now.Size()
}

// outdated returns true if a repository was created or git's configuration was changed after the
// plan was made. Commands in a jail cannot change the configuration.
func (j *Jail) outdated() bool {
	return !j.repository && hasRepository(j.plan.Root) || slices.ContainsFunc(j.read, stamp.changed)
}

// Jail returns the jail for a root, which is the working directory at the beginning of the
// conversation. The error wraps [ErrPlace] if no jail is possible for the root, for example because
// the root is missing or contains the home directory. On a system without jails, the error wraps
// [ErrMissing].
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
	if k.jails[root] == nil { // record the existing rebase lists, so that only later changes cause warnings
		made.eachTodo(func(string, []string, bool) {})
	}
	k.jails[root] = made
	return made, nil
}

// WithoutNetwork returns a copy of the jail for programs that must not use the network.
func (j *Jail) WithoutNetwork() *Jail {
	offline := *j
	offline.plan.Offline, offline.plan.Network, offline.network = true, false, nil
	return &offline
}

// makeTemp makes the private temporary directory if k.temp is nil. The caller holds k.mu.
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

// Close removes the placeholders and the private temporary directory. Before that, it saves the
// files that [Keeper.TakeKept] lists afterwards. If a running job needs the directory, Close leaves
// the removal to a later Marvin process.
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

// place resolves symbolic links in the path of a root. If the root cannot have a jail, the error
// wraps [ErrPlace].
func (k *Keeper) place(root string) (string, error) {
	if !filepath.IsAbs(root) {
		return "", fmt.Errorf("%w: no working directory was set when the conversation began; start Marvin with --working-dir, or with --sandbox off", ErrPlace)
	}
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPlace, err)
	}
	if home := k.home(); home != "" && home != resolved && disk.Contains(home, resolved) {
		return "", fmt.Errorf("%w: %s contains the home directory; start Marvin in a project, or with --sandbox off", ErrPlace, resolved)
	}
	if resolved == "/" {
		return "", fmt.Errorf("%w: it is the whole system; start Marvin in a project, or with --sandbox off", ErrPlace)
	}
	for _, own := range k.keyDirs() {
		if disk.Contains(resolved, own) {
			return "", fmt.Errorf("%w: the sandbox protects %s; start Marvin in a project, or with --sandbox off", ErrPlace, resolved)
		}
	}
	return resolved, nil
}

// home resolves the symbolic links in k.config.Home. It returns "" if the path is empty or does not
// exist.
func (k *Keeper) home() string {
	resolved, err := filepath.EvalSymlinks(k.config.Home)
	if err != nil || k.config.Home == "" {
		return ""
	}
	return resolved
}

// keyDirs returns the paths of Marvin's files and of the user's keys.
func (k *Keeper) keyDirs() []string {
	list := lists.Filter([]string{k.config.State, k.config.Data}, func(own string) bool { return own != "" })
	if home := k.home(); home != "" {
		for _, row := range protected.Home {
			if row.Own {
				list = append(list, pathsBelow(home, row.Names)...)
			}
		}
	}
	return list
}

// Repositories returns the repositories that git found in the roots.
func (k *Keeper) Repositories() *gitdir.Pins { return &k.pins }

// Trees returns all trees to which sandboxed commands can write: the writable paths of the jails,
// the shared caches, and the private temporary directory.
func (k *Keeper) Trees() []string {
	if k.Mode() == Off {
		return nil
	}
	return k.trees()
}
