package tickets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/tools"
)

func (s *Service) showTool() tools.Tool {
	return tools.New(tools.Def[idArgs]{
		Name: "ticket_show", Brings: tools.Private, Doc: "Show a ticket with its blockers, the tickets that wait for it, its children and its links.",
		Examples: []string{"show ticket {mar-3n5i|ticket_id}", "what does ticket {mar-3n5i|ticket_id} say"},
		Access:   tools.Shared,
		Run: func(_ context.Context, env tools.Env, in idArgs) (tools.Output, error) {
			return show(env, in.ID)
		},
	})
}

func show(env tools.Env, id string) (tools.Output, error) {
	dir, err := open(env, false)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	t, err := dir.find(id)
	if err != nil {
		return tools.Output{}, err
	}
	content, err := dir.read(t.file)
	if err != nil {
		return tools.Output{}, err
	}
	var blocking, children []string
	for _, other := range dir.tickets {
		if other.parent == t.id {
			children = append(children, other.id)
		}
		if slices.Contains(other.deps, t.id) && other.status != "closed" {
			blocking = append(blocking, other.id)
		}
	}
	text := strings.TrimRight(content, "\n") + "\n" +
		dir.section("Blockers", dir.unfinished(t)) + dir.section("Blocking", blocking) +
		dir.section("Children", children) + dir.section("Linked", t.links)
	return tools.Output{Text: text}, nil
}

func (s *store) section(title string, ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	text := "\n## " + title + "\n\n"
	for _, id := range ids {
		text += "- " + s.line(id) + "\n"
	}
	return text
}

func (s *store) line(id string) string {
	if t := s.byID(id); t != nil {
		return t.line()
	}
	return id + " [missing]"
}

// unfinished returns the ticket's dependencies that are not closed, including missing tickets.
func (s *store) unfinished(t ticket) []string {
	return slices.DeleteFunc(slices.Clone(t.deps), func(id string) bool {
		dep := s.byID(id)
		return dep != nil && dep.status == "closed"
	})
}

type listArgs struct {
	Status string `json:"status" doc:"Only tickets with this status; the default is all" enum:"open,in_progress,closed" default:""`
	Tag    string `json:"tags" doc:"Only tickets with this tag" default:"" alias:"tag" example:"security"`
}

func (s *Service) listTool() tools.Tool {
	return tools.New(tools.Def[listArgs]{
		Name: "ticket_list", Brings: tools.Private, Doc: "List the project's tickets, most urgent first.",
		Examples: []string{"list my tickets", "list the {open|status} tickets", "which tickets have the tag {security|tags}"},
		Access:   tools.Shared,
		Run: func(_ context.Context, env tools.Env, in listArgs) (tools.Output, error) {
			tag := strings.TrimPrefix(strings.TrimSpace(in.Tag), "#")
			return list(env, func(_ *store, t ticket) bool {
				return (in.Status == "" || t.status == in.Status) && (tag == "" || t.tagged(tag))
			})
		},
	})
}

func (t ticket) tagged(tag string) bool {
	return slices.ContainsFunc(t.tags, func(known string) bool { return strings.EqualFold(known, tag) })
}

func list(env tools.Env, match func(*store, ticket) bool) (tools.Output, error) {
	dir, err := open(env, false)
	if errors.Is(err, errNone) {
		return tools.Output{Text: "There are no tickets. Make one with create_ticket."}, nil
	}
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	found := slices.DeleteFunc(slices.Clone(dir.tickets), func(t ticket) bool { return !match(dir, t) })
	if len(found) == 0 {
		return tools.Output{Text: fmt.Sprintf("None of %d tickets matches.%s", len(dir.tickets), dir.note())}, nil
	}
	slices.SortStableFunc(found, func(a, b ticket) int { return cmp.Compare(cmp.Or(a.prio, "2"), cmp.Or(b.prio, "2")) })
	var out strings.Builder
	for _, t := range found {
		fmt.Fprintf(&out, "%-8s [%s] - %s", t.id, t.status, t.title)
		if len(t.deps) > 0 {
			fmt.Fprintf(&out, " <- [%s]", strings.Join(t.deps, ", "))
		}
		out.WriteByte('\n')
	}
	return tools.Output{Text: strings.TrimSuffix(out.String(), "\n") + dir.note()}, nil
}
