package web

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// An allowed host has one spelling that all other parsers interpret alike, and a number in it is a
// public address.
func FuzzHost(f *testing.F) {
	for _, address := range []string{
		"http://example.org/", "https://EXAMPLE.org.:443/", "http://127.0.0.1/", "http://[::1]/", "http://0x7f.1/", "http://2130706433/",
		"http://user@example.org/", "http://a.com\\.b.org/", "http://a.com%00.b.org/", "http://[fe80::1%25eth0]/", "http://ｌｏｃａｌｈｏｓｔ/",
		"http://169.254.169.254/latest", "http://[::ffff:127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "file:///etc/passwd",
	} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		target, err := url.Parse(address)
		if err != nil {
			return
		}
		host, err := checkURL(target)
		if err != nil {
			return
		}
		if host != strings.ToLower(host) || strings.HasSuffix(host, ".") && host+"." != target.Hostname() && strings.TrimSuffix(strings.ToLower(target.Hostname()), ".") != host || strings.ContainsAny(host, " \t\r\n\x00\\@") {
			t.Errorf("%q names the host %q", address, host)
		}
		if checkName(host) != nil {
			return
		}
		if number, err := netip.ParseAddr(host); err == nil && (number.IsLoopback() || number.IsPrivate() || number.IsLinkLocalUnicast() || number.IsUnspecified() || number.IsMulticast()) {
			t.Errorf("%q leads to %s", address, number)
		}
		if host == "localhost" || !strings.Contains(host, ".") && !strings.Contains(host, ":") {
			t.Errorf("%q leads to this network", address)
		}
	})
}
