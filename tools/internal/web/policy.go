package web

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"unicode"

	"marvin/messages/lists"
)

// ErrRefused means that a request was not sent. Tools can contact only public web addresses.
var ErrRefused = errors.New("not allowed")

const allowHint = "; if this is your own server, list it under \"hosts:\" in ~/.config/marvin/config.yaml"

// notPublic supplements the checks of net/netip with other ranges that are not public. Most of the
// ranges are from IANA's registries of special-purpose addresses.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10",
	"168.63.129.16/32", // Azure's metadata service; other clouds use link-local, CGNAT or ULA ranges
)

// Each IPv6 address in these ranges contains an IPv4 address.
var (
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

func prefixes(texts ...string) []netip.Prefix {
	return lists.Map(texts, netip.MustParsePrefix)
}

// public returns true if an address belongs to the public internet.
func public(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	if !address.IsGlobalUnicast() || address.IsPrivate() {
		return false
	}
	for _, prefix := range notPublic {
		if prefix.Contains(address) {
			return false
		}
	}
	bytes := address.As16()
	switch {
	case nat64.Contains(address):
		return public(netip.AddrFrom4([4]byte(bytes[12:16])))
	case sixToFour.Contains(address):
		return public(netip.AddrFrom4([4]byte(bytes[2:6])))
	}
	return true
}

// refusePrivate returns an error for an address that is not public. The dialer calls it before each
// connection.
func refusePrivate(_ context.Context, network, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: the %s address %s is not an IP address with a port", ErrRefused, network, address)
	}
	if !public(target.Addr()) {
		return fmt.Errorf("%w: %s is not a public address%s", ErrRefused, target.Addr(), allowHint)
	}
	return nil
}

// checkURL refuses URLs that no tool needs but that attackers use. It returns the host name in
// lower case and without a final dot.
func checkURL(target *url.URL) (host string, err error) {
	switch {
	case target.Scheme != "http" && target.Scheme != "https":
		return "", fmt.Errorf("%w: only http and https URLs can be fetched, not %q", ErrRefused, target.Scheme)
	case target.User != nil:
		return "", fmt.Errorf("%w: the URL of %s contains a user name or password; use the URL without them", ErrRefused, target.Hostname())
	}
	host = strings.ToLower(strings.TrimSuffix(target.Hostname(), "."))
	if host == "" || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return "", fmt.Errorf("%w: the URL has no valid host", ErrRefused)
	}
	return host, nil
}

// checkName refuses local hosts, and names that are not ASCII. It is used for requests through a
// proxy, where [refusePrivate] cannot check the address.
func checkName(host string) error {
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) { // resolvers convert "ｌｏｃａｌｈｏｓｔ" to "localhost"
		return fmt.Errorf("%w: behind a proxy a host must be written in ASCII (xn--…), not %s", ErrRefused, host)
	}
	address, err := netip.ParseAddr(host)
	if err == nil && public(address) {
		return nil
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	private := err == nil ||
		last == host || // a name without a dot belongs to the local network
		last == "localhost" || last == "local" || last == "internal" || last == "lan" || last == "home" ||
		strings.HasSuffix(host, ".home.arpa") ||
		last == "" || last[0] >= '0' && last[0] <= '9' // 0x7f.1 and 127.1 are spellings of 127.0.0.1
	if private {
		return fmt.Errorf("%w: %s is not a public host%s", ErrRefused, host, allowHint)
	}
	return nil
}
