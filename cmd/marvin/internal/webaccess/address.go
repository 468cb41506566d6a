package webaccess

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"rsc.io/qr"

	"marvin/messages/lists"
)

// address parses the value of --listen. A missing port becomes 0, so that the system chooses a free
// port.
func address(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = strings.Trim(text, "[]"), "0"
	}
	if number, err := strconv.Atoi(port); err != nil || number < 0 || number > 65535 || host == "" && err != nil {
		return "", fmt.Errorf("--listen: %q is not an address; give an address of this machine and a port, such as 192.168.1.5:7777, or :7777 for all addresses", text)
	}
	return net.JoinHostPort(host, port), nil
}

// reachable returns the addresses at which clients can reach a listener. Loopback addresses come
// last.
func reachable(listener net.Listener) ([]net.IP, error) {
	at, is := listener.Addr().(*net.TCPAddr)
	if !is {
		return nil, errors.New("the listener has no address")
	}
	if !at.IP.IsUnspecified() {
		return []net.IP{at.IP}, nil
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var outside, loopback []net.IP
	for _, one := range all {
		network, is := one.(*net.IPNet)
		switch {
		case !is || network.IP.IsLinkLocalUnicast():
		case network.IP.IsLoopback():
			loopback = append(loopback, network.IP)
		default:
			outside = append(outside, network.IP)
		}
	}
	return append(outside, loopback...), nil
}

// hosts returns the allowed Host headers. It allows only IP addresses, to prevent DNS rebinding.
func hosts(addresses []net.IP, port int) []string {
	return lists.Map(addresses, func(one net.IP) string { return net.JoinHostPort(one.String(), strconv.Itoa(port)) })
}

// qrText returns a QR code as text. Each line shows two rows of modules, with block characters for
// the light modules. For a terminal, the text also sets the colors. Without the colors, a terminal
// with a light background would show an inverted code, and many scanners cannot read such a code.
func qrText(text string, terminal bool) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	const border = 2
	begin, end := "", "\n"
	if terminal {
		begin, end = "\x1b[97;40m", "\x1b[0m\n"
	}
	var out strings.Builder
	for y := -border; y < code.Size+border; y += 2 {
		out.WriteString(begin)
		for x := -border; x < code.Size+border; x++ {
			upper, lower := !code.Black(x, y), !code.Black(x, y+1) && y+1 < code.Size+border
			out.WriteString(map[[2]bool]string{{true, true}: "█", {true, false}: "▀", {false, true}: "▄", {false, false}: " "}[[2]bool{upper, lower}])
		}
		out.WriteString(end)
	}
	return out.String(), nil
}
