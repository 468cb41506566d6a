package jail

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"marvin/tools/internal/envvar"
	"marvin/tools/internal/gitdir"
)

// Network handles the network connections of one command: see [Jail.WithNetwork].
type Network interface {
	// Names responds to the command's name lookups until Close is called.
	Names(net.PacketConn)
	// Connect connects Marvin to the command's target. If this succeeds, the caller must connect the
	// command to Marvin, and call carry with Marvin's end of the new connection, or with nil if there
	// is none. The error of Connect wraps a [syscall.Errno] for the command.
	Connect(to netip.AddrPort) (carry func(net.Conn), err error)
	// Publish listens at an address of this machine and forwards connections to a port of the command.
	// dial connects to the command's port. Publish fails if the address is in use.
	Publish(at netip.AddrPort, dial func() (net.Conn, error)) error
	// Refused returns the targets that were refused, without duplicates, as "host:port" or a
	// description.
	Refused() []string
	// Close is called when all processes of the command have ended, or if the command did not
	// start.
	Close()
}

// ErrHosts means that a command was not started, because this system cannot restrict the hosts that
// the command contacts.
var ErrHosts = errors.New("the sandbox on this system does not limit which hosts a command contacts")

// WithNetwork returns a copy of the jail for one command. The command runs in an isolated network
// namespace, and the given [Network] carries the connections out of this namespace. Each connect
// call waits in the kernel until Marvin has connected the command's socket to a socket that Marvin
// owns. So programs need no proxy settings.
func (j *Jail) WithNetwork(network Network) *Jail {
	through := &Jail{
		keeper: j.keeper, plan: j.plan, absent: j.absent, repository: j.repository, worktrees: j.worktrees, read: j.read,
		ownCaches: j.ownCaches, ownInside: j.ownInside, gits: j.gits, trees: j.trees, watch: j.watch, network: network,
	}
	through.plan.Network, through.plan.Offline = true, true
	return through
}

// HasNetwork reports whether the jail has a [Network]: see [Jail.WithNetwork].
func (j *Jail) HasNetwork() bool { return j != nil && j.network != nil }

// Open reports whether the jail permits connections to every host.
func (j *Jail) Open() bool { return !j.plan.Offline && j.network == nil }

// Refused returns the denied hosts that a command in this jail tried to contact.
func (j *Jail) Refused() []string {
	if j == nil || j.network == nil {
		return nil
	}
	return j.network.Refused()
}

// HoldsHosts reports whether Marvin expects to control which hosts commands can contact. The
// expectation can be wrong: the first command can fail with [ErrHosts].
func (k *Keeper) HoldsHosts() bool {
	return k.Mode() != Off && k.Mode() != Strict && available() == nil && k.lacks.Load() == 0 && !k.unheard.Load()
}

// noHosts records that this system cannot restrict hosts, and returns an error that wraps
// [ErrHosts]. But if an earlier command ran with restricted hosts, noHosts records nothing, and the
// error wraps [ErrMissing].
func (k *Keeper) noHosts(layer string, err error) error {
	if k.heard.Load() {
		return missing(layer, err)
	}
	k.unheard.Store(true)
	return errors.Join(ErrHosts, err)
}

// Remotes returns the hosts of the git remotes that are configured for a root. The remotes are read
// when the root's jail is first requested, before any command could change them.
func (k *Keeper) Remotes(root string) []string {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.remotes[root]
}

// noteRemotes reads a root's remotes once. The caller holds the lock.
func (k *Keeper) noteRemotes(root string) {
	if _, known := k.remotes[root]; known {
		return
	}
	if k.remotes == nil {
		k.remotes = map[string][]string{}
	}
	hosts := []string{}
	for _, remote := range gitdir.Remotes(root) {
		if host := hostOfRemote(remote.URL); host != "" {
			hosts = append(hosts, host)
		}
	}
	k.remotes[root] = hosts
}

// hostOfRemote returns the host in the address of a git remote: a web or ssh URL, or
// user@host:path. It returns "" for a path on this machine.
func hostOfRemote(address string) string {
	if parsed, err := url.Parse(address); err == nil && parsed.Host != "" {
		return strings.ToLower(parsed.Hostname())
	}
	before, _, remote := strings.Cut(address, ":")
	if !remote || strings.ContainsAny(before, "/\\") {
		return ""
	}
	return strings.ToLower(before[strings.LastIndexByte(before, '@')+1:])
}

// Hosts returns [Config.Hosts].
func (k *Keeper) Hosts() map[string]string {
	if k == nil {
		return nil
	}
	return k.config.Hosts
}

// direct returns an empty assignment for each proxy variable that is set, so that a command does
// not use the user's proxies. Instead, the command's [Network] uses the proxies.
func (k *Keeper) direct() (environ []string) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY"} {
		for _, one := range []string{name, strings.ToLower(name)} {
			if envvar.Lookup(k.config.Environ, one) != "" {
				environ = append(environ, one+"=")
			}
		}
	}
	return environ
}
