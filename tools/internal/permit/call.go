package permit

import "marvin/messages/lists"

// Call is a tool call to judge.
type Call struct {
	Tool       string
	Command    *string  // the shell line, if the tool runs one
	Values     []Value  // text and files in the arguments; nil if Command is set
	Parameters []string // the names of the tool's arguments
	Main       string   // the name of the main argument
	Asks       bool     // the tool itself requires the user's consent
	// MatchesFile reports whether pattern matches the real path of a file. If links is true,
	// MatchesFile also considers symbolic links in the pattern and hard links to the file.
	MatchesFile func(pattern, file string, links bool) bool
}

// Value is one piece of text in the arguments of a call. Rules compare their patterns with these
// values.
type Value struct {
	Argument string // the argument that contains it, or ""
	Text     string
	File     string // the real path, if the text names a file
}

// deciding selects the values that an allow rule must match. An empty name means that the rule
// names no argument.
func (c Call) deciding(name string) []Value {
	files := lists.Filter(c.Values, func(value Value) bool { return value.Argument == "" && value.File != "" })
	if name == "" && len(files) > 0 {
		return files
	}
	if name == "" {
		name = c.Main
	}
	list := lists.Filter(c.Values, func(value Value) bool { return value.Argument == name && name != "" })
	if len(list) > 0 && list[0].File != "" {
		return append(list, files...)
	}
	return list
}
