package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/persistence/memory"
	"marvin/tools"
)

// Editor lists and changes the stored facts.
type Editor struct {
	Store *memory.Store
	Where memory.Location // the profile and the directory
	// Source describes the origin of new facts, such as "typed in a shell".
	Source string
	// Secret describes the user's key that text contains. It returns "" if text contains no key.
	// Secret can be nil. [memory.Store.Check] rejects other secrets.
	Secret func(text string) string
}

// check returns an error if text contains one of the user's own keys.
func (d Editor) check(text string) error {
	if d.Secret != nil {
		if why := d.Secret(text); why != "" {
			return &memory.SecretError{Why: why}
		}
	}
	return nil
}

const most = 200 // maximum number of facts in a search result

// Scope parses the name of a scope. An empty name selects the user scope in the default profile,
// and the profile scope in any other profile, because several people can share a machine.
func Scope(name, profile string) (memory.Scope, error) {
	switch scope := memory.Scope(strings.ToLower(name)); {
	case scope == "" && profile != "" && profile != "default":
		return memory.Profile, nil
	case scope == "":
		return memory.User, nil
	case slices.Contains([]memory.Scope{memory.User, memory.Profile, memory.Repository}, scope):
		return scope, nil
	}
	return "", fmt.Errorf("there is no scope %q; choose user, profile or repository", name)
}

// List returns the facts that match the given words, or all facts if there are no words.
func (d Editor) List(words string) ([]memory.Fact, error) {
	facts, err := d.Store.All()
	if strings.TrimSpace(words) != "" {
		facts = memory.Search(facts, words, most)
	}
	return d.Store.SetIDs(facts), err
}

// Text formats the given facts, and appends all proposals that await an answer.
func (d Editor) Text(facts []memory.Fact, command string) string {
	var text strings.Builder
	for _, fact := range facts {
		papers := strings.Join(slices.DeleteFunc([]string{fact.ScopeName(), fact.Date, fact.Source}, func(part string) bool { return part == "" }), ", ")
		fmt.Fprintf(&text, "%s  %s  (%s)\n", fact.ID, tools.Visible(fact.Text), tools.Visible(papers))
	}
	if len(facts) == 0 {
		text.WriteString("Nothing is remembered. Say \"remember that …\", or type " + command + " add TEXT.\n")
	}
	waiting, err := d.Store.Proposals().List()
	if err != nil {
		text.WriteString(err.Error() + "\n")
	}
	if len(waiting) > 0 {
		fmt.Fprintf(&text, "\n%s an answer: to keep a fact, type %s accept ID; to drop it, type %s refuse ID.\n", map[bool]string{true: "This waits for", false: "These wait for"}[len(waiting) == 1], command, command)
	}
	for _, one := range waiting {
		fmt.Fprintf(&text, "%s  %s  (%s)\n", one.ID, tools.Visible(one.Text), tools.Visible(strings.TrimPrefix(one.Why+", "+string(one.Scope), ", ")))
	}
	return text.String()
}

// Add stores a fact that the user typed.
func (d Editor) Add(text, scope string) (said string, added memory.AddResult, err error) {
	of, err := Scope(scope, d.Where.Profile)
	if err != nil {
		return "", added, err
	}
	if err = d.check(text); err == nil {
		added, err = d.Store.Add(memory.Fact{Text: text, Scope: of, Source: d.Source}, d.Where)
	}
	if err != nil {
		return "", added, err
	}
	return AddedText(added), added, nil
}

// AddedText describes the result of adding a fact.
func AddedText(added memory.AddResult) string {
	said := "Remembered"
	if added.Known {
		said = "Already remembered"
	}
	said += fmt.Sprintf(" (%s): %s", added.Fact.ScopeName(), tools.Visible(added.Fact.Text))
	for _, old := range added.Replaced {
		said += "\nIt replaces: " + tools.Visible(old.Text)
	}
	return said
}

// Edit changes the text of a fact.
func (d Editor) Edit(id, text string) (said string, added memory.AddResult, err error) {
	if err = d.check(text); err == nil {
		added, err = d.Store.Edit(id, text)
	}
	if err != nil {
		return "", added, err
	}
	return AddedText(added), added, nil
}

// Answer accepts or refuses a proposed fact.
func (d Editor) Answer(id string, yes bool) (string, error) {
	if !yes {
		return "Dropped.", d.Store.Proposals().Refuse(id)
	}
	added, err := d.Store.Proposals().Accept(id)
	if err != nil {
		return "", err
	}
	return AddedText(added), nil
}

// Find returns the facts that match a query.
func (d Editor) Find(query string) ([]memory.Fact, error) {
	facts, err := d.Store.All()
	found := memory.FindFacts(d.Store.SetIDs(facts), query)
	if len(found) == 0 {
		return nil, errors.Join(fmt.Errorf("no fact has this id or all of these words: %q; to list the facts and their ids, run marvin memory list", query), err)
	}
	return found, err
}

// Forgotten is the result of forgetting facts.
type Forgotten struct {
	Facts    []memory.Fact `json:"facts"`
	Replaced int           `json:"replaced"`  // number of facts removed from the history
	Files    []string      `json:"files"`     // the changed files: conversations, logs and artifacts
	Places   int           `json:"places"`    // number of overwritten passages
	OwnFiles []string      `json:"own_files"` // the user's own files that contain a forgotten fact
	Left     []string      `json:"left"`      // memory files that contain a forgotten fact, or are unreadable
	Others   []memory.Fact `json:"others"`    // stored facts that resemble a forgotten fact
	Erasing  memory.Eraser `json:"-"`
}

// Forget removes facts from memory. If everywhere is true, it also erases the facts from stored
// conversations, logs and artifacts.
func (d Editor) Forget(facts []memory.Fact, everywhere bool) (Forgotten, error) {
	gone, err := d.Store.Forget(facts)
	done := Forgotten{Facts: gone.Facts, Replaced: len(gone.Old), Others: d.Store.SetIDs(gone.Others), Left: gone.Left, Erasing: gone.Erasing}
	if everywhere {
		swept, problem := d.Store.Sweep(gone.Erasing, false)
		done.Files, done.Places, done.OwnFiles, err = swept.Files, swept.Places, swept.Left, errors.Join(err, problem)
	}
	return done, err
}

// Text describes the result for the user.
func (f Forgotten) Text(everywhere bool) string {
	said := "Forgotten: " + messages.Counted(len(f.Facts), "fact")
	if f.Replaced > 0 {
		said += fmt.Sprintf(", and %d earlier versions", f.Replaced)
	}
	if len(f.Left) == 0 {
		said += ". No memory file contains the words anymore."
	} else {
		said += ". These files still contain the words: " + strings.Join(f.Left, ", ")
	}
	if everywhere {
		said += fmt.Sprintf("\nRemoved from stored conversations, logs and artifacts: %s in %s.", messages.Counted(f.Places, "place"), messages.Counted(len(f.Files), "file"))
	} else {
		said += "\nStored conversations may still contain the words; --everywhere removes them there too."
	}
	if len(f.OwnFiles) > 0 {
		said += "\nYour own files contain the words and stay unchanged: " + strings.Join(f.OwnFiles, ", ")
	}
	for _, other := range f.Others {
		said += fmt.Sprintf("\nStill remembered, because it shares only a name with a removed fact: %s  %s", other.ID, tools.Visible(other.Text))
	}
	return said
}

// Export returns all facts as Markdown or JSON.
func (d Editor) Export(asJSON bool) ([]byte, error) {
	facts, err := d.List("")
	if err != nil {
		return nil, err
	}
	if asJSON {
		text, err := json.MarshalIndent(facts, "", "  ")
		return append(text, '\n'), err
	}
	var text strings.Builder
	about := ""
	for _, fact := range facts {
		if fact.ScopeName() != about {
			about = fact.ScopeName()
			fmt.Fprintf(&text, "%s# Facts about the %s\n\n", map[bool]string{true: "\n", false: ""}[text.Len() > 0], about)
		}
		text.WriteString(fact.Line())
	}
	return []byte(text.String()), nil
}

// Imported is the result of an import.
type Imported struct {
	Added   []memory.AddResult
	Refused []string // the facts that were refused, each with the reason
}

// Import stores facts from another assistant's file.
func (d Editor) Import(texts []string, from, scope string) (done Imported, err error) {
	of, err := Scope(scope, d.Where.Profile)
	if err != nil {
		return done, err
	}
	for _, text := range texts {
		err := d.check(text)
		var added memory.AddResult
		if err == nil {
			added, err = d.Store.Add(memory.Fact{Text: text, Scope: of, Source: "imported from " + from}, d.Where)
		}
		if err != nil {
			shown := text
			if errors.As(err, new(*memory.SecretError)) {
				shown = "a line"
			}
			done.Refused = append(done.Refused, tools.Visible(shown)+": "+err.Error())
			continue
		}
		done.Added = append(done.Added, added)
	}
	return done, nil
}
