package webaccess

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/ui/termsafe"
	"marvin/ui/web"
)

// Terminal is the part of "marvin web" that runs on the terminal. It shows links, and lets the user
// confirm devices.
type Terminal struct {
	Out   io.Writer
	Local *web.Guard // for browsers on this machine
	// Screen is the terminal behind Out, or nil if that terminal does not support colors.
	Screen io.Writer

	mu          sync.Mutex
	outside     *web.Guard // for browsers on other machines; nil without --listen
	fingerprint string
}

// Open starts serving other machines over TLS. [Terminal.Invite] shows how to join.
func (d *Terminal) Open(ctx context.Context, server *web.Server, home *persistence.Home, listen string) error {
	address, err := address(listen)
	if err != nil {
		return err
	}
	plain, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen for other machines: %w; give --listen an address of this machine and a free port", err)
	}
	addresses, err := reachable(plain)
	if err == nil && len(addresses) == 0 {
		err = errors.New("this machine has no address that other machines can reach; connect it to a network")
	}
	if err != nil {
		return errors.Join(err, plain.Close())
	}
	certificate, err := certificate(home, addresses)
	if err != nil {
		return errors.Join(err, plain.Close())
	}
	d.fingerprint = fingerprint(certificate)
	d.outside = server.Open(web.RemoteAccess{
		Listener: tls.NewListener(plain, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"}, Time: home.Now}),
		Hosts:    hosts(addresses, plain.Addr().(*net.TCPAddr).Port), Devices: &Devices{Home: home}, Knocked: d.announce,
	})
	return nil
}

// Invite shows a link for another device.
func (d *Terminal) Invite(role messages.WindowRole) {
	link := d.outside.Link(role) + "#sha256=" + d.fingerprint
	d.say("Open this link on the other device; the link works once:\n%s\nThe browser there warns about the certificate. Its SHA-256 fingerprint must be\n%s\n", link, d.fingerprint)
	// The QR code comes last, so that it stays visible in a small terminal.
	code, err := qrText(link, d.Screen != nil)
	switch {
	case err != nil:
		d.say("There is no QR code: %v\n", err)
	case d.Screen != nil:
		_, _ = io.WriteString(d.Screen, code) // an error does no harm, because the link is already shown
	default:
		d.say("%s", code)
	}
}

func (d *Terminal) say(format string, values ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	// A user who cannot read this output cannot pair a device, so write errors do not matter.
	fmt.Fprintf(d.Out, format, values...)
}

// announce asks the user to pair or refuse a device.
func (d *Terminal) announce(device web.Device) {
	d.say("A device (%[2]s, at %[3]s) wants to use this page with the role %[1]s.\nTo pair it, type the code that it shows; to give it fewer rights, add the word \"see\" or \"answer\". To refuse, type \"no\".\n", device.Role, termsafe.Line(device.Name), termsafe.Line(device.From))
}

// Talk acts on each line that the user types, until the input ends.
func (d *Terminal) Talk(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		d.line(strings.Fields(lines.Text()))
	}
}

func (d *Terminal) line(words []string) {
	role, code := messages.RoleDrive, ""
	for _, word := range words {
		switch one := messages.WindowRole(word); {
		case one.Check() == nil:
			role = one
		case word == "no" && d.outside != nil:
			d.outside.RefuseAll()
			d.say("Refused.\n")
			return
		default:
			code = word
		}
	}
	switch {
	case code != "" && d.outside != nil:
		d.confirm(code, role, len(words) > 1)
	case code != "":
		d.say("To get a link for another browser, press Enter. If that browser should only show the conversations, type \"see\" instead; if it should also answer questions, type \"answer\".\n")
	case d.outside != nil:
		d.Invite(role)
	default:
		d.say("%s\n", d.Local.Link(role))
	}
}

func (d *Terminal) confirm(code string, role messages.WindowRole, given bool) {
	if !given {
		role = "" // the link determines the role
	}
	device, err := d.outside.Confirm(code, role)
	if err != nil {
		d.say("%v\n", err)
		return
	}
	d.say("%[2]s is paired, with the role %[1]s. To list or revoke devices, run marvin web devices.\n", device.Role, termsafe.Line(device.Name))
}

// DeviceJSON is a device in the output of "marvin web devices --output json".
type DeviceJSON struct {
	ID    string              `json:"id"`
	Name  string              `json:"name"`
	From  string              `json:"from"`
	Role  messages.WindowRole `json:"role"`
	Added time.Time           `json:"added"`
}

// DevicesJSON converts devices for JSON output. It never returns nil.
func DevicesJSON(all []Device) []DeviceJSON {
	list := make([]DeviceJSON, 0, len(all))
	for _, one := range all {
		list = append(list, DeviceJSON{one.ID, one.Name, one.From, one.Role, one.Added})
	}
	return list
}
