package jail

import (
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/tools/internal/jail/internal/disk"
)

// Profile lists the permissions of one program beyond those that every program has.
//
// A path is absolute, or begins with ~/ for the home directory, or is "." for the working
// directory.
type Profile struct {
	Read  []string `json:"read,omitempty"`  // trees and files that the program may read
	Write []string `json:"write,omitempty"` // trees and files that the program may write and read
	Hosts []string `json:"hosts,omitempty"` // "host:port" pairs that the program can contact through Marvin's proxy
	// Network lets the program connect directly to every host, without Marvin's proxy. No layer of
	// the jail restricts these connections.
	Network bool `json:"network,omitempty"`
}

// Empty reports whether the profile permits nothing.
func (p Profile) Empty() bool {
	return len(p.Read) == 0 && len(p.Write) == 0 && len(p.Hosts) == 0 && !p.Network
}

// Union returns all permissions of the two profiles.
func (p Profile) Union(other Profile) Profile {
	join := func(a, b []string) []string {
		all := slices.Concat(a, b)
		slices.Sort(all)
		return slices.Compact(all)
	}
	p.Read, p.Write, p.Hosts = join(p.Read, other.Read), join(p.Write, other.Write), join(p.Hosts, other.Hosts)
	p.Network = p.Network || other.Network
	return p
}

// Minus returns the permissions in p that the other profile lacks.
func (p Profile) Minus(other Profile) Profile {
	less := func(a []string, b []string) (left []string) {
		return lists.Filter(a, func(one string) bool { return !slices.Contains(b, one) })
	}
	p.Read, p.Write, p.Hosts = less(p.Read, slices.Concat(other.Read, other.Write)), less(p.Write, other.Write), less(p.Hosts, other.Hosts)
	p.Network = p.Network && !other.Network
	return p
}

// Parts returns one profile for each permission in p.
func (p Profile) Parts() (parts []Profile) {
	parts = lists.Map(p.Read, func(name string) Profile { return Profile{Read: []string{name}} })
	for _, name := range p.Write {
		parts = append(parts, Profile{Write: []string{name}})
	}
	for _, name := range p.Hosts {
		parts = append(parts, Profile{Hosts: []string{name}})
	}
	if p.Network {
		parts = append(parts, Profile{Network: true})
	}
	return parts
}

// Select returns the permissions in p for a path, a host or the word "network". For a host without
// a port, Select uses port 443.
func (p Profile) Select(name string) (found Profile) {
	for _, part := range p.Parts() {
		if slices.Contains(part.Read, name) || slices.Contains(part.Write, name) || part.Network && name == "network" ||
			slices.Contains(part.Hosts, name) || slices.Contains(part.Hosts, name+":443") {
			found = found.Union(part)
		}
	}
	return found
}

// String describes the profile, for example: "reads the working directory, writes nowhere".
func (p Profile) String() string {
	reads, writes, contacts := "nothing except the system's files", "nowhere", "no host"
	if len(p.Read) > 0 {
		reads = inWords(p.Read)
	}
	if len(p.Write) > 0 {
		writes = "in " + inWords(p.Write)
	}
	switch {
	case p.Network:
		contacts = "any host, without going through Marvin's proxy"
	case len(p.Hosts) > 0:
		contacts = inWords(p.Hosts)
	}
	return "reads " + reads + ", writes " + writes + ", contacts " + contacts
}

// Wish describes the permissions, for example as "read ~/data, contact example.org". Unlike
// [Profile.String], Wish does not mention forbidden actions.
func (p Profile) Wish() string {
	var parts []string
	if len(p.Read) > 0 {
		parts = append(parts, "read "+inWords(p.Read))
	}
	if len(p.Write) > 0 {
		parts = append(parts, "write in "+inWords(p.Write))
	}
	if len(p.Hosts) > 0 {
		parts = append(parts, "contact "+inWords(p.Hosts))
	}
	if p.Network {
		parts = append(parts, "contact any host, without going through Marvin's proxy")
	}
	return strings.Join(parts, ", ")
}

// mostInWords is the maximum number of names that [inWords] lists.
const mostInWords = 6

func inWords(names []string) string {
	var words []string
	for _, name := range names[:min(len(names), mostInWords)] {
		if name == "." {
			name = "the working directory"
		}
		words = append(words, strings.TrimSuffix(name, ":443"))
	}
	if more := len(names) - mostInWords; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return words[0]
}

// Observed returns an ordinary jail for a single run of a program. The jail records the files and
// hosts that the program uses.
func (k *Keeper) Observed(root string) (*Jail, error) {
	if _, err := k.Jail(root); err != nil { // Jail creates the state that all jails share
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	j, err := newJail(k, root)
	if err != nil {
		return nil, err
	}
	j.observer = &observer{seen: map[access]bool{}}
	return j, nil
}

// Held returns a jail for a single run of a program. The jail grants the permissions in the
// profile, and records attempts to exceed them. If profile.Network is false or the mode is
// [Strict], the program runs in a separate network, and can contact hosts only through Marvin's
// proxy at [GateAddress]. The callback receives the proxy's listener. Without mounts, there is no
// proxy. A program with hosts in its profile can then contact every host, except in [Strict] mode.
func (k *Keeper) Held(root string, profile Profile, gate func(net.Listener)) (*Jail, error) {
	if _, err := k.Jail(root); err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	j, err := bareJail(k, root)
	if err != nil {
		return nil, err
	}
	p := &j.plan
	j.observer, p.Held, p.Home = &observer{seen: map[access]bool{}}, true, k.home()
	p.Offline = p.Offline || !profile.Network
	if p.Offline {
		p.Gate, j.gate, j.hosts = true, gate, len(profile.Hosts) > 0
	}
	for _, name := range profile.Write {
		paths := []string{j.place(name)}
		if root := p.Root; paths[0] == root && root == k.home() {
			paths = j.visible(root)
		}
		for _, path := range paths {
			if j.grantable(path) {
				add(&p.Write, path)
			}
		}
	}
	for _, name := range profile.Read {
		if path := j.place(name); path != "" {
			add(&p.Read, path)
		}
	}
	j.lendCaches()
	for _, tree := range slices.Clone(p.Write) {
		if tree != k.home() && (tree == p.Root || disk.Exists(filepath.Join(tree, ".git"))) {
			j.guardRepository(tree)
		}
	}
	j.guardUsersIncludes()
	j.protectOwn()
	j.protectPlaces()
	// Keeper.trees returns the writable trees of all jails in k.jails.
	k.jails["held\x00"+root+fmt.Sprint(profile)] = j
	return j, nil
}

// place resolves a path from a profile. It returns "" if the path does not exist.
func (j *Jail) place(name string) string {
	path := name
	if rest, ok := strings.CutPrefix(name, "~/"); ok && j.keeper.home() != "" {
		path = filepath.Join(j.keeper.home(), rest)
	}
	if name == "." {
		path = j.plan.Root
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil || !filepath.IsAbs(resolved) {
		return ""
	}
	return resolved
}

// grantable returns true if a profile may let a program write to a path. It returns false for /,
// the home directory and its parents, and everything in a directory that holds keys or belongs to
// Marvin.
func (j *Jail) grantable(path string) bool {
	if path == "" || disk.Contains("/", path) || j.keeper.home() != "" && disk.Contains(j.keeper.home(), path) {
		return false
	}
	return !slices.ContainsFunc(j.keeper.keyDirs(), func(own string) bool { return disk.Contains(path, own) })
}
