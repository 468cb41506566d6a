package session

import (
	"slices"

	"marvin/actors/internal/mail"
	"marvin/messages"
	"marvin/tools"
)

// allowed holds a permission that the user granted with the answer "always".
type allowed struct {
	tools.Grant
	host   string // the host to which all sending is permitted; "" if Grant is set
	number int
	held   bool // the permission covers only calls that run in the sandbox
}

type grants struct {
	list     []allowed
	last     int  // the number of the newest permission
	homeless bool // there is no sandbox: every command needs approval
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

// allow records the permissions that the user granted with the answer "always".
func (g *grants) allow(question mail.AskUser, known *tools.KnownHosts) {
	if question.Host != "" {
		g.last++
		g.list = append(g.list, allowed{host: question.Host, number: g.last})
		known.Grant(question.Host)
		return
	}
	for _, grant := range question.Scope.OfferedGrants() {
		g.last++
		g.list = append(g.list, allowed{Grant: grant, number: g.last, held: question.Held})
	}
}

func (g *grants) revoke(number int, known *tools.KnownHosts) bool {
	at := slices.IndexFunc(g.list, func(each allowed) bool { return each.number == number })
	if at < 0 {
		return false
	}
	known.Revoke(g.list[at].host)
	g.list = slices.Delete(g.list, at, at+1)
	return true
}

// forget revokes all permissions and reports whether there were any. Later permissions get new
// numbers.
func (g *grants) forget(known *tools.KnownHosts) bool {
	for _, each := range g.list {
		known.Revoke(each.host)
	}
	had := len(g.list) > 0
	g.list = nil
	return had
}

// withdrawSandboxed records that there is no sandbox, and withdraws the permissions for sandboxed
// commands. It reports whether it withdrew any permissions.
func (g *grants) withdrawSandboxed() bool {
	g.homeless = true
	before := len(g.list)
	g.list = slices.DeleteFunc(g.list, func(each allowed) bool { return each.held })
	return len(g.list) < before
}

func (g *grants) event() messages.Granted {
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
