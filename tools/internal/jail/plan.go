package jail

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/jail/internal/helper"
	"marvin/tools/internal/protected"
)

// plan is the helper's input, and the only data passed to the new process.
type plan = helper.Plan

// newJail computes the plan for a root. It reads the disk only once, so later changes by commands
// do not affect the plan.
func newJail(k *Keeper, root string) (*Jail, error) {
	j, err := bareJail(k, root)
	if err != nil {
		return nil, err
	}
	p, home := &j.plan, k.home()
	root = p.Root
	if root == home {
		p.Write = j.visible(home)
	} else {
		if info, err := os.Lstat(filepath.Join(root, ".git")); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return nil, fmt.Errorf("%w: %s/.git is a symbolic link, which a command could replace; use --sandbox off, or a .git file (git init --separate-git-dir)", ErrPlace, root)
		}
		p.Write = []string{root}
	}
	if disk.Contains("/tmp", root) {
		p.Write = append(p.Write, p.Temp)
	}
	j.grantCaches()
	if root != home {
		j.guardRepository(root)
	} else if git := filepath.Join(home, ".git"); gitwatch.IsRepository(git) { // commands can write to the submodules, but not to this repository
		j.trees = []gitwatch.Tree{{Top: home, Git: git}}
	}
	j.guardUsersIncludes()
	j.protectOwn()
	j.protectPlaces()
	return j, nil
}

// bareJail returns a jail in which commands cannot write anywhere.
func bareJail(k *Keeper, root string) (*Jail, error) {
	root, err := k.place(root)
	if err != nil {
		return nil, err
	}
	j := &Jail{keeper: k, watch: k.newWatch()}
	p := &j.plan
	p.Root, p.Temp, p.Names = root, k.temp.path, filepath.Join(k.temp.whole, namesFile)
	p.User, p.Group = os.Getuid(), os.Getgid()
	p.Offline = k.config.Mode == Strict
	return j, nil
}

// protectOwn protects Marvin's own directories below the root.
func (j *Jail) protectOwn() {
	for _, own := range j.keeper.keyDirs() {
		if root := j.plan.Root; root != j.keeper.home() && disk.Contains(own, root) && disk.Exists(own) {
			j.protect(own, "")
			j.ownInside = true
		}
	}
}

// environ returns the environment variables that the jail sets for a command. TMPDIR contains the
// path at which the command sees the private directory.
func (j *Jail) environ(lacks lack) []string {
	temp := "/tmp"
	if disk.Contains("/tmp", j.plan.Root) || lacks&noMounts != 0 {
		temp = j.plan.Temp
	}
	environ := []string{"TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp}
	if j.plan.Gate && lacks&noMounts == 0 {
		environ = append(environ, ProxyEnviron(GateAddress)...)
	}
	if j.plan.Network {
		environ = append(environ, j.keeper.direct()...)
	}
	if j.lodged {
		environ = append(environ, homeEnviron(temp)...)
	}
	for _, one := range j.ownCaches {
		environ = append(environ, one.variable+"="+filepath.Join(temp, one.instead))
	}
	return environ
}

// ProxyEnviron returns the variables that make curl, Python, Go and Node (from version 22.21 on)
// use a proxy.
func ProxyEnviron(address string) (environ []string) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		environ = append(environ, name+"=http://"+address, strings.ToLower(name)+"=http://"+address)
	}
	return append(environ, "NO_PROXY=", "no_proxy=", "NODE_USE_ENV_PROXY=1")
}

// visible returns the files and directories in the home directory, except protected ones and those
// whose names begin with a dot. Landlock grants access to whole trees, so commands get access to
// the returned paths instead of the home directory.
func (j *Jail) visible(home string) []string {
	entries, err := os.ReadDir(home)
	if err != nil {
		return nil
	}
	var paths []string
	names := j.placeValues().Names()
	for _, entry := range entries {
		path := filepath.Join(home, entry.Name())
		if strings.HasPrefix(entry.Name(), ".") || !entry.IsDir() && !entry.Type().IsRegular() {
			continue
		}
		if _, decides := names.PlaceOf(path); !decides {
			paths = append(paths, path)
		}
	}
	return paths
}

// placeValues returns the values that determine this user's protected places.
func (j *Jail) placeValues() protected.Locations {
	return protected.Locations{Home: j.keeper.home(), Environ: j.keeper.config.Environ}
}

// protectPlaces makes existing protected places read-only if a writable directory contains them. It
// also prevents commands from creating certain files and directories that programs obey: see
// [protected.Row].
func (j *Jail) protectPlaces() {
	home := j.keeper.home()
	for _, place := range j.placeValues().Places() {
		if disk.Exists(place.Path) && j.reaches(place.Path) && !disk.Contains(j.plan.Root, place.Path) {
			j.protect(place.Path, "")
		}
	}
	for _, row := range protected.Home {
		for _, path := range pathsBelow(home, row.Names) {
			made := row.Runs && (row.Write == protected.Refused && (!row.Keys || row.Made) || filepath.Base(path) == "bin")
			if home != "" && made && !disk.Exists(path) && j.reaches(path) {
				j.protect(path, "")
			}
		}
	}
}
