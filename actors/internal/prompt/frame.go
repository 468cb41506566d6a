package prompt

import (
	"slices"
	"strings"

	"marvin/messages/lists"
)

// Frame contains a conversation's system text and the sections that the model currently knows. It
// is immutable. The zero value means that the conversation has not begun.
type Frame struct {
	System  string
	Profile string    // the profile whose preferences the system text contains
	Window  int       // the initial Parts.Window; it also limits files that are read later
	base    Document  // the document that replaces Marvin's own rules, or the zero value
	known   []Section // the sections as last sent
}

// Begin makes the frame of a new conversation.
func Begin(p Parts) Frame {
	return Frame{System: Build(p), Profile: p.Profile, Window: p.Window, base: p.Base, known: Sections(p)}
}

// Began reports whether the conversation has a system text.
func (f Frame) Began() bool { return f.System != "" }

// Same reports whether both frames have the same system text and the same sections, in any order.
func (f Frame) Same(other Frame) bool {
	in := func(all []Section) func(Section) bool {
		return func(one Section) bool { return !slices.Contains(all, one) }
	}
	return f.System == other.System && !slices.ContainsFunc(f.known, in(other.known)) && !slices.ContainsFunc(other.known, in(f.known))
}

// Sections returns the parts of the system text as the model knows them now.
func (f Frame) Sections() []Section { return f.known }

// Rules returns the document that replaces Marvin's own rules, if there is one.
func (f Frame) Rules() Document { return f.base }

// KnownInstructions lists the paths of the instructions that the model knows.
func (f Frame) KnownInstructions() (paths []string) {
	for _, known := range f.known {
		if path, found := strings.CutPrefix(known.Name, WordsSection); found {
			paths = append(paths, path)
		}
	}
	return paths
}

// Change compares the current parts with those that the model knows. It returns the updated frame
// and the text that announces the changes, or "" if nothing changed.
func (f Frame) Change(p Parts) (changed Frame, told string) {
	p.Base = f.base
	now := Sections(p)
	var news, gone []string
	for _, section := range now {
		if !lasting(section.Name) && !slices.Contains(f.known, section) {
			news = append(news, section.Text)
		}
	}
	for _, before := range f.known {
		if !lasting(before.Name) && !slices.ContainsFunc(now, func(s Section) bool { return s.Name == before.Name }) {
			gone = append(gone, before.Name)
		}
	}
	f.known = knownNow(f.known, now)
	if len(gone) > 0 {
		news = append(news, "This no longer applies: "+strings.Join(gone, ", ")+".")
	}
	if len(news) == 0 {
		return f, ""
	}
	return f, "From here on, the following text replaces its earlier version.\n\n" + strings.Join(news, "\n\n")
}

// knownNow returns the old versions of the sections whose changes [Frame.Change] ignores, followed
// by the new versions of all other sections.
func knownNow(before, now []Section) []Section {
	known := lists.Filter(before, func(section Section) bool { return lasting(section.Name) })
	return append(known, lists.Filter(now, func(section Section) bool { return !lasting(section.Name) })...)
}

// lasting decides whether [Frame.Change] ignores changes to the named section.
func lasting(name string) bool {
	return name == rulesSection || strings.HasPrefix(name, BaseSection) || name == agentSection || name == historySection || name == jobsSection || name == FactsSection
}
