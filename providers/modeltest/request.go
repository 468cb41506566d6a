package modeltest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"marvin/messages"
)

// Wire is the protocol of a request.
type Wire string

// The protocols that the server speaks.
const (
	OpenAI    Wire = "openai"
	Ollama    Wire = "ollama"
	Anthropic Wire = "anthropic"
	Responses Wire = "responses"
)

// Request is a decoded request from a client. Raw is the undecoded body.
type Request struct {
	N        int // the number of the request, from 0
	Wire     Wire
	Model    string
	Messages []messages.Message // system prompts and Marvin's own messages have the role [messages.System]
	Tools    []Tool
	Choice   string // the tool named in tool_choice, or ""
	Stream   bool
	Usage    bool   // the client requested token usage
	NumCtx   int    // options.num_ctx
	Effort   string // the effort, as written in the request
	Header   http.Header
	Raw      []byte
}

// Tool is a tool that a request offers.
type Tool struct {
	Name   string
	Doc    string
	Schema json.RawMessage
}

// Last returns the last message of the request.
func (r Request) Last() messages.Message {
	if len(r.Messages) == 0 {
		return messages.Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// Offers reports whether the request offers a tool.
func (r Request) Offers(name string) bool {
	return slices.ContainsFunc(r.Tools, func(tool Tool) bool { return tool.Name == name })
}

// wireRequest has the fields of the OpenAI and Ollama protocols.
type wireRequest struct {
	Model         string        `json:"model"`
	Messages      []wireMessage `json:"messages"`
	Tools         *[]wireTool   `json:"tools"`
	ToolChoice    any           `json:"tool_choice"`
	Stream        *bool         `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	ReasoningEffort string                   `json:"reasoning_effort"`
	Reasoning       *struct{ Effort string } `json:"reasoning"`
	Think           any                      `json:"think"`
	Options         struct {
		NumCtx int `json:"num_ctx"`
	} `json:"options"`
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  *[]wireCall     `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
	ToolName   string          `json:"tool_name"`
	Images     [][]byte        `json:"images"`
	Reasoning  *string         `json:"reasoning_content"`
}

type wireCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	ExtraContent json.RawMessage `json:"extra_content"`
}

type wireTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// decode decodes the body of a request. It returns an error if the body is invalid.
func decode(wire Wire, raw []byte) (Request, error) {
	switch wire {
	case Anthropic:
		return decodeAnthropic(raw)
	case Responses:
		return decodeResponses(raw)
	case OpenAI, Ollama:
	}
	request := Request{Wire: wire, Raw: raw}
	var body wireRequest
	if err := json.Unmarshal(raw, &body); err != nil {
		return request, fmt.Errorf("the body is not a request: %w", err)
	}
	request.Model = body.Model
	request.NumCtx = body.Options.NumCtx
	request.Stream = wire == Ollama // Ollama streams by default
	if body.Stream != nil {
		request.Stream = *body.Stream
	}
	if body.StreamOptions != nil {
		if !request.Stream {
			return request, fmt.Errorf("stream_options is only allowed when stream is true")
		}
		request.Usage = body.StreamOptions.IncludeUsage
	}
	if choice, ok := body.ToolChoice.(map[string]any); ok {
		if function, ok := choice["function"].(map[string]any); ok {
			request.Choice, _ = function["name"].(string)
		}
	}
	if body.Tools != nil {
		if len(*body.Tools) == 0 {
			return request, fmt.Errorf("[] is too short - 'tools'")
		}
		for i, tool := range *body.Tools {
			if tool.Type != "function" {
				return request, fmt.Errorf("tools[%d].type is %q, not function", i, tool.Type)
			}
			request.Tools = append(request.Tools, Tool{tool.Function.Name, tool.Function.Description, tool.Function.Parameters})
		}
	}
	for i, message := range body.Messages {
		decoded, err := message.decode(wire)
		if err != nil {
			return request, fmt.Errorf("messages[%d]: %w", i, err)
		}
		if message.Reasoning != nil {
			decoded.Thinking = append(decoded.Thinking, messages.Thought{Text: *message.Reasoning})
		}
		thinks := strings.HasPrefix(body.Model, "deepseek-v4") || strings.HasPrefix(body.Model, "deepseek-flash")
		if decoded.Role == messages.Assistant && message.Reasoning == nil && thinks {
			return request, errors.New("The `reasoning_content` in the thinking mode must be passed back to the API.")
		}
		if decoded.Role == messages.System && i > 0 {
			return request, errors.New("Jinja Exception: System message must be at the beginning.")
		}
		if wire == OpenAI {
			decoded = restoreSystemRole(decoded)
		}
		request.Messages = append(request.Messages, decoded)
	}
	request.Effort = body.effort()
	return request, nil
}

// restoreSystemRole turns a user message that begins with "[Marvin] " into a system message without
// this prefix.
func restoreSystemRole(message messages.Message) messages.Message {
	if news, ok := strings.CutPrefix(message.Text, "[Marvin] "); ok && message.Role == messages.User && len(message.Pictures) == 0 {
		message.Role, message.Text = messages.System, news
	}
	return message
}

func (m wireMessage) decode(wire Wire) (messages.Message, error) {
	text, pictures, err := m.text(wire)
	if err != nil {
		return messages.Message{}, err
	}
	for _, image := range m.Images {
		if kind := http.DetectContentType(image); !strings.HasPrefix(kind, "image/") {
			return messages.Message{}, fmt.Errorf("an image that is %s", kind)
		}
		pictures = append(pictures, messages.Picture{Type: http.DetectContentType(image)})
	}
	message := messages.Message{Role: messages.Role(m.Role), Text: text, Pictures: pictures}
	if message.Role == messages.Tool {
		message.Text = ""
		message.Result = messages.ToolResult{Call: m.ToolCallID, Name: m.ToolName, Text: text}
	}
	if m.ToolCalls == nil {
		return message, nil
	}
	if len(*m.ToolCalls) == 0 {
		return message, fmt.Errorf("tool_calls is an empty list")
	}
	for _, call := range *m.ToolCalls {
		args := call.Function.Arguments
		if wire == OpenAI {
			var text string
			if err := json.Unmarshal(args, &text); err != nil {
				return message, fmt.Errorf("the arguments of %q are not a string", call.Function.Name)
			}
			if call.Type != "function" {
				return message, fmt.Errorf("the call to %q has type %q, not function", call.Function.Name, call.Type)
			}
			args = json.RawMessage(text)
		}
		message.Calls = append(message.Calls, messages.ToolCall{ID: call.ID, Name: call.Function.Name, Args: args, Opaque: call.ExtraContent})
	}
	return message, nil
}

// text decodes m.Content. In OpenAI's protocol, m.Content can be a list of text and image parts.
func (m wireMessage) text(wire Wire) (string, []messages.Picture, error) {
	if len(m.Content) == 0 || string(m.Content) == "null" {
		return "", nil, nil
	}
	var text string
	if err := json.Unmarshal(m.Content, &text); err == nil {
		return text, nil, nil
	}
	var parts []struct {
		Type  string `json:"type"`
		Text  string `json:"text"`
		Image struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil || wire == Ollama {
		return "", nil, fmt.Errorf("content is neither a string nor a list of parts")
	}
	var whole strings.Builder
	var pictures []messages.Picture
	for _, part := range parts {
		switch {
		case part.Type == "text":
			whole.WriteString(part.Text)
		case part.Type == "image_url" && m.Role == "user":
			head, data, _ := strings.Cut(part.Image.URL, ";base64,")
			decoded, err := base64.StdEncoding.DecodeString(data)
			if media, ok := strings.CutPrefix(head, "data:"); !ok || err != nil || http.DetectContentType(decoded) != media {
				return "", nil, fmt.Errorf("you uploaded an unsupported image")
			}
			pictures = append(pictures, messages.Picture{Type: strings.TrimPrefix(head, "data:")})
		default:
			return "", nil, fmt.Errorf("content part of type %q in a message with role %s", part.Type, m.Role)
		}
	}
	return whole.String(), pictures, nil
}

func (body *wireRequest) effort() string {
	switch {
	case body.Think != nil:
		return fmt.Sprint(body.Think)
	case body.Reasoning != nil:
		return "reasoning " + body.Reasoning.Effort
	}
	return body.ReasoningEffort
}
