package tools

import (
	"fmt"
	"path/filepath"
	"slices"

	"marvin/tools/internal/box"
	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/permit"
	"marvin/tools/internal/protected"
)

// The code below checks a call against the table in tools/internal/protected. For each protected
// file, the table says whether file tools refuse to write it or first ask the user.

// placeValues returns the locations from which the protected places are derived, but leaves the Git
// field empty.
func (e Env) placeValues() protected.Locations {
	where := protected.Locations{Home: e.Home, Environ: e.Environ}
	if e.State != "" {
		where.Marvin = []string{e.State}
	}
	return where
}

// protected adds the Git field to the result of e.placeValues.
func (e Env) protected() protected.Locations {
	where := e.placeValues()
	if e.Dir != "" {
		where.Git = jail.Included(gitdir.Discover(e.Dir).Common, e.Home)
	}
	return where
}

func (e Env) guard() box.Guard { return box.Guard{Data: e.protected, Allowed: e.Writes} }

// judgeWrites records in verdict.Writes the real path of each protected file that the call writes.
// If no rule allows a write, the user must approve the call. Files that are never writable are
// skipped, because the call itself reports them.
func judgeWrites(rules *permit.Rules, call Call, env Env, verdict Verdict) Verdict {
	if call.Command != nil || !call.Tool.Writes || call.Tool.Access != Exclusive {
		return verdict
	}
	var disk *protected.Disk
	for _, place := range call.Places(env) {
		if !place.Write || place.Path == "" || place.Path == env.Dir || slices.Contains(verdict.Writes, place.Path) {
			continue
		}
		if disk == nil {
			disk = env.protected().Look()
		}
		found, ok := disk.PlaceOf(place.Path)
		if !ok || found.Row.Write != protected.Asked {
			continue
		}
		verdict.Writes = append(verdict.Writes, place.Path)
		name := env.nameOf(place.Path, found)
		named := func(pattern string) bool { return env.matchesFile(pattern, place.Path, false) }
		if rules.AllowsWriting(call.Tool.Name, filepath.Base(found.Path), named) {
			continue
		}
		verdict = verdict.Combine(Verdict{
			Decision: Ask, Firm: true, Strict: !found.Anywhere,
			Reasons: []string{fmt.Sprintf("%s is protected (%s): %s", Visible(name), found.Row.What, found.Row.Why)},
			Advice:  fmt.Sprintf("Do without it, and do not write that file in another way. Tell the user: to allow it, add this rule to \"allow:\" under \"permissions:\" in config.yaml: %s(%s)", call.Tool.Name, Visible(name)),
		})
	}
	return verdict
}

// nameOf returns the name that the user's rules use for a protected file. The name is relative to
// the working directory if the file is protected in every directory, and otherwise relative to the
// home directory.
func (e Env) nameOf(path string, found protected.Place) string {
	dir, prefix := ResolveLinks(e.Dir), ""
	if !found.Anywhere {
		dir, prefix = e.Home, "~/"
	}
	if rest, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rest) {
		return prefix + filepath.ToSlash(rest)
	}
	return path
}
