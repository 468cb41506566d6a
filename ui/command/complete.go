package command

import "strings"

// Kind is what can be completed.
type Kind string

// The kinds. Commands are known here, the others to the program.
const (
	KindCommand  Kind = "command"
	KindPath     Kind = "path" // that begins so
	KindFile     Kind = "file" // anywhere below the directory, with these letters
	KindTool     Kind = "tool"
	KindModel    Kind = "model"
	KindProvider Kind = "provider"
	KindProfile  Kind = "profile"
)

// Completes says what kind of thing a word is the beginning of, "" for none, and what
// stays in front of it, such as @. Before is the line up to the word; first says whether
// it is the first line, where commands stand.
func Completes(before, word string, first bool) (kind Kind, mark string) {
	name, _, _ := strings.Cut(strings.TrimSpace(before), " ")
	entry, known := Find(name)
	begins := first && before == "" && word != ""
	switch {
	case begins && (word[0] == '/' && !strings.Contains(word[1:], "/") || word[0] == '!'):
		return KindCommand, ""
	case strings.HasPrefix(word, "@"):
		return KindPath, "@"
	case known && first && kindOf(entry.Verb) != "":
		return kindOf(entry.Verb), ""
	case strings.ContainsAny(word, "/.~") || strings.HasPrefix(before, "!"):
		return KindPath, ""
	case begins && len(Complete(word)) > 0:
		return KindCommand, ""
	case len(word) > 1:
		return KindTool, ""
	}
	return "", ""
}

// kindOf is what stands behind a command.
func kindOf(verb Verb) Kind {
	switch verb {
	case Help:
		return KindCommand
	case Export, Directory:
		return KindPath
	case Tools:
		return KindTool
	case Model:
		return KindModel
	case Provider:
		return KindProvider
	case Profile:
		return KindProfile
	}
	return ""
}

// Common is what all of some texts begin with.
func Common(texts []string) string {
	common := texts[0]
	for _, text := range texts[1:] {
		for !strings.HasPrefix(text, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.ToValidUTF8(common, "")
}
