package settings

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/yamltext"
)

// Server is an MCP server from config.yaml: a program to start, or a URL to call. In the values of
// Env and Headers, $NAME refers to Marvin's own environment.
type Server struct {
	Command []string          `json:",omitzero"`
	Env     map[string]string `json:",omitzero"` // the program's environment
	URL     string            `json:",omitzero"`
	Headers map[string]string `json:",omitzero"` // the headers of each request
	// Off is true if the server is configured but disabled.
	Off bool `json:",omitzero"`
	// Reads lists the tools that the user declared read-only. These tools run without approval,
	// unless a rule says "ask", or the tool is new or changed. The entry "*" means all tools.
	Reads   []string      `json:",omitzero"`
	Timeout time.Duration `json:",omitzero"` // time limit for a call; 0 means the default
	Free    bool          `json:",omitzero"` // the program runs without the sandbox
}

// Hash returns a hash of the command line, the URL, and the names of the environment variables and
// headers. The hash does not depend on the values of the variables and headers.
func (s Server) Hash() string {
	encoded, err := json.Marshal([]any{s.Command, s.URL, slices.Sorted(maps.Keys(s.Env)), slices.Sorted(maps.Keys(s.Headers))})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}

type serverFile struct {
	Command commandLine       `yaml:"command"`
	Env     map[string]string `yaml:"env"`
	URL     baseURL           `yaml:"url"`
	Headers map[string]string `yaml:"headers"`
	Enabled *bool             `yaml:"enabled"`
	Reads   nameList          `yaml:"reads"`
	Timeout patience          `yaml:"timeout"`
	Sandbox onOff             `yaml:"sandbox"`
}

type (
	commandLine []string
	patience    time.Duration
	onOff       string
)

// UnmarshalYAML accepts a list that begins with the program. It does not split strings at spaces.
func (c *commandLine) UnmarshalYAML(node ast.Node) error {
	var list []string
	if err := yaml.NodeToValue(node, &list); err != nil || len(list) == 0 || list[0] == "" {
		return yamltext.ErrorAt(node, "\"command\" must be a list such as [npx, -y, some-server]")
	}
	*c = list
	return nil
}

// UnmarshalYAML accepts a duration from 1s to 1h.
func (p *patience) UnmarshalYAML(node ast.Node) error {
	limit, err := time.ParseDuration(node.GetToken().Value)
	if err != nil || limit < time.Second || limit > time.Hour {
		return yamltext.ErrorAt(node, "%q is not a time from 1s to 1h; give one such as 30s or 5m", node.GetToken().Value)
	}
	*p = patience(limit)
	return nil
}

// UnmarshalYAML accepts "on", "off", "true" and "false".
func (o *onOff) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(o), "on", "off", "false", "true")
}

var serverName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`) })

// CheckServer validates a server and its name.
func CheckServer(name string, server Server) error {
	switch {
	case !serverName().MatchString(name):
		return fmt.Errorf("%q is not a name for a server; use at most 40 letters, digits, - and _", name)
	case (len(server.Command) == 0) == (server.URL == ""):
		return fmt.Errorf("the server %s needs either \"command\" or \"url\"", name)
	case server.URL != "" && len(server.Env) > 0:
		return fmt.Errorf("the server %s has \"url\", but \"env\" works only with \"command\"; use \"headers\" instead", name)
	case len(server.Command) > 0 && len(server.Headers) > 0:
		return fmt.Errorf("the server %s has \"command\", but \"headers\" works only with \"url\"; use \"env\" instead", name)
	}
	if server.URL != "" {
		if at, err := url.Parse(server.URL); err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
			return fmt.Errorf("the url of the server %s is not an address such as https://example.com/mcp", name)
		}
	}
	return nil
}

func servers(path string, files map[string]*serverFile) (map[string]Server, error) {
	if len(files) == 0 {
		return nil, nil
	}
	all := make(map[string]Server, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := cmp.Or(files[name], &serverFile{})
		server := Server{
			Command: file.Command, Env: file.Env, URL: string(file.URL), Headers: file.Headers, Off: file.Enabled != nil && !*file.Enabled,
			Reads: file.Reads, Timeout: time.Duration(file.Timeout), Free: file.Sandbox == "off" || file.Sandbox == "false",
		}
		if err := CheckServer(name, server); err != nil {
			return nil, fmt.Errorf("%s: mcp: %w; correct the entry or remove it", path, err)
		}
		all[name] = server
	}
	return all, nil
}

// WholeHash is like [Server.Hash], but also covers the values of Env and Headers. Marvin uses
// WholeHash for a project's servers, because those values can refer to the user's API keys.
func (s Server) WholeHash() string {
	encoded, err := json.Marshal([]any{s.Command, s.URL, s.Env, s.Headers}) // encoding/json sorts maps
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}
