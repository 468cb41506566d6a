package tools

import (
	"errors"
	"strings"

	"marvin/messages/lists"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/permit"
	"marvin/tools/internal/permit/command"
)

// Scope is the part of a call that decides whether the user's earlier answer "always" covers the
// call.
type Scope = permit.Scope

// Grant is a permission that the user gave for a conversation.
type Grant = permit.Grant

// Covers reports whether the grants together allow a call.
func Covers(grants []Grant, scope Scope) bool { return permit.Covers(grants, scope) }

// Scope returns the scope of the call. If the call runs no command, the scope contains only the
// tool's name.
func (c Call) Scope(env Env) Scope {
	return permit.ScopeOf(permit.Call{Tool: c.Tool.Name, Command: c.Command}, c.place(env))
}

// DescribeAlways describes the calls that the answer "always" would allow. held is true if the
// sandbox would confine these calls. If DescribeAlways returns an error, Marvin does not offer
// "always".
func (c Call) DescribeAlways(env Env) (words string, held bool, err error) {
	covers := lists.Map(c.Scope(env).OfferedGrants(), func(grant permit.Grant) string { return Visible(grant.String()) })
	words = strings.Join(covers, " and ") + " in this conversation"
	if c.Command == nil && (c.Tool.Effect != Irreversible || !c.Tool.Pool.runsPrograms()) {
		return words, false, nil
	}
	if env.Approved = false; !env.Confines() {
		return words + ", with all your permissions", false, nil
	}
	if _, err := env.Sandbox.Jail(env.Root); err != nil {
		return "", false, err
	}
	return words + ", in the sandbox", true, nil
}

// NoSandbox reports whether an error means that no sandbox is possible on this system or in this
// working directory.
func NoSandbox(err error) bool {
	return errors.Is(err, jail.ErrMissing) || errors.Is(err, jail.ErrPlace)
}

// place describes where the call runs: in the directory that its arguments name, or else in the
// working directory.
func (c Call) place(env Env) command.Place {
	place := command.Place{Dir: env.Dir, Home: env.Home, Temp: env.Confines(), Environ: env.Environ, Marvin: env.placeValues().Marvin}
	if c.Command == nil || c.Dirs == nil {
		return place
	}
	for _, named := range c.Dirs() {
		if dir, err := env.Directory(named); err == nil && strings.TrimSpace(named) != "" {
			place.Dir = dir
		}
	}
	return place
}
