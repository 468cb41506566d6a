package session

import (
	"slices"

	"marvin/actors/internal/mail"
	"marvin/messages"
	"marvin/tools"
)

// allowed is one thing that a person allowed by always.
type allowed struct {
	tools.Grant
	host   string // to which everything may be sent; then there is no Grant
	number int
	held   bool // in the sandbox
}

// grants is what is allowed in a conversation without another question.
type grants struct {
	list     []allowed
	last     int  // number
	homeless bool // no sandbox: every command needs approval
}

func (g *grants) cover(scope tools.Scope) bool {
	var list []tools.Grant
	for _, each := range g.list {
		if each.host == "" {
			list = append(list, each.Grant)
		}
	}
	return tools.Covers(list, scope)
}

// allow keeps what an always covers.
func (g *grants) allow(question mail.AskUser, known *tools.KnownHosts) {
	if question.Host != "" {
		g.last++
		g.list = append(g.list, allowed{host: question.Host, number: g.last})
		known.Grant(question.Host)
		return
	}
	for _, grant := range question.Scope.Grants() {
		g.last++
		g.list = append(g.list, allowed{Grant: grant, number: g.last, held: question.Held})
	}
}

// revoke takes one back, and says whether there was one of that number.
func (g *grants) revoke(number int, known *tools.KnownHosts) bool {
	at := slices.IndexFunc(g.list, func(each allowed) bool { return each.number == number })
	if at < 0 {
		return false
	}
	known.Revoke(g.list[at].host)
	g.list = slices.Delete(g.list, at, at+1)
	return true
}

// forget revokes all grants and reports whether there were any. Numbers are not reused, so an old
// one means nothing.
func (g *grants) forget(known *tools.KnownHosts) bool {
	for _, each := range g.list {
		known.Revoke(each.host)
	}
	had := len(g.list) > 0
	g.list = nil
	return had
}

// withoutSandbox takes back what was allowed for commands in the sandbox, which there is not,
// and says whether that was anything.
func (g *grants) withoutSandbox() bool {
	g.homeless = true
	before := len(g.list)
	g.list = slices.DeleteFunc(g.list, func(each allowed) bool { return each.held })
	return len(g.list) < before
}

// told lists what is allowed.
func (g *grants) told() messages.Granted {
	list := []messages.Grant{}
	for _, each := range g.list {
		covers := tools.Visible(each.String())
		if each.host != "" {
			covers = "everything that is sent to " + tools.Visible(each.host)
		}
		if each.held {
			covers += ", in the sandbox"
		}
		list = append(list, messages.Grant{Number: each.number, Covers: covers})
	}
	return messages.Granted{Grants: list}
}
