package box

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/unicode/norm"

	"marvin/persistence/words"
)

const (
	nearLimit = 5    // maximum number of suggestions in an error
	walkLimit = 5000 // maximum number of entries that a search examines
	walkDepth = 8
)

// missing builds an error that wraps fs.ErrNotExist and suggests similar names.
func (c contents) missing(name string, at found) error {
	err := fmt.Errorf("%s: %w", quoteName(name), fs.ErrNotExist)
	near := c.similarNames(at)
	if len(near) == 0 {
		near = c.findElsewhere(at.base())
	}
	if ranges := words.Ranges(at.base()); len(near) == 0 && len(ranges) > 0 {
		near = c.findElsewhere(ranges[len(ranges)-1].Name)
	}
	if len(near) == 0 {
		return c.refuse(err, "")
	}
	for i := range near {
		near[i] = spellOut(near[i], name)
	}
	return c.refuse(err, "Did you mean %s? A name must match exactly.", strings.Join(near, " or "))
}

// spellOut quotes name. Unreadable characters are escaped. If name differs from wanted but looks
// the same, spellOut adds the escaped form.
func spellOut(name, wanted string) string {
	written, escaped := strconv.Quote(name), strconv.QuoteToASCII(name)
	switch {
	case written == escaped || quoteName(name) == name && normalForm(name) != normalForm(wanted):
		return written
	case quoteName(name) != name:
		return escaped
	}
	return written + " (" + escaped + ")"
}

// similarNames returns paths in which a similar name from the same directory replaces the missing
// name. If no name looks the same, similarNames uses names that differ by a few letters.
func (c contents) similarNames(at found) []string {
	entries := c.entries(found{parts: at.parts[:at.exists]}.name())
	wanted := normalForm(at.parts[at.exists])
	var same, close []string
	for _, entry := range entries {
		parts := slices.Concat(at.parts[:at.exists], []string{entry.Name()}, at.parts[at.exists+1:])
		candidate := strings.Join(parts, "/")
		seen := normalForm(entry.Name())
		if seen == wanted {
			same = append(same, candidate)
		} else if len(wanted) > 3 && levenshtein.ComputeDistance(seen, wanted) <= max(1, len(wanted)/5) {
			close = append(close, candidate)
		}
	}
	if len(same) == 0 {
		same = close
	}
	return same[:min(nearLimit, len(same))]
}

// findElsewhere searches the tree for files whose names look like the given name.
func (c contents) findElsewhere(base string) []string {
	wanted := normalForm(base)
	var names []string
	left := walkLimit
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries := c.entries(dir)
		for _, entry := range entries {
			if left--; left < 0 || len(names) == nearLimit {
				return
			}
			name := strings.TrimPrefix(dir+"/"+entry.Name(), "./")
			if !entry.IsDir() && normalForm(entry.Name()) == wanted {
				names = append(names, name)
			}
			if entry.IsDir() && depth < walkDepth {
				walk(name, depth+1)
			}
		}
	}
	walk(".", 1)
	return names
}

// normalForm returns the same string for names that look alike or differ only in case.
func normalForm(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(name))
}
