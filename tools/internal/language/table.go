package language

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"marvin/messages/lists"
	"marvin/persistence/settings"
)

// Server is a supported language server.
type Server struct {
	Name     string
	Kind     string // only the first installed server of each kind is used
	Command  []string
	Files    []string // patterns for file names
	Roots    []string // names or patterns that mark the root of a project
	IDs      []string // the default language ID, and exceptions such as "*.c=c"
	Install  string   // command or URL; "as you know" if the server is not in the table
	Exact    string   // an unannounced way to request problems: "pull" or "tsserver"
	Work     string   // title prefix of the tasks that check files
	Init     json.RawMessage
	Lint     bool // the server only reports problems
	Settings map[string]any
	Free     bool // the server runs without the sandbox
	Own      bool // the server comes from the user's configuration
	Off      bool
}

//go:embed servers.txt
var serversText string

var builtIn = sync.OnceValue(func() (all []Server) {
	for line := range strings.Lines(serversText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "|")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		one := Server{
			Name: fields[0], Kind: fields[1], Command: strings.Fields(fields[2]), Files: strings.Fields(fields[3]),
			Roots: strings.Fields(fields[4]), IDs: strings.Fields(fields[5]), Install: fields[6],
		}
		if len(fields) > 7 {
			for _, note := range strings.Fields(fields[7]) {
				name, value, _ := strings.Cut(note, "=")
				switch name {
				case "exact":
					one.Exact = value
				case "work":
					one.Work = value
				case "init":
					one.Init = json.RawMessage(value)
				case "lint":
					one.Lint = true
				}
			}
		}
		all = append(all, one)
	}
	return all
})

// All returns the servers from the user's configuration, followed by the other servers from the
// table. If the user configures a server that is in the table, the table supplies the values that
// the user omits.
func All(own map[string]settings.Language) []Server {
	var all []Server
	table := builtIn()
	for _, name := range slices.Sorted(maps.Keys(own)) {
		one, said := Server{Name: name, Kind: name, Install: "as you know"}, own[name]
		if i := slices.IndexFunc(table, func(known Server) bool { return known.Name == name }); i >= 0 {
			one = table[i]
		}
		one.Own, one.Off, one.Free = true, said.Off, said.Free
		if len(said.Command) > 0 {
			one.Command, one.Exact, one.Work, one.Init = said.Command, "", "", nil
		}
		if len(said.Files) > 0 {
			one.Files = said.Files
		}
		if len(said.Roots) > 0 {
			one.Roots = said.Roots
		}
		if len(one.IDs) == 0 {
			one.IDs = []string{name}
		}
		if said.Settings != nil {
			one.Settings = said.Settings
		}
		all = append(all, one)
	}
	for _, one := range table {
		if _, has := own[one.Name]; !has {
			all = append(all, one)
		}
	}
	return all
}

// matches is true if the file name matches a pattern in s.Files.
func (s Server) matches(path string) bool {
	name := filepath.Base(path)
	return slices.ContainsFunc(s.Files, func(pattern string) bool {
		found, err := filepath.Match(pattern, name)
		return found && err == nil
	})
}

// languageID returns the protocol's name for the language of a file.
func (s Server) languageID(path string) (id string) {
	for _, one := range s.IDs {
		pattern, special, found := strings.Cut(one, "=")
		if !found {
			id = one
		} else if matches, err := filepath.Match(pattern, filepath.Base(path)); matches && err == nil {
			return special
		}
	}
	return id
}

// RootOf returns the root of the project that contains the file at path. For each mark in s.Roots,
// RootOf searches the file's directory and then each parent up to top, and returns the first
// directory that contains the mark. If no directory contains a mark, RootOf returns top and whether
// the server requires a mark.
func (s Server) RootOf(path, top string) (root string, needed bool) {
	for _, mark := range s.Roots {
		mark, only := strings.CutSuffix(mark, "!")
		needed = needed || only
		for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
			if rest, err := filepath.Rel(top, dir); err != nil || !filepath.IsLocal(rest) {
				break
			}
			if contains(dir, mark) {
				return dir, false
			}
		}
	}
	return top, needed
}

// contains is true if a directory has an entry that matches a name or pattern.
func contains(dir, mark string) bool {
	if !strings.ContainsAny(mark, "*?[") {
		_, err := os.Lstat(filepath.Join(dir, mark))
		return err == nil
	}
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		found, wrong := filepath.Match(mark, entry.Name())
		return found && wrong == nil
	})
}

// ServersFor returns the servers for a file, grouped by kind. Each group is in the order in which
// its servers are tried.
func ServersFor(all []Server, path, top string) (kinds [][]Server) {
	at := map[string]int{}
	for _, one := range all {
		if one.Off || !one.matches(path) {
			continue
		}
		if _, missing := one.RootOf(path, top); missing {
			continue
		}
		if i, has := at[one.Kind]; has {
			kinds[i] = append(kinds[i], one)
			continue
		}
		at[one.Kind] = len(kinds)
		kinds = append(kinds, []Server{one})
	}
	slices.SortStableFunc(kinds, func(a, b []Server) int { return rank(a[0]) - rank(b[0]) })
	return kinds
}

func rank(one Server) int {
	switch {
	case one.Own:
		return 0
	case one.Lint:
		return 2
	}
	return 1
}

// InstallHelp explains how to install any of the given servers.
func InstallHelp(kind []Server) string {
	how := lists.Map(kind, func(one Server) string { return fmt.Sprintf("%s (%s)", one.Command[0], one.Install) })
	return strings.Join(how, ", or ")
}
