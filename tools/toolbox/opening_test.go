package toolbox_test

import (
	"slices"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

// parted returns a shelf with several lazy sources, and records which of them are loaded.
func parted(t *testing.T, sources ...toolbox.Source) (s *toolbox.Shelf, read *[]string) {
	t.Helper()
	var short []toolbox.Summary
	other := shelf(named("own_tool"))
	for _, source := range sources {
		other.Add(source)
		short = append(short, other.Summary(source))
	}
	s, read = shelf(named("own_tool"), named("read_file")), new([]string)
	open := func(name string) {
		*read = append(*read, name)
		for _, source := range sources {
			if source.Name == name {
				s.AddKnown(source)
			}
		}
	}
	s.Fill(toolbox.Stock{
		Open:  open,
		Known: func() ([]toolbox.Summary, bool) { return short, true },
		Fill: func() {
			for _, source := range sources {
				open(source.Name)
			}
		},
	})
	return s, read
}

func TestOnlyTheSourceIsReadWhoseToolIsNamed(t *testing.T) {
	t.Parallel()
	mode := tools.Mode{Coding: true, Person: true}
	has := func(name string) func(*toolbox.Registry) bool {
		return func(r *toolbox.Registry) bool { _, there := toolbox.TryFind(r, name, mode); return there }
	}
	search := func(request, want string) func(*toolbox.Registry) bool {
		return func(r *toolbox.Registry) bool {
			return slices.ContainsFunc(toolbox.SearchNamed(r, request, mode, 12), func(hit toolbox.Hit) bool { return hit.Tool.Name == want })
		}
	}
	for what, try := range map[string]struct {
		ask  func(*toolbox.Registry) bool
		read string
		no   bool // the tool is not found
	}{
		"a tool of its own":   {ask: has("own_tool")},
		"found":               {ask: func(r *toolbox.Registry) bool { _, err := r.Find("mcp_post_send_parcel", mode); return err == nil }, read: "post"},
		"looked up":           {ask: func(r *toolbox.Registry) bool { _, there := r.Lookup("mcp_zoo_feed_lion"); return there }, read: "zoo"},
		"there":               {ask: has("mcp_post_send_parcel"), read: "post"},
		"other spelling":      {ask: has("mcp__post__send-parcel"), read: "post"},
		"a word":              {ask: has("what"), no: true},
		"none of theirs":      {ask: has("mcp_post_buy_stamps"), no: true},
		"a request":           {ask: search("send a parcel to Anna", "mcp_post_send_parcel"), read: "post"},
		"with its source":     {ask: search("in the zoo feed all lions", "mcp_zoo_feed_lion"), read: "zoo"},
		"another request":     {ask: search("read the file a.txt", "read_file")},
		"a word of the name":  {ask: search("send me a postcard", "mcp_post_send_parcel"), no: true},
		"no tool is searched": {ask: search("mcp", "mcp_zoo_feed_lion"), no: true},
	} {
		s, read := parted(t, source(t, "post", "mcp_post_send_parcel", "mcp_post_track_parcel"), source(t, "zoo", "mcp_zoo_feed_lion"), toolbox.Source{Name: "bare"})
		if got := try.ask(s.Snapshot()); got == try.no || strings.Join(*read, " ") != try.read {
			t.Errorf("%s: %v, read %q", what, got, *read)
		}
		// The remaining sources are loaded when all tools are requested. No tool is missing or
		// listed twice.
		all := names(s.Snapshot())
		slices.Sort(all)
		if want := "find_tools mcp_post_send_parcel mcp_post_track_parcel mcp_zoo_feed_lion own_tool read_file"; strings.Join(all, " ") != want {
			t.Errorf("%s: then there are %s", what, all)
		}
	}
}

func TestSourcesWithTheSameNamesAreReadTogether(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{"mcp_a_x", "mcp_a_x_2"} {
		s, read := parted(t, source(t, "a", "mcp_a_x"), source(t, "b", "mcp_a_x"))
		tool, there := toolbox.TryFind(s.Snapshot(), asked, tools.Mode{})
		if want := map[string]string{"mcp_a_x": "a", "mcp_a_x_2": "b"}[asked]; !there || tool.Service != want {
			t.Errorf("%s is of %q, read %v", asked, tool.Service, *read)
		}
	}
}

func TestUnreadableSourceIsReadOnce(t *testing.T) {
	t.Parallel()
	s, read := shelf(named("own_tool")), 0
	s.Fill(toolbox.Stock{
		Open: func(string) { read++ },
		Known: func() ([]toolbox.Summary, bool) {
			return []toolbox.Summary{{Name: "a", Tools: 1, Names: "mcp_a_x"}}, true
		},
		Fill: func() {},
	})
	for range 3 {
		if _, there := toolbox.TryFind(s.Snapshot(), "mcp_a_x", tools.Mode{}); there || read != 1 {
			t.Fatalf("there %v, read %d times", there, read)
		}
	}
}
