package command

import (
	"os"
	"path/filepath"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// destroyers are programs that delete, overwrite or truncate the files named by their arguments.
var destroyers = map[string]bool{
	"rm": true, "unlink": true, "shred": true, "srm": true, "wipe": true, "rimraf": true, "del-cli": true, "trash": true, "truncate": true, "dd": true,
	"rmtree": true, "mv": true, "cp": true, "install": true, "tee": true, "rsync": true, "find": true, "fd": true,
}

// Destroys returns the absolute paths of the files that a line clearly deletes, empties or
// overwrites. A path can contain patterns: DIR//NAME matches each NAME below DIR. The second result
// is true if a name or a command is known only at run time, or if the line cannot be judged.
func Destroys(line string, place Place) (paths []string, unknown bool) {
	report := Inspect(line, place)
	unknown = report.Unclear != "" || strings.Contains(report.Opaque, "text that is known only at run time")
	add := func(text string) {
		text = strings.TrimPrefix(text, "of=")
		switch {
		case strings.Contains(text, Hole):
			unknown = true
		default:
			paths = append(paths, absolutely(text, place))
		}
	}
	for _, part := range report.Parts {
		name := part.Name()
		if !destroyers[name] || name == "find" && !hasWordOf(part, "-delete") {
			continue
		}
		words := operands(part.Words[1:])
		switch name {
		case "find":
			for _, start := range starts("find", part.Words[1:]) {
				add(start.Text)
				if name := soughtName(part.Words[1:]); name != "" && !strings.Contains(start.Text, Hole) {
					paths[len(paths)-1] += "//" + name
				}
			}
			continue
		case "mv", "cp", "install", "rsync":
			sources, target, named := moved(part.Words[1:]) // the sources are copied or moved, not destroyed
			if name == "rsync" && len(words) > 1 {          // it has no option for the target
				sources, target, named = words[:len(words)-1], words[len(words)-1], false
			}
			if len(sources) == 0 {
				break // the arguments are not known
			}
			if info, err := os.Stat(absolutely(target.Text, place)); !named && (err != nil || !info.IsDir()) {
				add(target.Text)
				continue
			}
			for _, word := range sources {
				add(entryOf(target, word).Text)
			}
			continue
		}
		for _, word := range words {
			add(word.Text)
		}
		unknown = unknown || len(words) == 0 // no file names, as in "xargs rm"
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return paths, true
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		if redirect, ok := node.(*syntax.Redirect); ok && redirect.Word != nil && (redirect.Op == syntax.RdrOut || redirect.Op == syntax.RdrClob || redirect.Op == syntax.RdrAll) {
			if text := redirect.Word.Lit(); text != "" && text != "/dev/null" {
				add(text)
			}
		}
		return true
	})
	return paths, unknown
}

func absolutely(text string, place Place) string {
	if !filepath.IsAbs(text) {
		text = place.Dir + "/" + text
	}
	return filepath.Clean(text)
}

// soughtName returns the -name or -iname pattern of a find command. It returns "" if files with
// other names could match.
func soughtName(words []Word) (name string) {
	for n, word := range words {
		switch word.Text {
		case "-name", "-iname":
			if n+1 < len(words) && !strings.Contains(words[n+1].Text, Hole) {
				name = words[n+1].Text
			}
		case "-o", "-or", "!", "-not", ",":
			return ""
		}
	}
	return name
}

func hasWordOf(part Part, text string) bool {
	for _, word := range part.Words {
		if word.Text == text {
			return true
		}
	}
	return false
}
