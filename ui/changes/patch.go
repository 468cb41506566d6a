package changes

import (
	"fmt"
	"path"
	"strings"

	"marvin/messages"
)

func sum(all messages.Changes) string {
	if len(all.Files) == 0 {
		return "This conversation has not changed any file."
	}
	return fmt.Sprintf("%s, +%d −%d", messages.Counted(len(all.Files), "file"), all.Added, all.Removed)
}

// Stat returns the total, followed by a line per file.
func Stat(all messages.Changes) string {
	var out strings.Builder
	out.WriteString(sum(all))
	for _, file := range all.Files {
		out.WriteString("\n  " + nameAndSize(file))
		if about := about(file); about != "" {
			out.WriteString(" (" + about + ")")
		}
	}
	return out.String()
}

// nameAndSize returns the name of a file and the size of its change.
func nameAndSize(file messages.ChangedFile) string {
	name := file.Name
	if file.Was != "" {
		name = file.Was + " → " + name
	}
	switch {
	case file.Missing != "":
		return name
	case file.New:
		name += " (new)"
	case file.Deleted:
		name += " (deleted)"
	}
	return fmt.Sprintf("%s  +%d −%d", name, file.Added, file.Removed)
}

// about returns a note if the change is unknown or cannot be undone, and "" otherwise.
func about(file messages.ChangedFile) string {
	switch {
	case file.Missing != "":
		return "the change is unknown: " + file.Missing
	case file.Refused != "":
		return file.Refused + ", which is shown too"
	}
	return ""
}

// Patch returns a patch that "git apply" accepts in the conversation's directory. The second result
// has one line for each omitted change; the line gives the file name and the reason.
func Patch(all messages.Changes) (patch string, omitted []string) {
	var out strings.Builder
	for _, file := range all.Files {
		switch {
		case file.Missing != "":
			omitted = append(omitted, file.Name+": "+file.Missing)
		case path.IsAbs(file.Name):
			omitted = append(omitted, file.Name+": it is outside the directory of the conversation")
		default:
			out.WriteString(file.Patch)
		}
	}
	return out.String(), omitted
}

// Text returns the total, followed by the patch and notes.
func Text(all messages.Changes) string {
	patch, omitted := Patch(all)
	text := sum(all)
	if patch != "" {
		text += "\n" + strings.TrimSuffix(patch, "\n")
	}
	for _, one := range omitted {
		text += "\nNot included: " + one
	}
	return strings.Join(append([]string{text}, all.Notes...), "\n")
}
