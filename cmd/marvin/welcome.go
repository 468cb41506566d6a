package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"marvin/tools/git"
)

// place is how people call a directory: from their home on, with the branch.
func (p *parts) place(dir string) string {
	dir = cmp.Or(dir, p.world.Dir)
	called := fromHome(p.world, dir)
	if branch := git.Branch(dir); branch != "" {
		called += ", branch " + branch
	}
	return called
}

// fromHome is a directory from the person's home on.
func fromHome(world World, dir string) string {
	called := dir
	if below, err := filepath.Rel(world.Home, dir); err == nil && filepath.IsLocal(below) {
		called = strings.TrimSuffix("~/"+below, "/.")
	}
	return called
}

// farewell says what a conversation cost and how to go on with it, to a person who leaves.
func (p *parts) farewell(kept bool) {
	if p.talked == nil || p.talked.Talk == nil || !terminal(p.world.Stdout) {
		return
	}
	back := ""
	if kept {
		back = "marvin -c"
	}
	if text := p.talked.Talk.Farewell(back); text != "" {
		fmt.Fprintln(p.world.Stderr, text)
	}
}
