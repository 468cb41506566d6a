package toolbox_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

// stocked returns a shelf with many tools, and a lazy source of which a summary is known.
func stocked(t *testing.T, own int, known bool) (s *toolbox.Shelf, fills *int) {
	t.Helper()
	list := make([]tools.Tool, 0, own)
	for i := range own {
		list = append(list, named(fmt.Sprintf("own_%d", i)))
	}
	s, fills = shelf(list...), new(int)
	office := source(t, "office", "mcp_office_x", "mcp_office_y")
	office.Tools = append(office.Tools, stranger(t, tools.Definition{Name: "mcp_office_z", Doc: "lists parcels", Effect: tools.Reads}))
	bare := toolbox.Source{Name: "bare"}
	s.Fill(toolbox.Stock{
		Fill: func() {
			*fills++
			s.AddKnown(office)
			s.AddKnown(bare)
		},
		Known: func() ([]toolbox.Summary, bool) {
			return []toolbox.Summary{toolbox.Summarize(bare), toolbox.Summarize(office)}, known
		},
	})
	return s, fills
}

func TestLazySourceIsReadOnDemand(t *testing.T) {
	t.Parallel()
	has := func(name string) bool { return name == "find_tools" }
	type looked struct {
		Offer, Since, Behind, Sources []string
		Count                         int
	}
	look := func(registry *toolbox.Registry, mode tools.Mode) (seen looked) {
		for _, tool := range registry.Offer(mode, 0) {
			seen.Offer = append(seen.Offer, tool.Name)
		}
		for _, tool := range registry.OfferedSince(mode, 0, true, has) {
			seen.Since = append(seen.Since, tool.Name)
		}
		seen.Behind, seen.Sources, seen.Count = registry.HiddenSources(mode), registry.Sources(), registry.Count(mode)
		return seen
	}
	modes := []tools.Mode{{}, {ReadOnly: true}, {Coding: true, Person: true}, {Agent: true}}
	for _, own := range []int{toolbox.OfferLimit - 1, toolbox.OfferLimit, toolbox.OfferLimit + 1, toolbox.OfferLimit + 9} {
		late, fills := stocked(t, own, true)
		early, _ := stocked(t, own, false)
		for _, mode := range modes {
			got, want := look(late.Snapshot(), mode), look(early.Snapshot(), mode)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d of its own, %+v:\n%+v\nwant\n%+v", own, mode, got, want)
			}
		}
		if few := own <= toolbox.OfferLimit; (*fills == 0) == few {
			t.Errorf("%d of its own: read %d times", own, *fills)
		}
	}
	for what, ask := range map[string]func(*toolbox.Registry) bool{
		"find":        func(r *toolbox.Registry) bool { _, err := r.Find("mcp_office_x", tools.Mode{}); return err == nil },
		"lookup":      func(r *toolbox.Registry) bool { _, ok := r.Lookup("mcp_office_y"); return ok },
		"other names": func(r *toolbox.Registry) bool { _, ok := r.Lookup("mcp__office__y"); return ok },
		"search": func(r *toolbox.Registry) bool {
			hits := r.FindFitting("list parcels", tools.Mode{}, 5)
			return len(hits) > 0 && hits[0].Tool.Name == "mcp_office_z"
		},
		"all":      func(r *toolbox.Registry) bool { return slices.Contains(names(r), "mcp_office_z") },
		"a mode":   func(r *toolbox.Registry) bool { return len(r.ToolsFor(tools.Mode{ReadOnly: true})) == 52 },
		"undoing":  func(r *toolbox.Registry) bool { return slices.Contains(names(r.WithUndoing()), "mcp_office_z") },
		"an agent": func(r *toolbox.Registry) bool { return r.Count(tools.Mode{Only: []string{"mcp_office_z"}}) == 1 },
	} {
		s, fills := stocked(t, 50, true)
		now := s.Snapshot()
		if _, err := now.Find("own_3", tools.Mode{}); err != nil || *fills != 0 {
			t.Fatalf("one of its own: %v, read %d times", err, *fills)
		}
		if !ask(now) || !ask(s.Snapshot()) || !ask(s.Load()) || *fills != 1 {
			t.Errorf("%s: read %d times", what, *fills)
		}
	}
}

func TestAStockReplacesNothing(t *testing.T) {
	t.Parallel()
	s, fills := stocked(t, 50, true)
	s.Snapshot()
	s.Add(source(t, "office", "mcp_office_new"))
	if got := s.Snapshot().HiddenSources(tools.Mode{}); len(got) != 1 || got[0] != "office (1)" || *fills != 0 {
		t.Errorf("before it was read: %v", got)
	}
	if all := names(s.Load()); !slices.Contains(all, "mcp_office_new") || slices.Contains(all, "mcp_office_x") {
		t.Errorf("%v", all)
	}
	// The first search finds the tools of a source that was loaded before.
	s, fills = stocked(t, 50, true)
	s.Load()
	if _, ok := s.Snapshot().Lookup("mcp_office_x"); !ok || *fills != 1 {
		t.Errorf("there %v, read %d times", ok, *fills)
	}
}
