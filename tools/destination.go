package tools

import (
	"cmp"
	"strings"

	"marvin/tools/internal/hostnames"
)

// Reach classifies the recipients of the data that a call sends.
type Reach uint8

// A request to a service with a fixed host has no Reach, because only the service's operators read
// the request.
const (
	Chosen Reach = iota // the arguments name a host, whose owner reads the data
	Public              // a topic, playlist or account that other people read
)

// Destination is a place to which a call would send data, according to its arguments.
type Destination struct {
	Reach   Reach
	Name    string // the normalized host if Reach is Chosen; otherwise a name or a description
	Payload string // the data that the call would send, as shown to the user
	Address string // the complete web address, or ""
	More    bool   // the call sends more than the address; false unless Reach is Chosen
	Own     bool   // the user chose the destination with --ntfy, in a prompt, or by typing "push"
}

// scheme returns the scheme of the address, or "ssh" if it has none.
func (d Destination) scheme() string {
	at, _ := hostnames.ParseAddress(d.Address)
	return cmp.Or(at.Scheme, "ssh")
}

// promptNames returns text such as "their prompt names example.com, or ". A name with a space is
// only a description, for which promptNames returns "".
func (d Destination) promptNames() string {
	if strings.Contains(d.Name, " ") {
		return ""
	}
	return "their prompt names " + d.Name + ", or "
}

// SendsNothing is a [Def.Sends] function that returns no destinations, even if an argument looks
// like an address.
func SendsNothing[In any](Env, In) []Destination { return nil }

// ToAddress returns the destination of a call to a web address. An invalid address that contains
// "http" has the reach [Public]. Any other invalid address has no destination, because the tool
// refuses such an address. An address with a user name is invalid.
func ToAddress(text string) []Destination {
	to, ok := hostnames.ParseAddress(text)
	switch {
	case ok:
		return []Destination{{Reach: Chosen, Name: to.Host, Payload: text, Address: text}}
	case strings.Contains(strings.ToLower(text), "http"):
		return ToPeople("an address that contains a user name or is not valid", text)
	}
	return nil
}

// ToRepository returns the destination of a call that fetches a package or repository. A name with
// a host is "https://…", "git+ssh://git@host/path" or "user@host:path", optionally after
// "package@". Without a host, there is no destination, because the package comes from the registry
// that the user configured.
func ToRepository(name string) []Destination {
	scheme, rest, whole := strings.Cut(name, "://")
	if scheme = scheme[strings.LastIndexAny(scheme, "@+:= ")+1:]; whole && scheme == "file" {
		return nil
	}
	if !whole {
		user, at, isUser := strings.Cut(name, "@")
		host, path, isPath := strings.Cut(at, ":")
		if !isUser || !isPath || user == "" || !strings.Contains(host, ".") || strings.Contains(host, "/") {
			return nil
		}
		rest = host + "/" + path
	}
	host, path, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	to, ok := hostnames.ParseAddress("https://" + host + "/" + path)
	if !ok {
		return ToPeople("a host whose name cannot be determined", name)
	}
	return []Destination{{Reach: Chosen, Name: to.Host, Payload: name, Address: "https://" + host + "/" + path}}
}

// ToPeople returns one destination with the reach [Public].
func ToPeople(name, payload string) []Destination {
	return []Destination{{Reach: Public, Name: name, Payload: payload}}
}

// Origin says who wrote the text in a tool's results.
type Origin uint8

// Text with an origin other than OwnOrigin could be private, or could try to instruct the model.
// After such text arrives, calls send data only with the user's approval.
const (
	DerivedOrigin Origin = iota
	OwnOrigin            // only text from Marvin itself and from the call's arguments
	Private              // files, notes, dates, program output; the author could be an outsider
	Strangers            // web pages, posts, news, replies from services
	Messages             // text that outsiders sent to the user, such as mail, and replies from MCP servers
)

// orDerived returns the origin that the tool declares or, if it declares none, an origin derived
// from the tool's other properties.
func (o Origin) orDerived(effect Effect, pool Pool, coding bool) Origin {
	switch {
	case o != DerivedOrigin:
		return o
	case effect == Outside:
		return OwnOrigin
	case pool == Net:
		return Strangers
	case effect == Irreversible && pool.runsPrograms(), effect == Reads && (coding || pool != Local):
		return Private
	}
	return OwnOrigin
}
