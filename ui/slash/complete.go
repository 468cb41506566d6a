package slash

import (
	"strings"
	"unicode/utf8"
)

// Kind is a kind of completion.
type Kind string

// The kinds of completion. This package completes only commands. The calling program completes all
// other kinds.
const (
	KindCommand  Kind = "command"
	KindPath     Kind = "path"   // a path that begins with the word
	KindFile     Kind = "file"   // a file at any depth; its path contains the word's letters
	KindFolder   Kind = "folder" // a directory whose path begins with the word
	KindTool     Kind = "tool"
	KindModel    Kind = "model"
	KindProvider Kind = "provider"
	KindProfile  Kind = "profile"
	KindMode     Kind = "mode"    // an approval mode
	KindLevel    Kind = "level"   // a thinking level
	KindTheme    Kind = "theme"   // a color theme
	KindSetting  Kind = "setting" // the key of a setting
	KindSession  Kind = "session" // a stored conversation
)

// Completion is a completed text with a description.
type Completion struct {
	Item string
	Note string // description, or "" for none
}

// WithoutNotes converts strings to completions without descriptions.
func WithoutNotes(items []string) []Completion {
	list := make([]Completion, len(items))
	for i, item := range items {
		list[i].Item = item
	}
	return list
}

// Matching returns the items that begin with the word. If no item does, it returns the items that
// contain the word, followed by those that contain the word's letters in order. It ignores case and
// descriptions.
func Matching(all []Completion, word string) []Completion {
	var found [3][]Completion
	word = strings.ToLower(word)
	for _, one := range all {
		item := strings.ToLower(one.Item)
		switch {
		case strings.HasPrefix(item, word):
			found[0] = append(found[0], one)
		case strings.Contains(item, word):
			found[1] = append(found[1], one)
		case scattered(item, word):
			found[2] = append(found[2], one)
		}
	}
	if len(found[0]) > 0 {
		return found[0]
	}
	return append(found[1], found[2]...)
}

// scattered is true if the word is a subsequence of the text.
func scattered(text, word string) bool {
	for _, letter := range word {
		at := strings.IndexRune(text, letter)
		if at < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(text[at:]) // size is 1 for an invalid byte
		text = text[at+size:]
	}
	return true
}

// KindOfWord returns the kind of completion for a word, given the text in front of that word. The
// kind "" means no completion. If the word begins with "@", mark is "@", and only the rest of the
// word is completed. Otherwise mark is "". Only the first line of the input can contain a command.
func KindOfWord(before, word string, firstLine bool) (kind Kind, mark string) {
	name, _, _ := strings.Cut(strings.TrimSpace(before), " ")
	entry, known := Find(name)
	begins := firstLine && before == "" && word != ""
	switch {
	case begins && (word[0] == '/' && !strings.Contains(word[1:], "/") || word[0] == '!'):
		return KindCommand, ""
	case strings.HasPrefix(word, "@"):
		return KindPath, "@"
	case known && firstLine && kinds[entry.Verb] != "":
		return kinds[entry.Verb], ""
	case strings.ContainsAny(word, "/.~") || strings.HasPrefix(before, "!"):
		return KindPath, ""
	case begins && len(Complete(word)) > 0:
		return KindCommand, ""
	case len(word) > 1:
		return KindTool, ""
	}
	return "", ""
}

// kinds contains the kind of completion for a command's argument.
var kinds = map[Verb]Kind{
	Help: KindCommand, Export: KindPath, Directory: KindFolder, Tools: KindTool, Model: KindModel,
	Provider: KindProvider, Login: KindProvider, Profile: KindProfile, Approve: KindMode,
	Thinking: KindLevel, Themes: KindTheme, Settings: KindSetting, Resume: KindSession, Fork: KindSession,
}

// Argument returns the kind of completion for a command's first argument, given the text in front
// of that argument. The kind "" means no completion. Argument returns "" for /export, because
// /export needs the name of a new file.
func Argument(before string, firstLine bool) Kind {
	name, behind, spaced := strings.Cut(before, " ")
	entry, known := Find(name)
	if !firstLine || !known || !spaced || strings.TrimSpace(behind) != "" || entry.Verb == Export {
		return ""
	}
	return kinds[entry.Verb]
}

// Common returns the longest prefix that all completions share. There must be at least one
// completion.
func Common(all []Completion) string {
	common := all[0].Item
	for _, one := range all[1:] {
		for !strings.HasPrefix(one.Item, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.ToValidUTF8(common, "")
}
