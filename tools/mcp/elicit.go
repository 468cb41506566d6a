package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Limits on a server's questions during one call.
const (
	mostAsked     = 3     // questions
	longestAsked  = 4_000 // bytes of a question
	mostFields    = 12
	mostOptions   = 1_000 // options per field
	longestLabel  = 200   // maximum bytes in a name, title or label
	longestPreset = 500   // maximum bytes in a default value
)

// elicit sends a server's question to the user as a form. It declines a request to open a URL. It
// also declines if no call is running, no user is present, or the server has asked too often.
func (s *Session) elicit(ctx context.Context, request *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	declined := &sdk.ElicitResult{Action: "decline"}
	call := s.askingCall()
	if call == nil || call.env.Ask == nil || !call.env.Person || request.Params.Mode == "url" {
		return declined, nil
	}
	form := formOf(request.Params.RequestedSchema)
	if len(form.fields) == 0 {
		form.fields = []messages.Field{{Name: "ok", Title: "Go on?", Type: messages.BooleanField, Required: true}}
	}
	reply, err := call.env.Ask(call.ctx, tools.Inquiry{
		Kind: messages.AskForm, Title: fmt.Sprintf("The MCP server %s asks", s.Name),
		Detail: shortened(request.Params.Message, longestAsked) + "\nYour answers go to this server. Do not enter a password for another service.", Fields: form.fields,
	})
	switch {
	case err != nil || reply.Unanswered != "":
		return &sdk.ElicitResult{Action: "cancel"}, nil
	case reply.Choice != messages.Yes:
		return declined, nil
	}
	return &sdk.ElicitResult{Action: "accept", Content: form.content(reply.Values)}, nil
}

// askingCall returns the running call that started last, and increments its question count. It
// returns nil if no call is running or the count has reached [mostAsked].
func (s *Session) askingCall() *activeCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	var last *activeCall
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

// form is a form that a server wants the user to fill in. The user chooses labels, and the server
// receives the value of each chosen label.
type form struct {
	fields []messages.Field
	values map[string]map[string]any // option values, keyed by field name and label
	lists  map[string]bool           // text fields that hold a comma-separated list
}

// property is the JSON schema of one form field.
type property struct {
	Type        string    `json:"type"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Enum        []any     `json:"enum"`
	EnumNames   []string  `json:"enumNames"`
	OneOf       []choice  `json:"oneOf"`
	AnyOf       []choice  `json:"anyOf"`
	Items       *property `json:"items"`
	Default     any       `json:"default"`
}

// choice is a value with a title.
type choice struct {
	Const any    `json:"const"`
	Title string `json:"title"`
}

// options returns the allowed values of a property, with their titles.
func (p *property) options() (list []choice) {
	for i, value := range p.Enum {
		one := choice{Const: value}
		if i < len(p.EnumNames) {
			one.Title = p.EnumNames[i]
		}
		list = append(list, one)
	}
	list = append(list, lists.Filter(append(p.OneOf, p.AnyOf...), func(one choice) bool { return one.Const != nil })...)
	return list[:min(len(list), mostOptions)]
}

// formOf converts a schema into a form of at most [mostFields] fields.
func formOf(wanted any) form {
	made := form{values: map[string]map[string]any{}, lists: map[string]bool{}}
	encoded, err := json.Marshal(wanted)
	if err != nil {
		return made
	}
	var schema struct {
		Required   []string            `json:"required"`
		Properties map[string]property `json:"properties"`
	}
	if json.Unmarshal(encoded, &schema) != nil {
		return made
	}
	names := slices.Sorted(maps.Keys(schema.Properties))
	names = slices.DeleteFunc(names, func(name string) bool { return len(name) > longestLabel })
	slices.SortStableFunc(names, func(a, b string) int {
		at := func(name string) int {
			if i := slices.Index(schema.Required, name); i >= 0 {
				return i
			}
			return len(schema.Required)
		}
		return at(a) - at(b)
	})
	for _, name := range names[:min(len(names), mostFields)] {
		made.add(name, schema.Properties[name], slices.Contains(schema.Required, name))
	}
	return made
}

func (f *form) add(name string, property property, required bool) {
	field := messages.Field{Name: name, Title: shortened(property.Title, longestLabel), Doc: clipped(property.Description), Required: required, Type: messages.StringField, Default: property.Default}
	if text, ok := field.Default.(string); ok && len(text) > longestPreset {
		field.Default = nil
	}
	options := property.options()
	switch {
	case property.Type == "array" && property.Items != nil:
		field.Type, options = messages.ChoicesField, property.Items.options()
	case len(options) > 0:
		field.Type = messages.EnumField
	case property.Type == "number" || property.Type == "integer":
		field.Type = messages.NumberField
	case property.Type == "boolean":
		field.Type = messages.BooleanField
	}
	if len(options) > 0 {
		f.label(&field, options)
	} else if field.Type == messages.ChoicesField {
		field.Type, field.Doc = messages.StringField, strings.TrimSpace(field.Doc+" Separate several with commas.")
		f.lists[name] = true
		if list, ok := field.Default.([]any); ok {
			field.Default = nil
			if text := strings.TrimSpace(strings.ReplaceAll(fmt.Sprintln(list...), " ", ", ")); len(text) <= longestPreset {
				field.Default = text
			}
		}
	}
	f.fields = append(f.fields, field)
}

// label appends the options' labels to field.Options, and converts field.Default from values to
// labels.
func (f *form) label(field *messages.Field, options []choice) {
	values, labels := map[string]any{}, map[string]string{}
	for _, one := range options {
		label := shortened(one.Title, longestLabel)
		if _, taken := values[label]; label == "" || taken {
			label = shortened(fmt.Sprint(one.Const), longestLabel)
		}
		values[label], labels[fmt.Sprint(one.Const)] = one.Const, label
		field.Options = append(field.Options, label)
	}
	f.values[field.Name] = values
	switch stated := field.Default.(type) {
	case nil:
	case []any:
		var list []any
		for _, one := range stated[:min(len(stated), mostOptions)] {
			if label, ok := labels[fmt.Sprint(one)]; ok {
				list = append(list, label)
			}
		}
		field.Default = list
	default:
		field.Default = nil
		if label, ok := labels[fmt.Sprint(stated)]; ok {
			field.Default = label
		}
	}
}

// content converts the user's input to the values that the server expects. It replaces labels with
// their values, and splits comma-separated lists.
func (f *form) content(entered map[string]any) map[string]any {
	filled := map[string]any{}
	for name, value := range entered {
		values := f.values[name]
		switch value := value.(type) {
		case string:
			if f.lists[name] {
				var list []any
				for part := range strings.SplitSeq(value, ",") {
					list = append(list, strings.TrimSpace(part))
				}
				filled[name] = list
				continue
			}
			if meant, ok := values[value]; ok {
				filled[name] = meant
				continue
			}
		case []any:
			var list []any
			for _, label := range value {
				if meant, ok := values[fmt.Sprint(label)]; ok {
					list = append(list, meant)
				}
			}
			filled[name] = list
			continue
		}
		filled[name] = value
	}
	return filled
}

func shortened(said string, most int) string { return text.ClipBytes(tools.Visible(said), most) }
