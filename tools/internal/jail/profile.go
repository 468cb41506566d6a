package jail

import (
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
)

// Profile is what one program may do besides what every program needs: a server of
// others' runs in the smallest that it was seen to need.
//
// A path is absolute, or begins with ~/ below the home directory, or is "." for the
// working directory, wherever that is.
type Profile struct {
	Read  []string `json:"read,omitempty"`  // trees and files, besides those of the system
	Write []string `json:"write,omitempty"` // which it reads, too
	Hosts []string `json:"hosts,omitempty"` // host:port, which it asks through Marvin's proxy
	// Network says that it speaks past that proxy: to every host, since nothing else holds it.
	Network bool `json:"network,omitempty"`
}

// Empty says that it is nothing.
func (p Profile) Empty() bool {
	return len(p.Read) == 0 && len(p.Write) == 0 && len(p.Hosts) == 0 && !p.Network
}

// With is both together.
func (p Profile) With(other Profile) Profile {
	join := func(a, b []string) []string {
		all := slices.Concat(a, b)
		slices.Sort(all)
		return slices.Compact(all)
	}
	p.Read, p.Write, p.Hosts = join(p.Read, other.Read), join(p.Write, other.Write), join(p.Hosts, other.Hosts)
	p.Network = p.Network || other.Network
	return p
}

// Without is what of it the other does not say.
func (p Profile) Without(other Profile) Profile {
	less := func(a []string, b []string) (left []string) {
		for _, one := range a {
			if !slices.Contains(b, one) {
				left = append(left, one)
			}
		}
		return left
	}
	p.Read, p.Write, p.Hosts = less(p.Read, slices.Concat(other.Read, other.Write)), less(p.Write, other.Write), less(p.Hosts, other.Hosts)
	p.Network = p.Network && !other.Network
	return p
}

// Parts are its single permissions, each a profile of its own.
func (p Profile) Parts() (parts []Profile) {
	for _, name := range p.Read {
		parts = append(parts, Profile{Read: []string{name}})
	}
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

// Named is what of it is about a path, a host (HTTPS goes without its port) or "network".
func (p Profile) Named(name string) (found Profile) {
	for _, part := range p.Parts() {
		if slices.Contains(part.Read, name) || slices.Contains(part.Write, name) || part.Network && name == "network" ||
			slices.Contains(part.Hosts, name) || slices.Contains(part.Hosts, name+":443") {
			found = found.With(part)
		}
	}
	return found
}

// String says it in words: "reads the working directory, writes nowhere, speaks to nobody".
func (p Profile) String() string {
	reads, writes, speaks := "nothing but the system's files", "nowhere", "nobody"
	if len(p.Read) > 0 {
		reads = inWords(p.Read)
	}
	if len(p.Write) > 0 {
		writes = "in " + inWords(p.Write)
	}
	switch {
	case p.Network:
		speaks = "any host, past Marvin's proxy"
	case len(p.Hosts) > 0:
		speaks = inWords(p.Hosts)
	}
	return "reads " + reads + ", writes " + writes + ", speaks to " + speaks
}

// Wish says it as what somebody wants: only what is in it.
func (p Profile) Wish() string {
	var parts []string
	if len(p.Read) > 0 {
		parts = append(parts, "read "+inWords(p.Read))
	}
	if len(p.Write) > 0 {
		parts = append(parts, "write in "+inWords(p.Write))
	}
	if len(p.Hosts) > 0 {
		parts = append(parts, "speak to "+inWords(p.Hosts))
	}
	if p.Network {
		parts = append(parts, "speak to the network past Marvin's proxy, which means to any host")
	}
	return strings.Join(parts, ", ")
}

// mostInWords is how many names a sentence has.
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

// Observed is a jail as commands have it for a program of which more is to be learned:
// what it opens and to whom it speaks is noted. It is for one start.
func (k *Keeper) Observed(root string) (*Jail, error) {
	if _, err := k.Jail(root); err != nil { // which makes what jails share
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	j, err := newJail(k, root)
	if err != nil {
		return nil, err
	}
	j.observer = &observer{seen: map[access]bool{}}
	j.plan.Observe = true
	return j, nil
}

// Held is a jail for one start of a program that does what its profile says, and for which
// what else it tries is noted. Where it may not speak past Marvin's proxy, gate is given
// the listener of that proxy, at [GateAddress] of a network that is the program's own.
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
	j.observer, p.Observe, p.Held, p.Home = &observer{seen: map[access]bool{}}, true, true, k.home()
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
	for _, tree := range slices.Clone(p.Write) {
		if tree != k.home() && (tree == p.Root || exists(filepath.Join(tree, ".git"))) {
			j.guardRepository(tree)
		}
	}
	j.protectOwn()
	j.protectPlaces()
	k.jails["held\x00"+root+fmt.Sprint(profile)] = j // what it writes to counts as what commands write to
	return j, nil
}

// place is where a path of a profile is, without symbolic links; "" if it is not there.
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

// grantable says whether a tree may be written to, if somebody wants it: neither the whole
// system nor home directory, nor what is Marvin's or a key.
func (j *Jail) grantable(path string) bool {
	if path == "" || within("/", path) || j.keeper.home() != "" && within(j.keeper.home(), path) {
		return false
	}
	return !slices.ContainsFunc(j.keeper.own(), func(own string) bool { return within(path, own) })
}
