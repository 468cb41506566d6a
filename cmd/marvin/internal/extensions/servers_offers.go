package extensions

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/plaintext"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/tools"
)

// Marvin starts a project's server only after the user has accepted the server. Any change to its
// command, arguments, address, variables or headers requires a new acceptance.

// Offer is a server that the user has not accepted yet. The definition comes from the project or
// from another program.
type Offer struct {
	Name   string
	File   string // the path relative to the project, or a path that begins with "~/"
	Server settings.Server
	Theirs bool // the server comes from another program; acceptance adds the server to config.yaml
}

// OfferFiles lists the files of a project that can define servers. Most agents read .mcp.json, and
// VS Code reads .vscode/mcp.json.
var OfferFiles = []string{".mcp.json", ".vscode/mcp.json"}

// otherFiles lists the configuration files of Claude Desktop (Linux, macOS and Windows), Claude
// Code, Cursor and VS Code. The paths are relative to the home directory, and come from the
// documentation of each program.
var otherFiles = []string{
	".config/Claude/claude_desktop_config.json",
	"Library/Application Support/Claude/claude_desktop_config.json",
	"AppData/Roaming/Claude/claude_desktop_config.json",
	".claude.json",
	".cursor/mcp.json",
	".config/Code/User/mcp.json",
}

// broughtServer is the JSON form of a server definition.
type broughtServer struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Disabled bool              `json:"disabled"`
}

// ProjectServers returns the user's servers and the accepted servers of the project in dir. The
// project's other servers are returned as offers. A user's server replaces a project's server with
// the same name. A server that keys.Refused rejects is never used, even if the user accepted it.
func ProjectServers(home *persistence.Home, dir string, own map[string]settings.Server, keys GuardedKeys) (map[string]settings.Server, []Offer, error) {
	all := map[string]settings.Server{}
	found, err := readOffers(dir, OfferFiles, longestOffers)
	if len(found) > 0 {
		accepted, problem := projects.OffersOf(home).Servers(dir)
		err = errors.Join(err, problem)
		found = slices.DeleteFunc(found, func(one Offer) bool {
			if accepted[one.Name] == keys.Acceptance(one.Server) && keys.Refused(one.Server) == nil {
				all[one.Name] = one.Server
				return true
			}
			_, shadowed := own[one.Name]
			return shadowed
		})
	}
	maps.Copy(all, own)
	return all, found, err
}

// OtherOffers returns the servers from the configuration of programs such as Claude Desktop. A
// server with the name of a known server or of a given offer is omitted.
func OtherOffers(home string, known map[string]settings.Server, offers []Offer) ([]Offer, error) {
	found, err := readOffers(home, otherFiles, longestOther)
	for i := range found {
		found[i].File, found[i].Theirs = "~/"+found[i].File, true
		for _, values := range []map[string]string{found[i].Server.Env, found[i].Server.Headers} {
			for name, value := range values {
				values[name] = convertValue(value)
			}
		}
	}
	return slices.DeleteFunc(found, func(one Offer) bool {
		_, taken := known[one.Name]
		return taken || slices.ContainsFunc(offers, func(o Offer) bool { return o.Name == one.Name })
	}), err
}

// convertValue converts a value from another program's configuration to the syntax of config.yaml.
// ${NAME} and ${env:NAME} become references to variables. Other dollar signs stay literal.
func convertValue(value string) string {
	var out strings.Builder
	for {
		before, rest, more := strings.Cut(value, "$")
		out.WriteString(before)
		if !more {
			return out.String()
		}
		name, behind, closed := strings.Cut(strings.TrimPrefix(rest, "{"), "}")
		name = strings.TrimPrefix(name, "env:")
		if !closed || !strings.HasPrefix(rest, "{") || strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			out.WriteString("$$")
			value = rest
			continue
		}
		out.WriteString("${" + name + "}")
		value = behind
	}
}

// readOffers reads the offers from the given files in dir. It skips unreadable files, and returns
// their errors together with the offers from the other files.
func readOffers(dir string, files []string, most int64) (all []Offer, err error) {
	if dir == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil // reported elsewhere
	}
	defer root.Close()
	var problems error
	for _, file := range files {
		content, err := root.Open(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", file, err))
			continue
		}
		found, err := decodeOffers(content, most)
		content.Close()
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", file, err))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(found)) {
			one := found[name]
			server := settings.Server{URL: one.URL, Env: one.Env, Headers: one.Headers}
			if one.Command != "" {
				server.Command = append([]string{one.Command}, one.Args...)
			}
			if err := settings.CheckServer(name, server); err != nil {
				problems = errors.Join(problems, fmt.Errorf("%s: %w", file, err))
				continue
			}
			if !one.Disabled && !slices.ContainsFunc(all, func(o Offer) bool { return o.Name == name }) {
				all = append(all, Offer{Name: name, File: file, Server: server})
			}
		}
	}
	return all, problems
}

// These constants are the maximum sizes of configuration files, in bytes. ~/.claude.json needs the
// larger limit, because the file contains Claude Code's history.
const (
	longestOffers = 256 << 10
	longestOther  = 16 << 20
)

func decodeOffers(from io.Reader, most int64) (map[string]broughtServer, error) {
	data, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("it has more than %d KB", most>>10)
	}
	var file struct {
		Servers map[string]broughtServer `json:"mcpServers"`
		VSCode  map[string]broughtServer `json:"servers"`
	}
	if err := json.Unmarshal(plaintext.Decode(data), &file); err != nil {
		return nil, fmt.Errorf("it is not an mcp.json: %w", messages.Misread(err))
	}
	if file.Servers == nil {
		return file.VSCode, nil
	}
	return file.Servers, nil
}

// Describe returns a one-line description of the offered server.
func (o Offer) Describe() string {
	what := cmp.Or(o.Server.URL, strings.Join(o.Server.Command, " "))
	if names := EnvNames(o.Server); len(names) > 0 {
		what += ", with " + strings.Join(names, " ")
	}
	return fmt.Sprintf("%s (%s)", o.Name, tools.Visible(what))
}

// CommaList splits words at commas.
func CommaList(words []string) (list []string) {
	for _, word := range words {
		list = append(list, strings.Split(word, ",")...)
	}
	return list
}

// SayOffers describes the servers that the project offers.
func SayOffers(offers []Offer) string {
	list := lists.Map(offers, Offer.Describe)
	return fmt.Sprintf("this project offers MCP servers that are off, because you have not accepted them: %s; to accept one, run marvin mcp accept NAME", strings.Join(list, ", "))
}

func EnvNames(server settings.Server) (names []string) {
	for _, values := range []map[string]string{server.Env, server.Headers} {
		for name := range values {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
