package modeltest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"marvin/messages"
)

// This file checks whether requests follow the rules of the Responses API. The rules are from the
// API's reference at platform.openai.com/docs and from refusals quoted in can1357/oh-my-pi#50 and
// Wei-Shaw/sub2api#3138. The API refuses unknown fields, a call without its output, an output
// without its call, and reasoning from another account.

type responsesRequest struct {
	Model          string                            `json:"model"`
	Stream         bool                              `json:"stream"`
	Store          *bool                             `json:"store"`
	Instructions   string                            `json:"instructions"`
	Include        []string                          `json:"include"`
	MaxOutput      int                               `json:"max_output_tokens"`
	PromptCacheKey string                            `json:"prompt_cache_key"`
	Reasoning      *struct{ Effort, Summary string } `json:"reasoning"`
	Tools          []struct {
		Type   string          `json:"type"`
		Name   string          `json:"name"`
		Doc    string          `json:"description"`
		Schema json.RawMessage `json:"parameters"`
		Strict *bool           `json:"strict"`
	} `json:"tools"`
	Input []responsesItem `json:"input"`
}

type responsesItem struct {
	Type      string                         `json:"type"`
	ID        string                         `json:"id"`
	Role      string                         `json:"role"`
	Content   json.RawMessage                `json:"content"`
	CallID    string                         `json:"call_id"`
	Name      string                         `json:"name"`
	Arguments string                         `json:"arguments"`
	Output    json.RawMessage                `json:"output"`
	Summary   *[]struct{ Type, Text string } `json:"summary"`
	Encrypted string                         `json:"encrypted_content"`
}

type responsesPart struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Image  string `json:"image_url"`
	Detail string `json:"detail"`
}

func decodeResponses(raw []byte) (Request, error) {
	request := Request{Wire: Responses, Raw: raw, Usage: true}
	var body responsesRequest
	if err := decodeStrictly(raw, &body); err != nil {
		return request, fmt.Errorf("unknown parameter: %w", err)
	}
	var found breaches
	breach := found.add
	request.Model, request.Stream = body.Model, body.Stream
	if body.Reasoning != nil {
		request.Effort = body.Reasoning.Effort
		if !strings.Contains(" none minimal low medium high xhigh max  ", " "+body.Reasoning.Effort+" ") {
			breach("invalid value for reasoning.effort: %q", body.Reasoning.Effort)
		}
	}
	for i, tool := range body.Tools {
		if tool.Type != "function" {
			breach("tools[%d].type is %q", i, tool.Type)
		}
		if tool.Strict != nil && *tool.Strict { // if the field is absent, OpenAI uses strict mode for suitable schemas
			breach("tools[%d]: a strict function needs additionalProperties false and all properties required", i)
		}
		request.Tools = append(request.Tools, Tool{tool.Name, tool.Doc, tool.Schema})
	}
	if body.Instructions != "" {
		request.Messages = append(request.Messages, messages.Message{Role: messages.System, Text: body.Instructions})
	}
	items := &responsesItems{request: &request, breach: breach, stored: body.Store == nil || *body.Store}
	for i, item := range body.Input {
		items.take(i, item)
	}
	items.end()
	return request, found.err()
}

type responsesItems struct {
	request *Request
	breach  func(string, ...any)
	stored  bool
	open    []string // the ids of calls without an output
	thought bool     // the previous item was reasoning
}

func (r *responsesItems) take(i int, item responsesItem) {
	if r.thought && item.Type != "function_call" && item.Type != "reasoning" && !(item.Type == "message" && item.Role == "assistant") {
		r.breach("input[%d]: Item 'rs' of type 'reasoning' was provided without its required following item", i)
	}
	r.thought = item.Type == "reasoning"
	if item.ID != "" && !r.stored && item.Type != "reasoning" {
		r.breach("input[%d]: Item with id %q not found. Items are not persisted when store is set to false", i, item.ID)
	}
	last := func() *messages.Message {
		all := r.request.Messages
		if len(all) == 0 || all[len(all)-1].Role != messages.Assistant {
			r.request.Messages = append(all, messages.Message{Role: messages.Assistant})
		}
		return &r.request.Messages[len(r.request.Messages)-1]
	}
	switch item.Type {
	case "message":
		text, pictures := r.parts(i, item)
		role := map[string]messages.Role{"user": messages.User, "assistant": messages.Assistant, "developer": messages.System, "system": messages.System}[item.Role]
		if role == "" {
			r.breach("input[%d].role: invalid value %q", i, item.Role)
		}
		if role == messages.Assistant {
			last().Text += text
			return
		}
		r.request.Messages = append(r.request.Messages, messages.Message{Role: role, Text: text, Pictures: pictures})
	case "reasoning":
		if item.Summary == nil {
			r.breach("input[%d]: missing required parameter: summary", i)
			return
		}
		text := ""
		for _, part := range *item.Summary {
			text += part.Text
		}
		if item.Encrypted != sealed(item.ID, text) {
			r.breach("input[%d]: invalid_encrypted_content: the encrypted content could not be verified", i)
		}
		answer := last()
		answer.Thinking = append(answer.Thinking, messages.Thought{Text: text, Opaque: item.Encrypted})
	case "function_call":
		answer := last()
		answer.Calls = append(answer.Calls, messages.ToolCall{ID: item.CallID, Name: item.Name, Args: json.RawMessage(item.Arguments)})
		r.open = append(r.open, item.CallID)
	case "function_call_output":
		if len(r.open) == 0 || r.open[0] != item.CallID {
			r.breach("No tool call found for function call output with call_id %s.", item.CallID)
		} else {
			r.open = r.open[1:]
		}
		text, pictures := r.parts(i, responsesItem{Content: item.Output, Role: "user"})
		r.request.Messages = append(r.request.Messages, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: item.CallID, Text: text, Pictures: pictures}})
	default:
		r.breach("input[%d]: invalid value %q for type", i, item.Type)
	}
}

// parts decodes item.Content, which is a string or a list of parts.
func (r *responsesItems) parts(i int, item responsesItem) (text string, pictures []messages.Picture) {
	if json.Unmarshal(item.Content, &text) == nil {
		return text, nil
	}
	var parts []responsesPart
	if err := json.Unmarshal(item.Content, &parts); err != nil || len(parts) == 0 {
		r.breach("input[%d].content: expected a string or a list of parts", i)
	}
	for _, part := range parts {
		switch {
		case part.Type == "input_text" && item.Role != "assistant", part.Type == "output_text" && item.Role == "assistant":
			text += part.Text
		case part.Type == "input_image" && item.Role == "user":
			head, data, _ := strings.Cut(part.Image, ";base64,")
			decoded, err := base64.StdEncoding.DecodeString(data)
			if media, ok := strings.CutPrefix(head, "data:"); !ok || err != nil || http.DetectContentType(decoded) != media {
				r.breach("input[%d]: the image data you provided does not represent a valid image", i)
			}
			pictures = append(pictures, messages.Picture{Type: strings.TrimPrefix(head, "data:")})
		default:
			r.breach("input[%d].content: invalid value %q for a message with role %s", i, part.Type, item.Role)
		}
	}
	return text, pictures
}

func (r *responsesItems) end() {
	if len(r.open) > 0 {
		r.breach("No tool output found for function call %s.", r.open[0])
	}
	if r.thought {
		r.breach("a 'reasoning' item was provided without its required following item")
	}
}
