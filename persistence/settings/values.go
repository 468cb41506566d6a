package settings

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/yamltext"
)

// This file decodes the settings that are not plain text or numbers.

// UnmarshalYAML accepts the URL of a web server.
func (b *baseURL) UnmarshalYAML(node ast.Node) error {
	text := node.GetToken().Value
	base, err := url.Parse(text)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return yamltext.ErrorAt(node, "%q is not a URL such as http://localhost:8080", text)
	}
	*b = baseURL(text)
	return nil
}

// UnmarshalYAML requires "input" and "output", because a missing price would count as 0.
func (p *priceFile) UnmarshalYAML(node ast.Node) error {
	type plain priceFile
	if err := yaml.NodeToValue(node, (*plain)(p), yaml.Strict()); err != nil {
		return err
	}
	p.Input, p.Output = cmp.Or(p.Input, p.In), cmp.Or(p.Output, p.Out)
	if p.Input == nil || p.Output == nil {
		return yamltext.ErrorAt(node, "a price needs \"input\" and \"output\"")
	}
	return nil
}

// UnmarshalYAML accepts a nonnegative price.
func (a *amount) UnmarshalYAML(node ast.Node) error {
	text := node.GetToken().Value
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) || number < 0 {
		return yamltext.ErrorAt(node, "%q is not a price in US dollars per million tokens, such as 0.8", text)
	}
	*a = amount(number)
	return nil
}

// UnmarshalYAML accepts a token count of at least 1000.
func (n *count) UnmarshalYAML(node ast.Node) error {
	text := node.GetToken().Value
	number, err := strconv.Atoi(strings.ReplaceAll(text, "_", ""))
	if err != nil || number < 1000 {
		return yamltext.ErrorAt(node, "%q is too small or not a number; give at least 1000 tokens, such as 180000", text)
	}
	*n = count(number)
	return nil
}

// UnmarshalYAML accepts one key or a list of keys. It does not check that the keys exist.
func (k *keyList) UnmarshalYAML(node ast.Node) error {
	if one, ok := node.(ast.ScalarNode); ok {
		*k = nil
		if node.Type() != ast.NullType {
			*k = keyList{one.GetToken().Value}
		}
		return nil
	}
	var list []string
	if err := yaml.NodeToValue(node, &list); err != nil {
		return yamltext.ErrorAt(node, "a key must be a name such as Ctrl-P, or a list of names")
	}
	*k = list
	return nil
}

// Colours and Symbols list the valid values of the settings "colours" and "symbols".
var (
	Colours = []string{"auto", "full", "256", "16", "safe", "none"}
	Symbols = []string{"unicode", "ascii"}
	// Images contains the available ways to draw pictures.
	Images = []string{"auto", "kitty", "iterm", "sixel", "off"}
	// StatusParts lists the valid entries of the setting "status".
	StatusParts = []string{"model", "effort", "directory", "profile", "messages", "cost", "context", "problems", "jobs", "agents", "modes", "approval"}
	// Editing lists the names of the key binding sets for the input line.
	Editing = []string{"emacs", "vim"}
)

// UnmarshalYAML accepts the name of a theme. It does not check that the theme exists.
func (t *theme) UnmarshalYAML(node ast.Node) error {
	*t = theme(strings.ToLower(node.GetToken().Value))
	if !themeName(string(*t)) {
		return yamltext.ErrorAt(node, "%q is not the name of a theme, such as dark or nord; /theme lists them", string(*t))
	}
	return nil
}

// themeName reports whether a theme can have the given name. Only lower-case letters, digits,
// hyphens and underscores are valid, because the name is part of a file name.
func themeName(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" && name[0] != '-'
}

// UnmarshalYAML accepts one of [Colours].
func (c *colours) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(c), Colours...)
}

// UnmarshalYAML accepts one of [Symbols].
func (s *symbols) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(s), Symbols...)
}

// UnmarshalYAML accepts a way to draw pictures.
func (i *images) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(i), Images...)
}

type statusList []string

// UnmarshalYAML accepts a list of parts of the status line. If the list in the file is empty, the
// status line is empty.
func (s *statusList) UnmarshalYAML(node ast.Node) error {
	var list []string
	if err := yaml.NodeToValue(node, &list); err != nil {
		return yamltext.ErrorAt(node, "\"status\" must be a list of parts of the top line: %s", strings.Join(StatusParts, ", "))
	}
	*s = statusList{}
	for _, part := range list {
		part = strings.ToLower(strings.TrimSpace(part))
		if !slices.Contains(StatusParts, part) {
			return yamltext.ErrorAt(node, "%q is not a part of the status line; the parts are %s", part, strings.Join(StatusParts, ", "))
		}
		*s = append(*s, part)
	}
	return nil
}

// UnmarshalYAML accepts the name of a set of key bindings for the input line.
func (e *editing) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(e), Editing...)
}

// UnmarshalYAML accepts "bell", "osc9" or "off".
func (n *notify) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(n), "bell", "osc9", "off")
}

// UnmarshalYAML accepts "off" or "ntfy".
func (a *answers) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(a), "off", "ntfy")
}

// UnmarshalYAML accepts a sandbox mode.
func (s *sandbox) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(s), "off", "workspace", "strict")
}

// memories contains the valid values of the setting "memory".
var memories = []string{"ask", "auto", "off"}

// UnmarshalYAML accepts one of [memories].
func (r *remembers) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(r), memories...)
}

// UnmarshalYAML accepts an approval mode.
func (a *approve) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(a), "plan", "ask", "edits", "auto", "all")
}

// UnmarshalYAML accepts a list of names.
func (n *nameList) UnmarshalYAML(node ast.Node) error {
	name := func(one string) bool { return !strings.ContainsAny(one, ",= \t") }
	return readList(node, (*[]string)(n), name, "variables must be a list such as [NPM_TOKEN, MYAPP_*]")
}

// UnmarshalYAML accepts a list of rules.
func (r *ruleList) UnmarshalYAML(node ast.Node) error {
	if node.Type() == ast.NullType {
		return nil
	}
	every := func(string) bool { return true }
	return readList(node, (*[]string)(r), every, "rules must be a list such as [run_command(git push *)]")
}

// readList stores a list of words in *to. If node is not a list of words, or valid() rejects a
// word, the error contains the given message.
func readList(node ast.Node, to *[]string, valid func(word string) bool, problem string) error {
	var list []string
	if err := yaml.NodeToValue(node, &list); err != nil || slices.ContainsFunc(list, func(word string) bool { return !valid(word) }) {
		return yamltext.ErrorAt(node, "%s", problem)
	}
	*to = list
	return nil
}

// numberTo10000 is a whole number from 1 to 10,000.
type numberTo10000 int

func (n *numberTo10000) UnmarshalYAML(node ast.Node) error {
	text := node.GetToken().Value
	value, err := strconv.Atoi(text)
	if err != nil || value < 1 || value > 10_000 {
		return yamltext.ErrorAt(node, "%q is not a number from 1 to 10000", text)
	}
	*n = numberTo10000(value)
	return nil
}
