package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// Servers manages the MCP servers in config.yaml and the data that Marvin stores about them.
type Servers struct{ home *store.Home }

// ServersOf returns the MCP servers of one user.
func ServersOf(h *store.Home) Servers { return Servers{h} }

// Marvin writes each server on one line below "mcp:" in config.yaml. It does not change any other
// line.

// Set adds or replaces a server in config.yaml.
func (s Servers) Set(name string, server Server) error {
	if err := CheckServer(name, server); err != nil {
		return err
	}
	return s.edit(name, serverLine(name, server))
}

// Remove removes a server from config.yaml.
func (s Servers) Remove(name string) error { return s.edit(name, "") }

func (s Servers) edit(name, line string) error {
	return File{s.home}.rewrite(func(document *yamltext.Document) (string, error) { return withServer(document.Text, name, line) })
}

// withServer adds or replaces a server's line, or removes the server if line is "". It returns an
// error if any other setting would change.
func withServer(text, name, line string) (string, error) {
	document, err := yamltext.Read(text)
	if err != nil {
		return "", err
	}
	edited, err := serverIn(document, name, line)
	if err != nil {
		return "", err
	}
	after, err := yamltext.Read(edited)
	if err != nil || !reflect.DeepEqual(yamltext.Without(document.Plain, "mcp"), yamltext.Without(after.Plain, "mcp")) {
		return "", yamltext.ErrByHand
	}
	before, _ := document.Value("mcp").(yaml.MapSlice)
	now, _ := after.Value("mcp").(yaml.MapSlice)
	others := yamltext.Without(now, name)
	if there := len(others) < len(now); there != (line != "") || !reflect.DeepEqual(yamltext.Without(before, name), others) {
		return "", yamltext.ErrByHand
	}
	return edited, nil
}

// serverIn adds, replaces or removes a server in the text. The caller must check that the other
// servers and settings are unchanged.
func serverIn(d *yamltext.Document, name, line string) (string, error) {
	at := slices.IndexFunc(d.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == "mcp" })
	if at < 0 {
		if line == "" {
			return "", fmt.Errorf("config.yaml has no server called %s", name)
		}
		return d.Appended("mcp:" + d.LineBreak() + "  " + line), nil
	}
	item := d.Values[at]
	behind := d.Line(item.Key.GetToken().Position.Line + 1)
	var entries []*ast.MappingValueNode
	switch node := item.Value.(type) {
	case *ast.NullNode:
	case *ast.MappingNode:
		if node.IsFlowStyle {
			return "", yamltext.ErrByHand
		}
		entries = node.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{node}
	default:
		return "", yamltext.ErrByHand
	}
	indent := "  "
	for _, entry := range entries {
		token := entry.Key.GetToken()
		indent = strings.Repeat(" ", token.Position.Column-1)
		if token.Value != name {
			continue
		}
		start, end := d.Line(token.Position.Line), d.Line(d.LastLine(token.Position.Line, token.Position.Column)+1)
		if line != "" {
			line = indent + line + d.LineBreak()
		} else if len(entries) == 1 { // the last entry is removed together with the key "mcp"
			start = d.Line(item.Key.GetToken().Position.Line)
		}
		return d.Text[:start] + line + d.Text[end:], nil
	}
	if line == "" {
		return "", fmt.Errorf("config.yaml has no server called %s", name)
	}
	before := d.Text[:behind]
	if !strings.HasSuffix(before, "\n") {
		before += d.LineBreak()
	}
	return before + indent + line + d.LineBreak() + d.Text[behind:], nil
}

func serverLine(name string, server Server) string {
	var parts []string
	add := func(key, value string) { parts = append(parts, key+": "+value) }
	texts := func(key string, values map[string]string) {
		if len(values) == 0 {
			return
		}
		var list []string
		for _, name := range slices.Sorted(maps.Keys(values)) {
			list = append(list, yamltext.YamlText(name)+": "+yamltext.YamlText(values[name]))
		}
		add(key, "{"+strings.Join(list, ", ")+"}")
	}
	if len(server.Command) > 0 {
		add("command", yamltext.Flow(server.Command))
	}
	texts("env", server.Env)
	if server.URL != "" {
		add("url", yamltext.YamlText(server.URL))
	}
	texts("headers", server.Headers)
	if len(server.Reads) > 0 {
		add("reads", yamltext.Flow(server.Reads))
	}
	if server.Timeout > 0 {
		add("timeout", server.Timeout.String())
	}
	if server.Free {
		add("sandbox", yamltext.YamlText("off"))
	}
	if server.Off {
		add("enabled", "false")
	}
	return yamltext.YamlText(name) + ": {" + strings.Join(parts, ", ") + "}"
}
