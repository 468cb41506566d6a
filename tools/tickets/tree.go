package tickets

import (
	"context"
	"slices"
	"strings"

	"marvin/tools"
)

type treeArgs struct {
	ID string `json:"ticket_id" doc:"Ticket ID, or a unique part of it; the default is all tickets" default:"" alias:"id,ticket" example:"mar-3n5i"`
}

func (s *Service) treeTool() tools.Tool {
	return tools.New(tools.Def[treeArgs]{
		Name: "ticket_dep_tree", Brings: tools.Private, Doc: "Show the dependencies between tickets as a tree.",
		Examples: []string{"show the dependency tree of my tickets", "what does ticket {mar-3n5i|ticket_id} wait for"},
		Access:   tools.Shared,
		Run: func(_ context.Context, env tools.Env, in treeArgs) (tools.Output, error) {
			return showTree(env, in.ID)
		},
	})
}

func showTree(env tools.Env, id string) (tools.Output, error) {
	dir, err := open(env, false)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	roots := dir.roots()
	if strings.TrimSpace(id) != "" {
		t, err := dir.find(id)
		if err != nil {
			return tools.Output{}, err
		}
		roots = []string{t.id}
	}
	w := tree{store: dir, printed: map[string]bool{}, above: map[string]bool{}}
	for _, root := range roots {
		w.write(root, "", "")
	}
	if strings.TrimSpace(id) == "" { // tickets that depend on each other in a cycle have no root
		for _, t := range dir.tickets {
			if !w.printed[t.id] {
				w.write(t.id, "", "")
			}
		}
	}
	if w.out.Len() == 0 {
		return tools.Output{Text: "There are no tickets. Make one with create_ticket."}, nil
	}
	return tools.Output{Text: strings.TrimSuffix(w.out.String(), "\n") + dir.note()}, nil
}

// roots returns the tickets on which no other ticket depends.
func (s *store) roots() []string {
	var roots []string
	for _, t := range s.tickets {
		if !slices.ContainsFunc(s.tickets, func(other ticket) bool { return slices.Contains(other.deps, t.id) }) {
			roots = append(roots, t.id)
		}
	}
	return roots
}

// tree is a drawing in which the dependencies of each ticket appear only once, even if several
// tickets depend on it. Otherwise, a few nested shared dependencies would fill the screen.
type tree struct {
	*store
	out            strings.Builder
	printed, above map[string]bool
}

func (w *tree) write(id, indent, branch string) {
	w.out.WriteString(indent + branch + w.line(id))
	t := w.byID(id)
	switch {
	case w.above[id]:
		w.out.WriteString(" (a cycle)\n")
		return
	case t != nil && w.printed[id] && len(t.deps) > 0:
		w.out.WriteString(" (see above)\n")
		return
	}
	w.out.WriteByte('\n')
	w.printed[id] = true
	if t == nil {
		return
	}
	switch branch {
	case "├── ":
		indent += "│   "
	case "└── ":
		indent += "    "
	}
	w.above[id] = true
	defer delete(w.above, id)
	for i, dep := range t.deps {
		next := "├── "
		if i == len(t.deps)-1 {
			next = "└── "
		}
		w.write(dep, indent, next)
	}
}
