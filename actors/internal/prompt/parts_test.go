package prompt_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/actors/internal/prompt"
	"marvin/persistence/goldentest"
)

func TestPromptSections(t *testing.T) {
	lat, lng := 48.5, -2.25
	doc := func(path, text string) prompt.Document { return prompt.Document{Path: path, Text: text} }
	rows := []struct {
		name  string
		parts prompt.Parts
	}{
		{"an agent", prompt.Parts{Agent: true}},
		{"a system", prompt.Parts{Date: "2026-11-26", System: "Linux"}},
		{"blank preferences", prompt.Parts{Preferences: " \n"}},
		{"preferences", prompt.Parts{Preferences: " likes: tea\n"}},
		{"preferences at their limit", prompt.Parts{Window: 100, Preferences: strings.Repeat("x", 24)}},
		{"preferences beyond it", prompt.Parts{Window: 100, Preferences: strings.Repeat("x", 22) + "äb"}},
		{"long preferences", prompt.Parts{Preferences: strings.Repeat("x", 8<<10) + "yz"}},
		{"tools of others", prompt.Parts{Sources: []string{"a", "b"}}},
		{"a profile", prompt.Parts{Profile: "alex"}},
		{"places", prompt.Parts{Places: []prompt.Place{{Label: "home", Name: "Flat", Address: "Street 1", Lat: &lat, Lng: &lng}, {Label: "work", Lat: &lat}, {Label: "gym", Lng: &lng, Address: "Road"}}}},
		{"coding", prompt.Parts{Coding: true, Dir: "/d"}},
		{"coding nowhere", prompt.Parts{Coding: true}},
		{"a directory without coding", prompt.Parts{Dir: "/d"}},
		{"coding with rules of their own", prompt.Parts{Coding: true, Base: doc("base.md", " Be short. ")}},
		{"a plan with nobody there", prompt.Parts{Planning: true}},
		{"a plan of a person", prompt.Parts{Planning: true, Person: true}},
		{"a plan of a sub-agent", prompt.Parts{Planning: true, Person: true, Agent: true}},
		{"jobs", prompt.Parts{Jobs: []string{"one", "two"}}},
		{"words of the project", prompt.Parts{Words: []prompt.Document{doc("AGENTS.md", "Use =========\xff make. ")}}},
		{"words of two", prompt.Parts{Words: []prompt.Document{{Path: "~/AGENTS.md", Text: " Mine.", Own: true}, doc("AGENTS.md", "Theirs.")}}},
		{"lists", prompt.Parts{Rules: []string{"r1", "r2"}, Skills: []string{"s1", "s2"}, Kinds: []string{"k1", "k2"}}},
		{"short rules", prompt.Parts{Sticky: " Never push. \n"}},
		{"instructions", prompt.Parts{Instructions: doc(".marvin-instructions", " Be brief. ")}},
		{"instructions without words", prompt.Parts{Instructions: doc(".marvin-instructions", "")}},
		{"documents", prompt.Parts{Documents: []prompt.Document{doc("spec.md", "Spec"), doc("ux.md", "UX")}, MaxDocument: 3}},
		{"a long document", prompt.Parts{Documents: []prompt.Document{doc("spec.md", strings.Repeat("x", prompt.DocumentBytes+1))}}},
		{"additions", prompt.Parts{Additions: []prompt.Document{doc("more.md", " More.\xff ")}}},
		{"hidden tools", prompt.Parts{Hidden: 7}},
	}
	base := prompt.Sections(prompt.Parts{})
	has := map[prompt.Section]bool{}
	for _, section := range base {
		has[section] = true
	}
	var all strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&all, "\n# %s\n", row.name)
		for _, section := range prompt.Sections(row.parts) {
			if !has[section] {
				fmt.Fprintf(&all, "%s: %s\n", section.Name, short(section.Text))
			}
		}
		frame := prompt.Begin(row.parts)
		if frame.System != prompt.Build(row.parts) || !frame.Began() || !frame.Same(frame) || frame.Same(prompt.Frame{}) {
			t.Errorf("%s: its frame is another one", row.name)
		}
		fmt.Fprintf(&all, "told paths %q, profile %q, window %d, rules %q\n", frame.KnownInstructions(), frame.Profile, frame.Window, frame.Rules().Path)
		_, came := prompt.Begin(prompt.Parts{}).Change(row.parts)
		later, went := frame.Change(prompt.Parts{})
		_, again := later.Change(prompt.Parts{})
		fmt.Fprintf(&all, "where it comes: %q\nwhere it goes: %q %v, and then %q\n", short(came), short(went), later.Same(frame), again)
		encoded, err := json.Marshal(frame)
		var read prompt.Frame
		if err != nil || json.Unmarshal(encoded, &read) != nil || !read.Same(frame) || read.Rules() != frame.Rules() || read.Profile != frame.Profile || read.Window != frame.Window {
			t.Errorf("%s: it is kept as %s, %v", row.name, encoded, err)
		}
	}
	var damaged prompt.Frame
	if err := json.Unmarshal([]byte(`{"system":1}`), &damaged); err == nil || damaged.Began() {
		t.Errorf("a damaged frame is %v, %v", damaged, err)
	}
	goldentest.Assert(t, "parts.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// short leaves out the middle of a text.
func short(text string) string {
	const most = 600
	if text = strings.ReplaceAll(text, "\n", `\n`); len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s … %d bytes … %s", text[:40], len(text), text[len(text)-200:])
}
