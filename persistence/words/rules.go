package words

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
)

// applies updates State and Why if the rule does not apply. Touched paths are relative to the root.
// If arrived is true, the conversation already contains the rule.
func (f *File) applies(touched []string, prompt string, arrived bool) {
	head := f.Head
	switch {
	case arrived, head.Always != nil && *head.Always:
	case f.From == "Copilot" && slices.ContainsFunc(head.Globs, everything):
	case len(head.Globs) > 0 && slices.ContainsFunc(touched, func(name string) bool { return f.appliesTo(name) }):
	case len(head.Words) > 0 && containsWord(prompt, head.Words):
	case len(head.Globs) > 0:
		f.State, f.Why = Waits, "until the model touches a file that matches "+strings.Join(head.Globs, ", ")
	case len(head.Words) > 0:
		f.State, f.Why = Waits, "until a prompt contains "+strings.Join(head.Words, ", ")
	case f.From == "Copilot":
		f.State, f.Why = LeftOut, "it has no \"applyTo\", so it never applies by itself"
	case f.From == "Cursor" || head.Always != nil:
		f.State, f.Why = LeftOut, "it says neither that it always applies nor which files it applies to"
		if head.Description != "" {
			f.State, f.Why = Waits, "until the model reads it; so far the model sees only its description"
		}
	}
}

func everything(glob string) bool { return glob == "*" || glob == "**" || glob == "**/*" }

// appliesTo reports whether one of the rule's globs matches the given path, which is relative to
// the root. Globs are relative to the directory of the rule. A glob that contains neither "/" nor
// "**" matches the last element of the path.
func (f *File) appliesTo(name string) bool {
	if f.Dir != "." {
		below, found := strings.CutPrefix(name, f.Dir+"/")
		if !found {
			return false
		}
		name = below
	}
	return slices.ContainsFunc(f.Head.Globs, func(glob string) bool {
		glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
		if strings.HasSuffix(glob, "/") {
			glob += "**"
		}
		of := name
		if !strings.Contains(glob, "/") && !strings.Contains(glob, "**") {
			of = path.Base(name)
		}
		matched, err := doublestar.Match(glob, of)
		return err == nil && matched
	})
}

// containsWord reports whether text contains one of the wanted words as a whole word, ignoring
// case.
func containsWord(text string, wanted []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(wanted, func(word string) bool {
		word = strings.ToLower(strings.TrimSpace(word))
		for rest, from := text, 0; word != ""; {
			at := strings.Index(rest[from:], word)
			if at < 0 {
				return false
			}
			at += from
			before, after := rest[:at], rest[at+len(word):]
			if !endsInLetter(before) && !beginsWithLetter(after) {
				return true
			}
			from = at + len(word)
		}
		return false
	})
}

func endsInLetter(text string) bool {
	runes := []rune(text[max(0, len(text)-4):])
	return len(runes) > 0 && wordly(runes[len(runes)-1])
}

func beginsWithLetter(text string) bool {
	for _, first := range text {
		return wordly(first)
	}
	return false
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
