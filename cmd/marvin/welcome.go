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
	called := dir
	if below, err := filepath.Rel(p.world.Home, dir); err == nil && filepath.IsLocal(below) {
		called = strings.TrimSuffix("~/"+below, "/.")
	}
	if branch := git.Branch(dir); branch != "" {
		called += ", branch " + branch
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
