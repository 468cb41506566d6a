package conversation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// Diagnostics contains the language servers' current reports about files. The zero value is ready
// to use.
type Diagnostics struct {
	Servers []string // running servers
	files   map[string]map[string][]messages.CodeProblem
}

// update applies new reports. A report replaces the same server's earlier report about the same
// file.
func (d *Diagnostics) update(event messages.Diagnosed) {
	d.Servers = event.Servers
	for _, file := range event.Files {
		switch said := d.files[file.Path]; {
		case file.Server == "": // the file is gone
			delete(d.files, file.Path)
		case len(file.Problems) == 0:
			if delete(said, file.Server); len(said) == 0 {
				delete(d.files, file.Path)
			}
		case said == nil:
			if d.files == nil {
				d.files = map[string]map[string][]messages.CodeProblem{}
			}
			d.files[file.Path] = map[string][]messages.CodeProblem{file.Server: file.Problems}
		default:
			said[file.Server] = file.Problems
		}
	}
}

// Problems returns all problems, sorted by file. Within a file, the errors come first.
func (d *Diagnostics) Problems() (all []messages.CodeProblem) {
	for _, said := range d.files {
		for _, list := range said {
			all = append(all, list...)
		}
	}
	slices.SortFunc(all, func(a, b messages.CodeProblem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Severity), string(b.Severity)), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Text, b.Text))
	})
	return all
}

// Count returns the number of problems in a file, or in all files if path is "".
func (d *Diagnostics) Count(path string) (count int) {
	for name, said := range d.files {
		if path != "" && path != name {
			continue
		}
		for _, list := range said {
			count += len(list)
		}
	}
	return count
}

// Status returns the names of the running servers and the number of known problems, in a few words.
// It returns "" if there are neither servers nor problems.
func (d *Diagnostics) Status() string {
	text := strings.Join(d.Servers, " ")
	switch count := d.Count(""); count {
	case 0:
	case 1:
		text = strings.TrimSpace(text + " 1 problem")
	default:
		text = strings.TrimSpace(fmt.Sprintf("%s %d problems", text, count))
	}
	return text
}
