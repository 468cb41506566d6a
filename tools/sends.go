package tools

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/hostnames"
	"marvin/tools/internal/permit/command"
)

// commandSends returns the remote hosts and addresses to which a shell line sends data, according
// to the arguments of its programs. Each destination's Payload is the whole line.
func commandSends(line string, env Env) (list []Destination) {
	for _, sending := range command.Sends(line, command.Place{Dir: env.Dir, Home: env.Home}) {
		push := sending.Push
		if push {
			if sending = resolvePush(sending, env.Dir); sending.To == "" {
				continue // git has no such remote
			}
		}
		to, leaves := sentTo(sending)
		if !leaves {
			continue
		}
		to.Payload = line
		to.Own = to.Own || env.Known.wasTyped(sending.To) || push && env.Known.wasTyped("push")
		list = append(list, to)
	}
	return list
}

// resolvePush replaces the remote's name in sending.To with the remote's push URL. For the URL
// "git@example.com:path", sending.To becomes "git@example.com". For an unknown remote or a local
// directory, sending.To becomes "".
func resolvePush(sending command.Sending, dir string) command.Sending {
	url := gitdir.PushURL(dir, sending.To)
	sending.To, sending.Web = url, strings.Contains(url, "://")
	host, _, remote := strings.Cut(url, ":")
	switch {
	case sending.Web && strings.HasPrefix(url, "file://"), !sending.Web && (!remote || strings.Contains(host, "/")):
		sending.To = "" // the remote is a directory on this machine
	case !sending.Web:
		sending.To = host
	}
	return sending
}

// sentTo returns the destination of a command. If the destination is this machine, remote is false.
func sentTo(sending command.Sending) (to Destination, remote bool) {
	name := sending.To
	switch {
	case name == "":
		return ToPeople("a host that is known only at run time", "")[0], true
	case !sending.Web:
		_, host, login := strings.Cut(name, "@")
		if !login {
			host = name
		}
		if local(host) {
			return Destination{}, false
		}
		if spelt, ok := hostnames.OneHost(host); ok {
			return Destination{Reach: Chosen, Name: spelt, More: true}, true
		}
	default:
		if to, ok := hostnames.ParseAddress(name); ok {
			return Destination{Reach: Chosen, Name: to.Host, Address: name, More: sending.More}, !local(to.Host)
		}
		parsed, err := url.Parse(name)
		if err != nil || strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || unicode.IsControl(r) }) {
			break
		}
		// ParseAddress rejects ftp and ssh addresses, and addresses with a user name.
		if host, ok := hostnames.OneHost(parsed.Hostname()); ok {
			return Destination{Reach: Chosen, Name: host, More: true}, !local(host)
		}
	}
	return ToPeople("a host whose name cannot be determined", "")[0], true
}

// Loopback reports whether a host, with or without a port, is this machine.
func Loopback(host string) bool { return local(host) }

func local(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if at, err := netip.ParseAddrPort(host); err == nil {
		return at.Addr().IsLoopback() || at.Addr().IsUnspecified()
	}
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ip.Unmap().IsLoopback() || ip.IsUnspecified()
	}
	name, _, _ := strings.Cut(host, ":")
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || strings.HasPrefix(host, "::1:")
}
