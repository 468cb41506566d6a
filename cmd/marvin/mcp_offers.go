package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/tools"
)

// Servers that a project brings are offers: nothing of them is started before the user
// accepted exactly that command, those arguments, that address and those variables.

// offer is a server of the project's that the user did not accept.
type offer struct {
	Name   string
	File   string
	Server persistence.Server
}

// offerFiles are where projects name servers: the form that most agents read, and VS Code's.
var offerFiles = []string{".mcp.json", ".vscode/mcp.json"}

// broughtServer is a server as those files have it.
type broughtServer struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Disabled bool              `json:"disabled"`
}

// projectServers are the user's servers and those of a directory that they accepted; the
// others are offers. The user's own win over the project's of the same name.
func projectServers(home *persistence.Home, dir string, own map[string]persistence.Server) (map[string]persistence.Server, []offer, error) {
	all := map[string]persistence.Server{}
	found, err := readOffers(dir)
	if len(found) > 0 {
		accepted, problem := home.Offers(dir)
		err = errors.Join(err, problem)
		found = slices.DeleteFunc(found, func(one offer) bool {
			if accepted[one.Name] == one.Server.WholeHash() {
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

// readOffers reads what a directory offers. Files that are not to be read are an error
// beside what could be.
func readOffers(dir string) (all []offer, err error) {
	if dir == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil // it is told elsewhere
	}
	defer root.Close()
	var problems error
	for _, file := range offerFiles {
		content, err := root.Open(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", file, err))
			continue
		}
		found, err := decodeOffers(content)
		content.Close()
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", file, err))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(found)) {
			one := found[name]
			server := persistence.Server{URL: one.URL, Env: one.Env, Headers: one.Headers}
			if one.Command != "" {
				server.Command = append([]string{one.Command}, one.Args...)
			}
			if err := persistence.CheckServer(name, server); err != nil {
				problems = errors.Join(problems, fmt.Errorf("%s: %w", file, err))
				continue
			}
			if !one.Disabled && !slices.ContainsFunc(all, func(o offer) bool { return o.Name == name }) {
				all = append(all, offer{Name: name, File: file, Server: server})
			}
		}
	}
	return all, problems
}

const longestOffers = 256 << 10

func decodeOffers(from io.Reader) (map[string]broughtServer, error) {
	data, err := io.ReadAll(io.LimitReader(from, longestOffers+1))
	if err != nil {
		return nil, err
	}
	if len(data) > longestOffers {
		return nil, fmt.Errorf("it has more than %d KB", longestOffers>>10)
	}
	var file struct {
		Servers map[string]broughtServer `json:"mcpServers"`
		VSCode  map[string]broughtServer `json:"servers"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("it is not what an mcp.json holds: %w", err)
	}
	if file.Servers == nil {
		return file.VSCode, nil
	}
	return file.Servers, nil
}

// told says in a line what a server would be.
func (o offer) told() string {
	what := o.Server.URL
	if what == "" {
		what = strings.Join(o.Server.Command, " ")
	}
	if names := envNames(o.Server); len(names) > 0 {
		slices.Sort(names)
		what += ", with " + strings.Join(names, " ")
	}
	return fmt.Sprintf("%s (%s)", o.Name, tools.Visible(what))
}

func (c mcpAccept) run(ctx context.Context, world World, opts options) error {
	return withServers(ctx, world, opts, func(ctx context.Context, s *servers) error {
		text, err := s.accept(ctx, c.Args.Name)
		if err != nil {
			return err
		}
		fmt.Fprintln(world.Stdout, text)
		return nil
	})
}

// accept has a server of the project's used, as it is offered now.
func (s *servers) accept(ctx context.Context, name string) (string, error) {
	at := slices.IndexFunc(s.offers, func(one offer) bool { return one.Name == name })
	if at < 0 {
		return "", fmt.Errorf("this project offers no server called %s", tools.Visible(name))
	}
	one := s.offers[at]
	if err := s.home.AcceptOffer(s.direct.Ground.Dir, name, one.Server.WholeHash()); err != nil {
		return "", err
	}
	s.all[name] = one.Server
	manifest, _, err := s.look(ctx, name, true)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is used in this directory from now on. It has %d tools; marvin mcp tools %s lists them.", one.told(), len(manifest.Tools), name), nil
}

// sayOffers tells what the project would bring.
func sayOffers(offers []offer) string {
	var list []string
	for _, one := range offers {
		list = append(list, one.told())
	}
	return fmt.Sprintf("this project offers MCP servers, which are not started: %s; marvin mcp accept NAME uses one", strings.Join(list, ", "))
}
