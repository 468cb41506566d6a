package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"marvin/messages"
)

// Wire is the protocol that a request was written in.
type Wire string

// The protocols that the server speaks.
const (
	OpenAI Wire = "openai"
	Ollama Wire = "ollama"
)

// Request is what one client asked, decoded. Raw are the bytes it sent.
type Request struct {
	N        int // the number of the request at this server, from 0
	Wire     Wire
	Model    string
	Messages []messages.Message // system messages included
	Tools    []Tool
	Choice   string // the name in tool_choice, if it names a tool
	Stream   bool
	Usage    bool // the client asked for usage in the stream
	NumCtx   int  // options.num_ctx
	Header   http.Header
	Raw      []byte
}

// Tool is a tool as it was offered.
type Tool struct {
	Name   string
	Doc    string
	Schema json.RawMessage
}

// Last is the last message of the request.
func (r Request) Last() messages.Message {
	if len(r.Messages) == 0 {
		return messages.Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// Offers reports whether the request offers a tool.
func (r Request) Offers(name string) bool {
	for _, tool := range r.Tools {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// wireRequest has the fields of both protocols.
type wireRequest struct {
	Model         string        `json:"model"`
	Messages      []wireMessage `json:"messages"`
	Tools         *[]wireTool   `json:"tools"`
	ToolChoice    any           `json:"tool_choice"`
	Stream        *bool         `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Options struct {
		NumCtx int `json:"num_ctx"`
	} `json:"options"`
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  *[]wireCall     `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
	ToolName   string          `json:"tool_name"`
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

// decode reads a request; what it cannot read is a breach, not an error.
func decode(wire Wire, raw []byte) (Request, error) {
	request := Request{Wire: wire, Raw: raw}
	var body wireRequest
	if err := json.Unmarshal(raw, &body); err != nil {
		return request, fmt.Errorf("the body is not a request: %w", err)
	}
	request.Model = body.Model
	request.NumCtx = body.Options.NumCtx
	request.Stream = wire == Ollama // Ollama streams unless told not to
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
		request.Messages = append(request.Messages, decoded)
	}
	return request, nil
}

func (m wireMessage) decode(wire Wire) (messages.Message, error) {
	text, err := m.text(wire)
	if err != nil {
		return messages.Message{}, err
	}
	message := messages.Message{Role: messages.Role(m.Role), Text: text}
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
				return message, fmt.Errorf("the call of %q has type %q, not function", call.Function.Name, call.Type)
			}
			args = json.RawMessage(text)
		}
		message.Calls = append(message.Calls, messages.ToolCall{ID: call.ID, Name: call.Function.Name, Args: args, Opaque: call.ExtraContent})
	}
	return message, nil
}

// text reads content: a string, null, or in OpenAI's protocol a list of text parts.
func (m wireMessage) text(wire Wire) (string, error) {
	if len(m.Content) == 0 || string(m.Content) == "null" {
		return "", nil
	}
	var text string
	if err := json.Unmarshal(m.Content, &text); err == nil {
		return text, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil || wire == Ollama {
		return "", fmt.Errorf("content is neither a string nor a list of parts")
	}
	var whole strings.Builder
	for _, part := range parts {
		if part.Type != "text" {
			return "", fmt.Errorf("content part of type %q", part.Type)
		}
		whole.WriteString(part.Text)
	}
	return whole.String(), nil
}
