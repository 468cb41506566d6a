package permit

// Call is what is judged.
type Call struct {
	Tool       string
	Command    *string  // the line for a shell, if the tool runs one
	Values     []Value  // the texts in the arguments of any other tool, and the files it names
	Parameters []string // the names of the tool's arguments
	Main       string   // the argument that says what the call is about
	Asks       bool     // the tool wants a person's consent of itself
	// Names says whether a pattern of files is about a file, given by its absolute path
	// without links. With links, the pattern may lead there through one.
	Names func(pattern, file string, links bool) bool
}

// Value is one text of a call that rules are compared with.
type Value struct {
	Argument string // the argument it is in; "" otherwise
	Text     string
	File     string // the absolute path without links, if it is a file
}

// deciding are the values that an allow rule must match.
func (c Call) deciding(name string) (list []Value) {
	for _, value := range c.Values {
		if value.Argument == "" && value.File != "" {
			list = append(list, value)
		}
	}
	if name == "" && len(list) > 0 {
		return list
	}
	if name == "" {
		name = c.Main
	}
	files := list
	list = nil
	for _, value := range c.Values {
		if value.Argument == name && name != "" {
			list = append(list, value)
		}
	}
	if len(list) > 0 && list[0].File != "" {
		return append(list, files...) // the call may name more files in other arguments
	}
	return list
}
