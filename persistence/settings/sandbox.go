package settings

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

type pathList []string

// UnmarshalYAML accepts a list of paths that pass [isPlace].
func (p *pathList) UnmarshalYAML(node ast.Node) error {
	return readList(node, (*[]string)(p), isPlace, "\"sandbox_read\" must be a list such as [~/.aws, /srv/keys, $SSH_AUTH_SOCK]")
}

// sourceList lists the sources that Marvin ignores. UnmarshalYAML checks only that no entry is
// blank. words.ParseOff validates the entries later.
type sourceList []string

// UnmarshalYAML accepts a list of words.
func (s *sourceList) UnmarshalYAML(node ast.Node) error {
	named := func(one string) bool { return strings.TrimSpace(one) != "" }
	return readList(node, (*[]string)(s), named, "\"not_read\" must be a list such as [claude, project commands, .cursorrules]")
}

// isPlace reports whether path is absolute, begins with "~/", or is a variable such as $NAME. It
// returns false for the root, the home directory, and paths that contain "..".
func isPlace(path string) bool {
	if strings.ContainsRune(path, 0) {
		return false
	}
	if name, ok := strings.CutPrefix(path, "$"); ok {
		return name != "" && name != "HOME" && !strings.ContainsAny(name, "/${}= \t")
	}
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		rest, ok = strings.CutPrefix(path, "/")
	}
	return ok && strings.Trim(rest, "/.") != "" && !slices.Contains(strings.Split(rest, "/"), "..")
}
