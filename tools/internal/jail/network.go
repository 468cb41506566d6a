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

// Network is who carries what one command says to others: see [Jail.Through].
type Network interface {
	// Names answers a command that looks up names, until Close.
	Names(net.PacketConn)
	// Connect resolves the target of a connection. carry takes the command's end, or nil if the
	// command is gone. The error wraps a [syscall.Errno] for the command.
	Connect(to netip.AddrPort) (carry func(net.Conn), err error)
	// Publish lets this machine reach a port at which the command begins to listen. dial
	// connects to it. The error says that the port is taken.
	Publish(at netip.AddrPort, dial func() (net.Conn, error)) error
	// Refused are the hosts that the command wanted to speak to and may not, as host:port.
	Refused() []string
	// Close is called when nothing of the command is left.
	Close()
}

// ErrHosts means that this system cannot hold to whom a command speaks. The command did not
// begin.
var ErrHosts = errors.New("the sandbox of this system does not limit which hosts a command contacts")

// Through is this jail for one command whose connections all go through a network. The
// command has its own network namespace without any other host, and that holds it. Each of
// its connections waits in the kernel until Marvin has led it to a socket of Marvin's own in
// that network, so that programs need to know nothing of it.
func (j *Jail) Through(network Network) *Jail {
	through := &Jail{
		keeper: j.keeper, plan: j.plan, absent: j.absent, repository: j.repository, worktrees: j.worktrees, read: j.read,
		ownCaches: j.ownCaches, ownInside: j.ownInside, gits: j.gits, trees: j.trees, watch: j.watch, network: network,
	}
	through.plan.Network, through.plan.Offline = true, true
	return through
}

// HasNetwork says whether Marvin carries the connections of a command of this jail.
func (j *Jail) HasNetwork() bool { return j != nil && j.network != nil }

// Open says that nothing restricts the hosts that a command of this jail contacts.
func (j *Jail) Open() bool { return !j.plan.Offline && j.network == nil }

// Refused are the hosts that a command of this jail wanted to speak to and may not.
func (j *Jail) Refused() []string {
	if j == nil || j.network == nil {
		return nil
	}
	return j.network.Refused()
}

// HoldsHosts says whether commands can be held to hosts here, as far as it is known: a jail
// that cannot says [ErrHosts] when its first command is started.
func (k *Keeper) HoldsHosts() bool {
	return k.Mode() != Off && k.Mode() != Strict && available() == nil && k.lacks.Load() == 0 && !k.unheard.Load()
}

// unhold takes back that commands can be held to hosts. Once one was, a failure is no property
// of the system.
func (k *Keeper) unhold(layer string, err error) error {
	if k.heard.Load() {
		return missing(layer, err)
	}
	k.unheard.Store(true)
	return errors.Join(ErrHosts, err)
}

// Remotes are the hosts of the remotes of the repository in a root, as they were when its jail
// was first asked for: no command changed them before.
func (k *Keeper) Remotes(root string) []string {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.remotes[root]
}

// noteRemotes reads them once. The keeper is locked.
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

// hostOfRemote is the host of the address of a remote of git: of the web, of ssh, or as
// user@host:path; "" for a path of this machine.
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

// Hosts are the base URLs that replace hosts.
func (k *Keeper) Hosts() map[string]string {
	if k == nil {
		return nil
	}
	return k.config.Hosts
}

// direct takes the user's proxies out of the environment of a command that needs none: the
// network that carries it asks them.
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
