package words

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
)

// "@path" imports a file if it follows white space or begins a line, and is not part of code. The
// path is relative to the importing file. Paths that lead out of a project are rejected, because a
// cloned repository could name the user's private keys. The user's own file can import only paths
// below its own directory. If the import fails, "@path" remains in the text. The model can read the
// file with a tool if the user agrees.

// importer contains the state for expanding the imports of one file.
type importer struct {
	from tree
	// stand is true for a file that is used without being imported.
	stand func(name string) bool
	// off returns true for a file that not_read excludes.
	off  func(name string) bool
	seen map[string]bool
	left int64
	raw  strings.Builder // all imported text, for the hash

	imports, omitted []string
}

// expand adds imported files to the given text. name is the path of the importing file, relative to
// the root.
func (i *importer) expand(name, text string, depth int) string {
	if !strings.Contains(text, "@") {
		return text
	}
	var out, behind strings.Builder
	var fence fence
	for line := range strings.Lines(text) {
		if fence.holds(line) || !strings.Contains(line, "@") {
			out.WriteString(line)
			continue
		}
		alone := strings.TrimLeft(strings.TrimSpace(line), "-*+> ")
		for _, token := range mentionedPaths(line) {
			content, imported := i.take(name, token, depth)
			switch {
			case !imported:
			case alone == "@"+token:
				line = strings.TrimRight(content, "\n") + "\n"
			default: // the text stays unchanged
				fmt.Fprintf(&behind, "\n[%s]\n%s\n", token, strings.TrimRight(content, "\n"))
			}
		}
		out.WriteString(line)
	}
	return out.String() + behind.String()
}

// take returns the content of the file that "@"+token imports, with nested imports expanded. It
// returns false if nothing is imported.
func (i *importer) take(from, token string, depth int) (text string, imported bool) {
	name := path.Join(path.Dir(from), token)
	outside := path.IsAbs(token) || strings.HasPrefix(token, "~") || !fs.ValidPath(name)
	omit := func(why string) (string, bool) {
		i.omitted = append(i.omitted, "@"+token+" "+why)
		return "", false
	}
	switch {
	case outside:
		if strings.ContainsAny(token, "/.") {
			return omit("leads outside the repository")
		}
		return "", false
	case i.seen[name]:
		return omit("is in it already")
	}
	if info, err := i.from.stat(name); err != nil || !info.Mode().IsRegular() {
		if leadsOut(err) {
			return omit("leads outside the repository")
		}
		return "", false // not a file; "@"+token can be a user name
	}
	switch {
	case i.off(name):
		return omit("is switched off")
	case i.stand(name):
		return omit("counts by itself")
	case depth >= deepest:
		return omit(fmt.Sprintf("is nested more than %d imports deep", deepest))
	case len(i.imports) >= mostImports:
		return omit(fmt.Sprintf("is more than %d imports", mostImports))
	case i.left <= 0:
		return omit(fmt.Sprintf("is beyond the %d kB that one file may import", importBytes>>10))
	}
	content, cut, err := read(i.from, name, min(fileBytes, i.left))
	if err != nil {
		return omit("cannot be read")
	}
	i.seen[name] = true
	i.left -= int64(len(content)) + cut
	i.imports = append(i.imports, name)
	fmt.Fprintf(&i.raw, "\n── %s ──\n%s", name, content)
	if cut > 0 {
		content += fmt.Sprintf("\n[… %d more bytes in %s]\n", cut, name)
	}
	return i.expand(name, content, depth+1), true
}

// mentionedPaths returns the paths that follow an @ in a line, outside code spans.
func mentionedPaths(line string) []string {
	var found []string
	code := 0 // number of backquotes that opened the code span, or 0 outside code spans
	for at := 0; at < len(line); {
		if line[at] == '`' {
			run := len(line[at:]) - len(strings.TrimLeft(line[at:], "`"))
			switch code {
			case 0:
				if strings.Contains(line[at+run:], strings.Repeat("`", run)) {
					code = run
				}
			case run:
				code = 0
			}
			at += run
			continue
		}
		if code > 0 || line[at] != '@' || at > 0 && !unicode.IsSpace(rune(line[at-1])) {
			at++
			continue
		}
		end := at + 1
		for end < len(line) && !unicode.IsSpace(rune(line[end])) {
			if line[end] == '\\' && end+1 < len(line) && line[end+1] == ' ' {
				end++
			}
			end++
		}
		token := strings.TrimRight(line[at+1:end], ".,;:!?)]}\"'*_")
		if token = strings.ReplaceAll(token, `\ `, " "); token != "" {
			found = append(found, token)
		}
		at = end
	}
	return found
}

// fenceOf returns the code block delimiter at the start of a line, or "".
func fenceOf(line string) string {
	trimmed := strings.TrimLeft(line, " \t>")
	for _, sign := range []string{"```", "~~~"} {
		if strings.HasPrefix(trimmed, sign) {
			return trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, sign[:1]))]
		}
	}
	return ""
}

// fence is the delimiter of the current code block, or "" outside code blocks.
type fence string

// holds examines the next line and returns true if the line belongs to a code block. The opening
// line belongs to the block, and the closing line does not.
func (f *fence) holds(line string) bool {
	if mark := fenceOf(line); mark != "" {
		switch {
		case *f == "":
			*f = fence(mark)
		case strings.HasPrefix(mark, string(*f)):
			*f = ""
		}
	}
	return *f != ""
}

// removeComments removes HTML comments that begin at the start of a line, and returns how many it
// removed. Sites that host repositories do not show such comments to readers.
func removeComments(text string) (string, int) {
	if !strings.Contains(text, "<!--") {
		return text, 0
	}
	var out strings.Builder
	var fence fence
	within, count := false, 0
	for line := range strings.Lines(text) {
		if !within && !fence.holds(line) && strings.HasPrefix(strings.TrimSpace(line), "<!--") {
			within, count = true, count+1
		}
		if !within {
			out.WriteString(line)
			continue
		}
		if _, rest, ends := strings.Cut(line, "-->"); ends {
			within = false
			if strings.TrimSpace(rest) != "" {
				out.WriteString(rest)
			}
		}
	}
	if within { // an unclosed comment is ordinary text
		return text, 0
	}
	return out.String(), count
}
