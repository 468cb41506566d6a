package persistence

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Servers are the entries of MCP servers, and what is kept of each.
type Servers struct{ home *Home }

// Servers are those of this home.
func (h *Home) Servers() Servers { return Servers{h} }

// Servers in config.yaml are written one a line, below mcp:. All other lines stay as they
// are, byte for byte.

// Set writes a server into config.yaml, replacing one with the same name.
func (s Servers) Set(name string, server Server) error {
	if err := CheckServer(name, server); err != nil {
		return err
	}
	return s.edit(name, serverLine(name, server))
}

// Remove takes a server out of config.yaml.
func (s Servers) Remove(name string) error { return s.edit(name, "") }

func (s Servers) edit(name, line string) error {
	return ConfigFile{s.home}.rewrite(func(document *yamlDocument) (string, error) { return withServer(document.text, name, line) })
}

// withServer is the text with a line for one server, or without one if the line is "". It
// is read again: if anything else is different, the text is left alone.
func withServer(text, name, line string) (string, error) {
	document, err := readYAML(text)
	if err != nil {
		return "", err
	}
	edited, err := serverIn(document, name, line)
	if err != nil {
		return "", err
	}
	after, err := readYAML(edited)
	if err != nil || !reflect.DeepEqual(without(document.plain, "mcp"), without(after.plain, "mcp")) {
		return "", errByHand
	}
	before, _ := document.value("mcp").(yaml.MapSlice)
	now, _ := after.value("mcp").(yaml.MapSlice)
	others := without(now, name)
	if there := len(others) < len(now); there != (line != "") || !reflect.DeepEqual(without(before, name), others) {
		return "", errByHand
	}
	return edited, nil
}

// serverIn is the text with the line of one server changed.
func serverIn(d *yamlDocument, name, line string) (string, error) {
	at := slices.IndexFunc(d.values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == "mcp" })
	if at < 0 {
		if line == "" {
			return "", fmt.Errorf("there is no server called %s in it", name)
		}
		return d.appended("mcp:" + d.lineBreak() + "  " + line), nil
	}
	item := d.values[at]
	behind := d.line(item.Key.GetToken().Position.Line + 1)
	var entries []*ast.MappingValueNode
	switch node := item.Value.(type) {
	case *ast.NullNode:
	case *ast.MappingNode:
		if node.IsFlowStyle {
			return "", errByHand
		}
		entries = node.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{node}
	default:
		return "", errByHand
	}
	indent := "  "
	for _, entry := range entries {
		token := entry.Key.GetToken()
		indent = strings.Repeat(" ", token.Position.Column-1)
		if token.Value != name {
			continue
		}
		start, end := d.line(token.Position.Line), d.line(d.lastLine(token.Position.Line, token.Position.Column)+1)
		if line != "" {
			line = indent + line + d.lineBreak()
		} else if len(entries) == 1 { // an empty mcp: goes with its last entry
			start = d.line(item.Key.GetToken().Position.Line)
		}
		return d.text[:start] + line + d.text[end:], nil
	}
	if line == "" {
		return "", fmt.Errorf("there is no server called %s in it", name)
	}
	before := d.text[:behind]
	if !strings.HasSuffix(before, "\n") {
		before += d.lineBreak()
	}
	return before + indent + line + d.lineBreak() + d.text[behind:], nil
}

// serverLine is a server on one line.
func serverLine(name string, server Server) string {
	var parts []string
	add := func(key, value string) { parts = append(parts, key+": "+value) }
	texts := func(key string, values map[string]string) {
		if len(values) == 0 {
			return
		}
		var list []string
		for _, name := range slices.Sorted(maps.Keys(values)) {
			list = append(list, yamlText(name)+": "+yamlText(values[name]))
		}
		add(key, "{"+strings.Join(list, ", ")+"}")
	}
	if len(server.Command) > 0 {
		add("command", flow(server.Command))
	}
	texts("env", server.Env)
	if server.URL != "" {
		add("url", yamlText(server.URL))
	}
	texts("headers", server.Headers)
	if len(server.Reads) > 0 {
		add("reads", flow(server.Reads))
	}
	if server.Timeout > 0 {
		add("timeout", server.Timeout.String())
	}
	if server.Free {
		add("sandbox", yamlText("off"))
	}
	if server.Off {
		add("enabled", "false")
	}
	return yamlText(name) + ": {" + strings.Join(parts, ", ") + "}"
}
