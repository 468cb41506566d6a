package modeltest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"marvin/messages"
)

// This file checks whether requests follow the rules of the Messages API. The rules are from the
// API's reference and the pages "Errors", "Tool use", "Thinking" and "Troubleshooting thinking" at
// platform.claude.com/docs (read 2026-11), and from refusals quoted in microsoft/vscode#318076 and
// CaddyGlow/ccproxy-api#37.

type anthropicRequest struct {
	Model        string                       `json:"model"`
	MaxTokens    int                          `json:"max_tokens"`
	Stream       bool                         `json:"stream"`
	System       []anthropicBlock             `json:"system"`
	Tools        []anthropicTool              `json:"tools"`
	ToolChoice   *struct{ Type, Name string } `json:"tool_choice"`
	CacheControl json.RawMessage              `json:"cache_control"`
	Thinking     *struct {
		Type    string `json:"type"`
		Budget  int    `json:"budget_tokens"`
		Binding *struct {
			Mismatch string `json:"prefix_mismatch_behavior"`
		} `json:"block_binding"`
	} `json:"thinking"`
	Output *struct {
		Effort string `json:"effort"`
	} `json:"output_config"`
	Messages []struct {
		Role    string           `json:"role"`
		Content []anthropicBlock `json:"content"`
	} `json:"messages"`
}

type anthropicTool struct {
	Name   string          `json:"name"`
	Doc    string          `json:"description"`
	Schema json.RawMessage `json:"input_schema"`
}

type anthropicBlock struct {
	Type         string           `json:"type"`
	Text         string           `json:"text"`
	Thinking     *string          `json:"thinking"`
	Signature    string           `json:"signature"`
	Data         string           `json:"data"`
	ID           string           `json:"id"`
	Name         string           `json:"name"`
	Input        json.RawMessage  `json:"input"`
	ToolUse      string           `json:"tool_use_id"`
	Failed       bool             `json:"is_error"`
	Content      []anthropicBlock `json:"content"`
	Source       *pictureSource   `json:"source"`
	CacheControl json.RawMessage  `json:"cache_control"`
}

type pictureSource struct {
	Type  string `json:"type"`
	Media string `json:"media_type"`
	Data  string `json:"data"`
}

var anthropicID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// adaptsAlone matches models that accept no token budget for thinking. adaptsToo matches all models
// that accept adaptive thinking.
var (
	adaptsAlone = regexp.MustCompile(`claude-(opus|sonnet|haiku)-(4-[7-9]|[5-9])|claude-(fable|mythos)`)
	// upFront matches models that accept "between_tools" but refuse "disabled"
	// (platform.claude.com/docs, models/sonnet-5-5/whats-new-sonnet-5-5).
	upFront = regexp.MustCompile(`claude-sonnet-5-5`)
	// Thinking cannot be disabled in these models (anthropics/skills, claude-api/shared/models.md;
	// for Opus 5.5, see the source in effort_test.go).
	never     = regexp.MustCompile(`claude-(opus-5-5|fable|mythos)`)
	adaptsToo = regexp.MustCompile(`claude-(opus|sonnet|haiku)-(4-[6-9]|[5-9])|claude-(fable|mythos)`)
)

func decodeAnthropic(raw []byte) (Request, error) {
	request := Request{Wire: Anthropic, Raw: raw, Usage: true}
	var body anthropicRequest
	if err := decodeStrictly(raw, &body); err != nil {
		return request, fmt.Errorf("extra inputs are not permitted: %w", err)
	}
	request.Model, request.Stream = body.Model, body.Stream
	for _, tool := range body.Tools {
		request.Tools = append(request.Tools, Tool(tool))
	}
	if body.Thinking != nil {
		request.Effort = fmt.Sprint(body.Thinking.Type, " ", body.Thinking.Budget)
	}
	if body.Output != nil {
		request.Effort += " " + body.Output.Effort
	}
	var found breaches
	breach := found.add
	if body.MaxTokens < 1 {
		breach("max_tokens: Field required")
	}
	if bytes.Count(raw, []byte(`"cache_control":`)) > 4 {
		breach("a maximum of 4 blocks with cache_control may be provided")
	}
	body.checkThinking(breach)
	body.checkTurns(breach)
	for _, message := range body.Messages {
		request.Messages = append(request.Messages, plainly(message.Role, message.Content)...)
	}
	for _, block := range body.System {
		request.Messages = append([]messages.Message{{Role: messages.System, Text: block.Text}}, request.Messages...)
	}
	return request, found.err()
}

// checkTurns checks that user and assistant messages alternate, and that each call in a message has
// a result at the beginning of the next message.
func (body *anthropicRequest) checkTurns(breach func(string, ...any)) {
	var open []string // ids of the calls in the previous message
	for i, message := range body.Messages {
		if want := []string{"user", "assistant"}[i%2]; message.Role != want {
			breach("messages.%d: roles must alternate between user and assistant, beginning with user; found %q", i, message.Role)
		}
		if len(message.Content) == 0 {
			breach("messages.%d: content must not be empty", i)
		}
		results := 0
		for j, block := range message.Content {
			block.check(fmt.Sprintf("messages.%d.content.%d", i, j), message.Role, breach)
			if block.Type == "tool_result" {
				switch {
				case j != results:
					breach("messages.%d: tool_result blocks must come first", i)
				case results >= len(open) || open[results] != block.ToolUse:
					breach("messages.%d.content.%d: unexpected tool_use_id found in tool_result blocks: %s. Each tool_result block must have a corresponding tool_use block in the previous message", i, j, block.ToolUse)
				}
				results++
			}
		}
		if results < len(open) {
			breach("messages.%d: tool_use ids were found without tool_result blocks immediately after: %v", i, open[results:])
		}
		open = nil
		for _, block := range message.Content {
			if block.Type == "tool_use" {
				open = append(open, block.ID)
			}
		}
		if len(open) > 0 && len(body.Tools) == 0 {
			breach("requests which include tool_use or tool_result blocks must define tools")
		}
	}
	if last := len(body.Messages) - 1; last < 0 || body.Messages[last].Role != "user" {
		breach("this model does not support assistant message prefill. The conversation must end with a user message")
	}
}

func (body *anthropicRequest) checkThinking(breach func(string, ...any)) {
	if body.Output != nil && !strings.Contains(" low medium high xhigh max ", " "+body.Output.Effort+" ") {
		breach("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'")
	}
	if body.Thinking == nil {
		return
	}
	switch body.Thinking.Type {
	case "enabled":
		if adaptsAlone.MatchString(body.Model) {
			breach("thinking.type: enabled is not supported on this model")
		}
		if body.Thinking.Budget < 1024 || body.Thinking.Budget >= body.MaxTokens {
			breach("thinking.budget_tokens: %d; it must be at least 1024 and less than max_tokens %d", body.Thinking.Budget, body.MaxTokens)
		}
	case "adaptive":
		if !adaptsToo.MatchString(body.Model) {
			breach("thinking.type: adaptive is not supported on this model")
		}
	case "disabled", "between_tools":
		between := body.Thinking.Type == "between_tools"
		if between != upFront.MatchString(body.Model) || never.MatchString(body.Model) {
			breach("thinking.type: %s is not supported on this model", body.Thinking.Type)
		}
		if body.Output != nil && strings.Contains(" xhigh max ", " "+body.Output.Effort+" ") {
			breach("thinking.type: %s is not supported with effort %s", body.Thinking.Type, body.Output.Effort)
		}
		return
	default:
		breach("thinking.type: %q", body.Thinking.Type)
	}
	// In a tool loop, the last assistant message must begin with thinking.
	for i := len(body.Messages) - 1; i >= 0; i-- {
		message := body.Messages[i]
		if message.Role == "user" && (len(message.Content) == 0 || message.Content[0].Type != "tool_result") {
			return
		}
		if message.Role == "assistant" && len(message.Content) > 0 {
			if kind := message.Content[0].Type; kind != "thinking" && kind != "redacted_thinking" {
				breach("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `%s`. When `thinking` is enabled, a final `assistant` message must start with a thinking block", i, kind)
			}
			return
		}
	}
}

func (b anthropicBlock) check(where, role string, breach func(string, ...any)) {
	allowed := map[string]string{"user": " text image tool_result ", "assistant": " text thinking redacted_thinking tool_use "}[role]
	if !strings.Contains(allowed, " "+b.Type+" ") {
		breach("%s: a block of type %q in a message with role %s", where, b.Type, role)
	}
	switch b.Type {
	case "text":
		if strings.TrimSpace(b.Text) == "" {
			breach("%s: text content blocks must be non-empty and contain non-whitespace text", where)
		}
	case "thinking":
		if b.Thinking == nil || b.Signature != signed(*b.Thinking) {
			breach("%s: Invalid `signature` in `thinking` block", where)
		}
	case "redacted_thinking":
		if b.Data == "" {
			breach("%s: Invalid `data` in `redacted_thinking` block", where)
		}
	case "tool_use":
		if !anthropicID.MatchString(b.ID) {
			breach("%s.id: String should match pattern '^[a-zA-Z0-9_-]+$': %q", where, b.ID)
		}
	case "tool_result":
		for i, inner := range b.Content {
			inner.check(fmt.Sprintf("%s.content.%d", where, i), "user", breach)
		}
	case "image":
		b.Source.check(where, breach)
	}
}

func (s *pictureSource) check(where string, breach func(string, ...any)) {
	if s == nil || s.Type != "base64" {
		breach("%s.source: Field required", where)
		return
	}
	data, err := base64.StdEncoding.DecodeString(s.Data)
	if err != nil || len(data) == 0 {
		breach("%s.source.base64: invalid base64 data", where)
		return
	}
	if kind := http.DetectContentType(data); kind != s.Media {
		breach("%s.source: the image was specified using the %s media type, but it appears to be %s", where, s.Media, kind)
	}
}

func plainly(role string, blocks []anthropicBlock) (all []messages.Message) {
	answer := messages.Message{Role: messages.Assistant}
	for _, block := range blocks {
		switch block.Type {
		case "text":
			if role == "user" {
				all = append(all, messages.Message{Role: messages.User, Text: block.Text})
			}
			answer.Text += block.Text
		case "image":
			all = append(all, messages.Message{Role: messages.User, Text: "(a picture)", Pictures: []messages.Picture{{Type: block.Source.mediaType()}}})
		case "thinking":
			answer.Thinking = append(answer.Thinking, messages.Thought{Text: *block.Thinking, Opaque: block.Signature})
		case "tool_use":
			answer.Calls = append(answer.Calls, messages.ToolCall{ID: block.ID, Name: block.Name, Args: block.Input})
		case "tool_result":
			result := messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: block.ToolUse}}
			for _, inner := range block.Content {
				result.Result.Text += inner.Text
				if inner.Type == "image" {
					result.Result.Pictures = append(result.Result.Pictures, messages.Picture{Type: inner.Source.mediaType()})
				}
			}
			all = append(all, result)
		}
	}
	if role == "assistant" {
		all = append(all, answer)
	}
	return all
}

func (s *pictureSource) mediaType() string {
	if s == nil {
		return ""
	}
	return s.Media
}
