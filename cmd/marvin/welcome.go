package main

import (
	"cmp"
	"fmt"

	"marvin/persistence/sessions"
	"marvin/tools/git"
)

// placeOf is a directory relative to the home directory, with the branch.
func placeOf(p *parts, dir string) string {
	dir = cmp.Or(dir, p.world.Dir)
	called := fromHome(p.world, dir)
	if branch := git.Branch(dir); branch != "" {
		called += ", branch " + branch
	}
	return called
}

// farewell tells a leaving user the cost of the conversation and how to continue it.
func farewell(p *parts, kept bool) {
	if p.talked == nil || p.talked.Talk == nil || !terminal(p.world.Stdout) {
		return
	}
	back := ""
	if kept {
		back = wayBack(p)
	}
	if text := p.talked.Talk.Farewell(back); text != "" {
		fmt.Fprintln(p.world.Stderr, text)
	}
}

// wayBack is the command that continues the conversation: -c would be wrong if it belongs to
// another directory.
func wayBack(p *parts) string {
	opts := p.opts
	opts.left = left{}
	dir, err := workingDir(p.world, opts)
	id := p.talked.Talk.Session
	if err != nil || id == "" {
		return "marvin -c"
	}
	from := conversations{home: p.config.Home, world: p.world, dir: dir}
	list, _ := sessions.Of(from.home).ListOf(dir)
	if from.latest(list) == id {
		return "marvin -c"
	}
	return "marvin -r " + id
}
