package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages"
	"marvin/tools"
)

// mostAsked is how often a server may ask the person during one call.
const mostAsked = 3

// elicit puts a question of the server to the person, as a form, if a call of the
// conversation is under way. Where nobody is, or too often, it is declined.
func (s *Session) elicit(ctx context.Context, request *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	declined := &sdk.ElicitResult{Action: "decline"}
	call := s.asks()
	if call == nil || call.env.Ask == nil || !call.env.Person || request.Params.Mode == "url" {
		return declined, nil
	}
	fields := formOf(request.Params.RequestedSchema)
	if len(fields) == 0 {
		fields = []messages.Field{{Name: "ok", Title: "Go on?", Type: messages.BooleanField, Required: true}}
	}
	reply, err := call.env.Ask(call.ctx, tools.Inquiry{
		Kind: messages.AskForm, Title: fmt.Sprintf("The MCP server %s asks", s.Name),
		Detail: tools.Visible(request.Params.Message) + "\nWhat you enter goes to this server. Give it no password that is not its own.", Fields: fields,
	})
	switch {
	case err != nil || reply.Unanswered != "":
		return &sdk.ElicitResult{Action: "cancel"}, nil
	case reply.Choice != messages.Yes:
		return declined, nil
	}
	return &sdk.ElicitResult{Action: "accept", Content: reply.Values}, nil
}

// asks is the call for which the server may ask now: the one that began last.
func (s *Session) asks() *underway {
	s.mu.Lock()
	defer s.mu.Unlock()
	var last *underway
	at := -1
	for token, call := range s.running {
		number := 0
		_, _ = fmt.Sscanf(token, "call-%d", &number)
		if number > at {
			at, last = number, call
		}
	}
	if last == nil || last.asked >= mostAsked {
		return nil
	}
	last.asked++
	return last
}

// formOf are the fields that a server wants filled in, at most twelve.
func formOf(wanted any) []messages.Field {
	encoded, err := json.Marshal(wanted)
	if err != nil {
		return nil
	}
	var schema struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type        string `json:"type"`
			Title       string `json:"title"`
			Description string `json:"description"`
			Enum        []any  `json:"enum"`
			Default     any    `json:"default"`
		} `json:"properties"`
	}
	if json.Unmarshal(encoded, &schema) != nil {
		return nil
	}
	names := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		at := func(name string) int {
			if i := slices.Index(schema.Required, name); i >= 0 {
				return i
			}
			return len(schema.Required)
		}
		if at(a) != at(b) {
			return at(a) - at(b)
		}
		if a < b {
			return -1
		}
		return 1
	})
	var fields []messages.Field
	for _, name := range names[:min(len(names), 12)] {
		property := schema.Properties[name]
		field := messages.Field{Name: name, Title: tools.Visible(property.Title), Doc: tools.Visible(property.Description), Required: slices.Contains(schema.Required, name), Type: messages.StringField}
		switch {
		case len(property.Enum) > 0:
			field.Type = messages.EnumField
			for _, option := range property.Enum {
				field.Options = append(field.Options, fmt.Sprint(option))
			}
		case property.Type == "number" || property.Type == "integer":
			field.Type = messages.NumberField
		case property.Type == "boolean":
			field.Type = messages.BooleanField
		}
		field.Default = property.Default
		fields = append(fields, field)
	}
	return fields
}
