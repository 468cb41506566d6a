package tools

import (
	"cmp"
	"strings"

	"marvin/tools/internal/hostnames"
)

// Reach says how far what a call sends gets.
type Reach uint8

// The reaches. Services are hosts that are fixed in the code, which only their makers
// read; everything else is declared by [Def.Sends].
const (
	Chosen Reach = iota // a host in the arguments: its owner reads what is sent
	Public              // other people: a topic, a playlist, an account
)

// Destination is where a call would send what, as its arguments say.
type Destination struct {
	Reach   Reach
	Name    string // the host in its one spelling, or what people call the place
	Payload string // all of the arguments that would leave, for a person to read
	Address string // of Chosen: the whole web address
	More    bool   // of Chosen: it gets more than the address
	Own     bool   // the user named it at the start, or typed it exactly
}

// scheme is the scheme of the address, ssh by default.
func (d Destination) scheme() string {
	at, _ := hostnames.ParseAddress(d.Address)
	return cmp.Or(at.Scheme, "ssh")
}

// promptNames begins what lets something go there; it is "" for a place that no prompt can
// name, because what is known of a prompt are its words.
func (d Destination) promptNames() string {
	if strings.Contains(d.Name, " ") {
		return ""
	}
	return "their prompt names " + d.Name + ", or "
}

// Nowhere is for tools whose arguments look like an address and that send nothing.
func Nowhere[In any](Env, In) []Destination { return nil }

// ToAddress is the destination of a call for a web address. An invalid one has no destination: the
// tool refuses it with a reason. An ambiguous one is an unknown destination.
func ToAddress(text string) []Destination {
	to, ok := hostnames.ParseAddress(text)
	switch {
	case ok:
		return []Destination{{Reach: Chosen, Name: to.Host, Payload: text, Address: text}}
	case strings.Contains(strings.ToLower(text), "http"):
		return ToPeople("an address with a user name, or one that cannot be read", text)
	}
	return nil
}

// ToRepository is the destination of a package or repository name: https://…,
// git+ssh://git@host/path, or user@host:path, each also after "name@". A name without a host comes
// from the registry the user configured.
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
		return ToPeople("a host that cannot be read", name)
	}
	return []Destination{{Reach: Chosen, Name: to.Host, Payload: name, Address: "https://" + host + "/" + path}}
}

// ToPeople is the destination of a call by which others see something.
func ToPeople(name, payload string) []Destination {
	return []Destination{{Reach: Public, Name: name, Payload: payload}}
}

// Origin says whose words the results of a tool hold.
type Origin uint8

// The origins. Anything but the tool's own text may try to instruct the model, or may be private:
// after it, data does not leave unasked.
const (
	DerivedOrigin Origin = iota
	ItsOwn               // Marvin's words, and what the arguments said
	Private              // files, notes, dates, the output of programs: private, and strangers may have written into them
	Strangers            // pages, posts, news, answers of services
	Messages             // mail, chats, invitations, and whatever a server of others answers: strangers wrote to the user
)

// or is the origin, derived from what else is known where none is said.
func (o Origin) or(effect Effect, pool Pool, coding bool) Origin {
	switch {
	case o != DerivedOrigin:
		return o
	case effect == Outside:
		return ItsOwn
	case pool == Net:
		return Strangers
	case effect == Irreversible && pool.runsPrograms(), effect == Reads && (coding || pool != Local):
		return Private
	}
	return ItsOwn
}
