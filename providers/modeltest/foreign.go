package modeltest

import (
	"encoding/json"
	"strings"

	"marvin/messages"
)

// Foreign makes the server accept requests from other programs. It disables the checks of keys,
// fields and tools. Decoded tools have only a name. The Text of a decoded message is the raw JSON
// of its content.
func (s *Server) Foreign() *Server {
	return s.set(func() { s.foreign = true })
}

// foreignRequest has the fields that the protocols have in common.
type foreignRequest struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []foreignItem
	Input    json.RawMessage // a string or a list
	Tools    []struct {
		Name     string
		Function struct{ Name string }
	}
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type foreignItem struct {
	Role, Type string
	Content    json.RawMessage
}

func decodeForeign(wire Wire, raw []byte) (request Request, err error) {
	request = Request{Wire: wire, Raw: raw}
	var body foreignRequest
	if err = json.Unmarshal(raw, &body); err != nil {
		return request, err
	}
	request.Model, request.Stream, request.Usage = body.Model, body.Stream, body.StreamOptions.IncludeUsage
	for _, tool := range body.Tools {
		request.Tools = append(request.Tools, Tool{Name: tool.Name + tool.Function.Name})
	}
	items := body.Messages
	_ = json.Unmarshal(body.Input, &items)
	for _, item := range items {
		message := messages.Message{Role: messages.Role(item.Role), Text: string(item.Content)}
		if strings.HasSuffix(item.Type, "_output") || strings.Contains(message.Text, `"tool_result"`) {
			message.Role = messages.Tool
		}
		request.Messages = append(request.Messages, message)
	}
	return request, nil
}
