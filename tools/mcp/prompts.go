package mcp

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/tools"
)

// Prompt is a prompt that a server offers.
type Prompt struct {
	Name string      `json:"name"`
	Doc  string      `json:"description,omitempty"`
	Args []PromptArg `json:"arguments,omitempty"`
}

// PromptArg is an argument of a prompt.
type PromptArg struct {
	Name     string `json:"name"`
	Doc      string `json:"description,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// Limits on what Marvin accepts from one server.
const (
	mostPrompts = 100
	mostArgs    = 50  // arguments per prompt
	longestArg  = 200 // maximum bytes in an argument name
)

// typable returns a pattern for names that a user can type.
var typable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`) })

// prompts fetches the server's prompts. The second result contains notes about omitted prompts or a
// failed request.
func (s *Session) prompts(ctx context.Context) (all []Prompt, left []string) {
	about := s.client.InitializeResult()
	if about == nil || about.Capabilities == nil || about.Capabilities.Prompts == nil {
		return nil, nil
	}
	defer func() { left = firstLines(left) }()
	for one, err := range pages(s.traffic, func(cursor string) ([]*sdk.Prompt, string, error) {
		page, err := s.client.ListPrompts(ctx, &sdk.ListPromptsParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return page.Prompts, page.NextCursor, nil
	}) {
		switch {
		case err != nil:
			return all, append(left, fmt.Sprintf("the server %s does not list its prompts: %v", s.Name, err))
		case one == nil:
			continue
		case !typable().MatchString(one.Name):
			left = append(left, fmt.Sprintf("the server %s: the prompt %q is left out, because its name cannot be typed", s.Name, clipped(one.Name)))
			continue
		case len(all) == mostPrompts:
			return all, append(left, fmt.Sprintf("the server %s has more than %d prompts; the rest is left out", s.Name, mostPrompts))
		}
		prompt := Prompt{Name: one.Name, Doc: clipped(one.Description)}
		for _, arg := range one.Arguments[:min(len(one.Arguments), mostArgs)] {
			if len(arg.Name) > longestArg {
				continue // users cannot type such a name
			}
			prompt.Args = append(prompt.Args, PromptArg{Name: arg.Name, Doc: clipped(arg.Description), Required: arg.Required})
		}
		all = append(all, prompt)
	}
	return all, left
}

func clipped(text string) string {
	text = tools.Visible(text)
	return strings.ToValidUTF8(text[:min(len(text), 500)], "")
}

// Usage shows how to type the arguments, for example: "who=… [how=…]".
func (p Prompt) Usage() string {
	var parts []string
	for _, arg := range p.Args {
		part := arg.Name + "=…"
		if !arg.Required {
			part = "[" + part + "]"
		}
		parts = append(parts, tools.Visible(part))
	}
	return strings.Join(parts, " ")
}

// values converts arguments of the form NAME=VALUE to a map. A value extends to the next NAME=.
// Text before the first NAME= is the value of the first argument.
func (p Prompt) values(words string) (map[string]string, error) {
	values, last := map[string]string{}, ""
	if len(p.Args) > 0 {
		last = p.Args[0].Name
	}
	for _, word := range strings.Fields(words) {
		if name, value, ok := strings.Cut(word, "="); ok && p.takes(name) {
			values[name], last = value, name
			continue
		}
		if last == "" {
			return nil, fmt.Errorf("%s takes no arguments", p.Name)
		}
		values[last] = strings.TrimSpace(values[last] + " " + word)
	}
	for _, arg := range p.Args {
		if arg.Required && values[arg.Name] == "" {
			return nil, fmt.Errorf("%s wants %s: %s", p.Name, tools.Visible(arg.Name), p.Usage())
		}
	}
	return values, nil
}

func (p Prompt) takes(name string) bool {
	return slices.ContainsFunc(p.Args, func(arg PromptArg) bool { return arg.Name == name })
}

// Prompt returns the text of a prompt. The text is untrusted.
func (s *Session) Prompt(ctx context.Context, prompt Prompt, words string) (string, error) {
	values, err := prompt.values(words)
	if err != nil {
		return "", err
	}
	result, err := s.client.GetPrompt(ctx, &sdk.GetPromptParams{Name: prompt.Name, Arguments: values})
	if err != nil {
		return "", s.explainFailure(fmt.Errorf("the server %s: %w", s.Name, err))
	}
	var parts []string
	for _, message := range result.Messages {
		var said contents
		said.take(message.Content)
		text := strings.Join(said.parts, "\n")
		if message.Role == "assistant" {
			text = "(An answer that is part of the prompt:)\n" + text
		}
		parts = append(parts, text)
	}
	text := tools.Unhidden(tools.Visible(strings.Join(parts, "\n\n")))
	if strings.TrimSpace(text) == "" {
		return "", fmt.Errorf("the server %s returned no text for the prompt %s", s.Name, prompt.Name)
	}
	limits := tools.Limits{Bytes: 256 << 10}
	text, _ = limits.Cut(text)
	return text, nil
}

// ReadListed reads a resource only if the server lists the resource, because an invented URI could
// carry data to the server. If uri is "", ReadListed returns a list of the resources.
func (s *Session) ReadListed(ctx context.Context, uri string) (string, error) {
	all, err := s.Resources(ctx)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, one := range all {
		if one.URI == uri {
			return s.Read(ctx, uri)
		}
		lines = append(lines, strings.TrimRight(tools.Visible(fmt.Sprintf("mcp:%s/%s  %s %s", s.Name, one.URI, one.Name, one.Description)), " "))
	}
	list := strings.Join(lines, "\n")
	switch {
	case uri == "" && list == "":
		return "The MCP server " + s.Name + " offers nothing to read.\n", nil
	case uri == "":
		return "What the MCP server " + s.Name + " lets be read:\n" + list + "\n", nil
	}
	return "", tools.Advise(fmt.Errorf("the MCP server %s lists no resource %q", s.Name, tools.Visible(uri)), "It lists:\n%s", list)
}
