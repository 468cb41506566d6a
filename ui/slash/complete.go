package slash

import (
	"strings"
	"unicode/utf8"
)

// Kind is what can be completed.
type Kind string

// The kinds. Commands are known here, the others to the program.
const (
	KindCommand  Kind = "command"
	KindPath     Kind = "path"   // that begins so
	KindFile     Kind = "file"   // anywhere below the directory, with these letters
	KindFolder   Kind = "folder" // a directory that begins so
	KindTool     Kind = "tool"
	KindModel    Kind = "model"
	KindProvider Kind = "provider"
	KindProfile  Kind = "profile"
	KindMode     Kind = "mode"    // of approval
	KindLevel    Kind = "level"   // of thinking
	KindTheme    Kind = "theme"   // a set of colours
	KindSetting  Kind = "setting" // its key
	KindSession  Kind = "session" // a conversation that is kept
)

// Completion is what a word may become.
type Completion struct {
	Item string
	Note string // a word about it, which is shown and not typed; "" for none
}

// Unnoted are completions that say all by themselves.
func Unnoted(items []string) []Completion {
	list := make([]Completion, len(items))
	for i, item := range items {
		list[i].Item = item
	}
	return list
}

// Fitting lists what a word may become: what begins with it or, where nothing does, what
// has it inside, and then what has its letters in their order. Case does not matter; notes
// are not looked at.
func Fitting(all []Completion, word string) []Completion {
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

// scattered reports whether text contains all letters of word in order.
func scattered(text, word string) bool {
	for _, letter := range word {
		at := strings.IndexRune(text, letter)
		if at < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(text[at:]) // 1 for a byte that is no text
		text = text[at+size:]
	}
	return true
}

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

// kindOf is the kind of a command's argument.
func kindOf(verb Verb) Kind {
	switch verb {
	case Help:
		return KindCommand
	case Export:
		return KindPath
	case Directory:
		return KindFolder
	case Tools:
		return KindTool
	case Model:
		return KindModel
	case Provider, Login:
		return KindProvider
	case Profile:
		return KindProfile
	case Approve:
		return KindMode
	case Thinking:
		return KindLevel
	case Themes:
		return KindTheme
	case Settings:
		return KindSetting
	case Resume, Fork:
		return KindSession
	}
	return ""
}

// Argument is the kind of completion for a command's argument, "" for none: files that a command
// writes are not offered.
func Argument(before string, first bool) Kind {
	name, behind, spaced := strings.Cut(before, " ")
	entry, known := Find(name)
	if !first || !known || !spaced || strings.TrimSpace(behind) != "" || entry.Verb == Export {
		return ""
	}
	return kindOf(entry.Verb)
}

// Common is the common prefix of at least one completion.
func Common(all []Completion) string {
	common := all[0].Item
	for _, one := range all[1:] {
		for !strings.HasPrefix(one.Item, common) {
			common = common[:len(common)-1]
		}
	}
	return strings.ToValidUTF8(common, "")
}
