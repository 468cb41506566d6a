package tools

import (
	"errors"
	"strings"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/permit"
	"marvin/tools/internal/permit/command"
)

// Scope is what of a call decides whether an earlier "always" covers it.
type Scope = permit.Scope

// Grant is one thing that a person allowed for a conversation.
type Grant = permit.Grant

// Covers says whether some grants together cover a call.
func Covers(grants []Grant, scope Scope) bool { return permit.Covers(grants, scope) }

// Scope derives the scope of a permission from the call. For anything except a command, the tool's
// name is the scope.
func (c Call) Scope(env Env) Scope {
	return permit.ScopeOf(permit.Call{Tool: c.Tool.Name, Command: c.Command}, c.place(env))
}

// Always describes what that answer would cover, and whether it would run in the sandbox then, as
// unapproved calls do. An error says why the answer is not offered.
func (c Call) Always(env Env) (words string, held bool, err error) {
	var covers []string
	for _, grant := range c.Scope(env).Grants() {
		covers = append(covers, Visible(grant.String()))
	}
	words = strings.Join(covers, " and ") + " in this conversation"
	if c.Command == nil && (c.Tool.Effect != Irreversible || !c.Tool.Pool.runsPrograms()) {
		return words, false, nil
	}
	if env.Approved = false; !env.Confines() {
		return words + ", with all your rights", false, nil
	}
	if _, err := env.Sandbox.Jail(env.Root); err != nil {
		return "", false, err
	}
	return words + ", in the sandbox", true, nil
}

// NoSandbox says that an error means that no command is held here.
func NoSandbox(err error) bool {
	return errors.Is(err, jail.ErrMissing) || errors.Is(err, jail.ErrPlace)
}

// place is where the call runs: a command that names a directory does what it says there.
func (c Call) place(env Env) command.Place {
	place := command.Place{Dir: env.Dir, Home: env.Home, Temp: env.Confines(), Environ: env.Environ, Marvin: env.where().Marvin}
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
