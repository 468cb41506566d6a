package slash

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Complete returns the command names that begin with the typed text. If no name does, and the typed
// text begins with a slash, Complete returns the names that contain the typed letters in order.
// Each command appears once, under its first matching name.
func Complete(typed string) []string {
	var begin, rest []string
	for _, entry := range Table {
		if entry.Verb == Run {
			continue
		}
		names := slices.Concat([]string{entry.Name}, entry.Aliases)
		if len(typed) > 3 {
			names = append(names, ForeignNames(entry)...)
		}
		whole := slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, typed) })
		begins := func(name string) bool {
			return !whole && len(name) > len(typed) && strings.EqualFold(name[:len(typed)], typed)
		}
		within := func(name string) bool {
			return len(typed) > 2 && typed[0] == '/' && name[0] == '/' && scattered(name, strings.ToLower(typed))
		}
		if at := slices.IndexFunc(names, begins); at >= 0 {
			begin = append(begin, names[at])
		} else if at := slices.IndexFunc(names, within); at >= 0 {
			rest = append(rest, names[at])
		}
	}
	if len(begin) > 0 {
		return begin
	}
	return rest
}

// maxSuggestions is the maximum number of suggestions for an unknown name.
const maxSuggestions = 3

// Suggest returns the known names that are similar to the given name, most similar first.
func Suggest(name string, known []string) []string {
	type scored struct {
		name string
		far  int
	}
	var near []scored
	wanted := strings.ToLower(name)
	for _, candidate := range known {
		lower := strings.ToLower(candidate)
		far := Slips(wanted, lower)
		if len(wanted) > 2 && strings.HasPrefix(lower, wanted) {
			far = 0
		}
		if far <= max(1, (len(wanted)+1)/3) {
			near = append(near, scored{candidate, far})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return cmp.Compare(a.far, b.far) })
	var names []string
	for _, each := range near[:min(maxSuggestions, len(near))] {
		names = append(names, each.name)
	}
	return names
}

// Hinted returns advice about a command of another assistant, or "" for any other word.
func Hinted(word string) string {
	if hint := paired(hints, word); hint != word {
		return hint
	}
	return ""
}

// NotFound returns the message for an unknown command, with suggestions.
func NotFound(word string, written ...WrittenCommand) string {
	text := "There is no " + word + " command"
	var slashed []string
	for _, name := range Names() {
		if name[0] == '/' {
			slashed = append(slashed, name)
		}
	}
	for _, one := range written {
		slashed = append(slashed, one.Name)
	}
	if near := Suggest(word, slashed); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	} else {
		text += "; /help lists them."
	}
	return text + " To send it to the model, begin the line with a space."
}

// Slip returns the command that a line misspells, or "". It recognizes only swapped or doubled
// letters, because other misspelled lines could be prompts.
func Slip(line string) string {
	typed := strings.ToLower(strings.TrimRight(line, " \t\r\n"))
	for _, name := range []string{"quit", "exit", "usage", "preferences"} {
		for i := 0; i+1 < len(name); i++ {
			swapped := name[:i] + name[i+1:i+2] + name[i:i+1] + name[i+2:]
			if typed != name && (typed == swapped || typed == name[:i]+name[i:i+1]+name[i:]) {
				return name
			}
		}
		if typed == name+name[len(name)-1:] {
			return name
		}
	}
	return ""
}

// Slips returns the number of typing errors that separate two words. Two swapped letters are one
// error.
func Slips(a, b string) int {
	far := levenshtein.ComputeDistance(a, b)
	if far == 2 && sameLetters(a, b) {
		return 1
	}
	return far
}

func sameLetters(a, b string) bool {
	left, right := []byte(a), []byte(b)
	slices.Sort(left)
	slices.Sort(right)
	return slices.Equal(left, right)
}
