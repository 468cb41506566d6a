package tickets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/tools"
)

type idArgs struct {
	ID string `json:"ticket_id" doc:"Ticket ID, or a unique part of it" alias:"id,ticket" example:"mar-3n5i"`
}

func (s *Service) startTool() tools.Tool {
	return s.statusTool("in_progress", "ticket_start", "Mark a ticket as in progress.",
		"start ticket {mar-3n5i|ticket_id}", "begin work on the ticket {mar-3n5i|ticket_id}")
}

func (s *Service) closeTool() tools.Tool {
	return s.statusTool("closed", "ticket_close", "Mark a ticket as done.",
		"close ticket {mar-3n5i|ticket_id}", "the ticket {mar-3n5i|ticket_id} is done")
}

func (s *Service) statusTool(status, name, doc string, examples ...string) tools.Tool {
	return tools.New(tools.Def[idArgs]{
		Name: name, Doc: doc,
		Effect:   tools.Writes,
		Examples: examples,
		Access:   tools.Exclusive,
		Run: func(ctx context.Context, env tools.Env, in idArgs) (tools.Output, error) {
			return s.setStatus(ctx, env, in.ID, status)
		},
	})
}

func (s *Service) setStatus(ctx context.Context, env tools.Env, id, status string) (tools.Output, error) {
	t, err := s.change(ctx, env, id, func(_ *store, _ ticket, content string) (string, error) {
		return set(content, "status", status), nil
	})
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: "Updated " + t.id + " -> " + status}, nil
}

type noteArgs struct {
	ID   string `json:"ticket_id" doc:"Ticket ID, or a unique part of it" alias:"id,ticket" example:"mar-3n5i"`
	Note string `json:"note" doc:"Text of the note, in Markdown" alias:"text,content" example:"Waiting for review"`
}

func (s *Service) noteTool() tools.Tool {
	return tools.New(tools.Def[noteArgs]{
		Name: "ticket_add_note", Doc: "Add a note with a timestamp to a ticket.",
		Effect:   tools.Writes,
		Examples: []string{"add the note {Waiting for review|note} to ticket {mar-3n5i|ticket_id}", "note on ticket {mar-3n5i|ticket_id}: {Waiting for review|note}"},
		Access:   tools.Exclusive,
		Run:      s.addNote,
	})
}

func (s *Service) addNote(ctx context.Context, env tools.Env, in noteArgs) (tools.Output, error) {
	note := guard(in.Note)
	if note == "" {
		return tools.Output{}, errors.New("the note is empty")
	}
	t, err := s.change(ctx, env, in.ID, func(_ *store, _ ticket, content string) (string, error) {
		if !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
		if !strings.Contains(content, "\n## Notes") {
			content += "\n## Notes\n"
		}
		return content + "\n**" + stamp(env.Now()) + "**\n\n" + note + "\n", nil
	})
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: "Note added to " + t.id}, nil
}

type dependArgs struct {
	ID  string `json:"ticket_id" doc:"The ticket that must wait" alias:"id,ticket" example:"mar-3n5i"`
	For string `json:"depends_on" doc:"The ticket that must be done first" alias:"dep_id,dependency,blocked_by" example:"mar-0ben"`
}

func (s *Service) dependTool() tools.Tool {
	return tools.New(tools.Def[dependArgs]{
		Name: "ticket_add_dep", Doc: "Make a ticket wait for another one.",
		Effect:   tools.Writes,
		Examples: []string{"ticket {mar-3n5i|ticket_id} depends on {mar-0ben|depends_on}", "make ticket {mar-3n5i|ticket_id} wait for {mar-0ben|depends_on}"},
		Access:   tools.Exclusive,
		Run:      s.depend,
	})
}

func (s *Service) depend(ctx context.Context, env tools.Env, in dependArgs) (tools.Output, error) {
	text := ""
	_, err := s.change(ctx, env, in.ID, func(dir *store, t ticket, content string) (string, error) {
		first, err := dir.find(in.For)
		if err != nil {
			return "", err
		}
		if slices.Contains(t.deps, first.id) {
			text = fmt.Sprintf("%s depends on %s already", t.id, first.id)
			return content, nil
		}
		if way := dir.way(first.id, t.id, nil); way != nil {
			return "", tools.Advise(fmt.Errorf("%s cannot wait for %s, because it would then wait for itself (%s)", t.id, first.id, strings.Join(append([]string{t.id}, way...), " -> ")),
				"See ticket_dep_tree.")
		}
		text = fmt.Sprintf("Added dependency: %s -> %s", t.id, first.id)
		return set(content, "deps", "["+strings.Join(append(t.deps, first.id), ", ")+"]"), nil
	})
	return tools.Output{Text: text}, err
}

// way returns a chain of dependencies from one ticket to another, or nil if there is no chain.
func (s *store) way(from, to string, seen map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	t := s.byID(from)
	if t == nil || seen[from] {
		return nil
	}
	if seen == nil {
		seen = map[string]bool{}
	}
	seen[from] = true
	for _, dep := range t.deps {
		if rest := s.way(dep, to, seen); rest != nil {
			return append([]string{from}, rest...)
		}
	}
	return nil
}
