package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages"
	"marvin/tools"
)

// Limits on a server's requests to the model.
const (
	longestSample = 16_000 // bytes per request; longer requests are refused
	shownSample   = 2_000  // maximum bytes displayed to the user
	sampleBytes   = 4      // estimated bytes per token; converts MaxTokens to bytes
)

// sample sends a server's request to a sub-agent, whose cost counts toward the call's limit. A call
// must be running, and the user must consent. The sub-agent has no tools, runs in the server's own
// directory, and knows nothing about the conversation, the project or the user.
func (s *Session) sample(_ context.Context, request *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
	words, err := wordsOf(request.Params)
	if err != nil {
		return nil, err
	}
	call := s.askingCall()
	switch {
	case call == nil:
		return nil, fmt.Errorf("a server can ask the model only during a call, and at most %d times", mostAsked)
	case call.env.Agents == nil:
		return nil, errors.New("there is no model here")
	case call.env.Ask == nil || !call.env.Person:
		return nil, errors.New("asking the model needs the user's consent, and there is no user")
	}
	agreed, err := s.mayAsk(call, words)
	if err != nil {
		return nil, err
	}
	if !agreed {
		return nil, errors.New("the user said no")
	}
	report := call.env.Agents(call.ctx, 1, []tools.Task{{
		Name: s.Name + " asks", Prompt: words, Brought: "the words of the MCP server " + s.Name,
		Dir: s.ground.Own, Own: s.ground.Own != "", Tools: []string{}, ReadOnly: true, Rounds: 1,
	}})[0]
	if report.Outcome != messages.Completed {
		return nil, fmt.Errorf("the model gave no answer: %s", orElse(report.Err, string(report.Outcome)))
	}
	text, reason := report.Text, "endTurn"
	if most := request.Params.MaxTokens * sampleBytes; most > 0 && int64(len(text)) > most {
		text, reason = strings.ToValidUTF8(text[:most], ""), "maxTokens"
	}
	return &sdk.CreateMessageResult{Role: "assistant", Model: "marvin", StopReason: reason, Content: &sdk.TextContent{Text: text}}, nil
}

// mayAsk asks the user whether the server may send its request to the model.
func (s *Session) mayAsk(call *activeCall, words string) (bool, error) {
	shown := tools.Visible(words)
	if len(shown) > shownSample {
		shown = strings.ToValidUTF8(shown[:shownSample], "") + fmt.Sprintf("\n… and %d bytes more", len(shown)-shownSample)
	}
	reply, err := call.env.Ask(call.ctx, tools.Inquiry{
		Kind: messages.AskForm, Title: fmt.Sprintf("The MCP server %s wants to ask your model", s.Name),
		Detail: shown + "\nThe answer goes to this server. The model gets only this text and has no tools; you pay for the answer.",
		Fields: []messages.Field{{Name: "ask", Title: "Let it ask?", Type: messages.BooleanField, Required: true}},
	})
	if err != nil {
		return false, err
	}
	agreed, _ := reply.Values["ask"].(bool)
	return agreed && reply.Unanswered == "" && reply.Choice == messages.Yes, nil
}

// wordsOf joins a request's system prompt and messages into one text.
func wordsOf(params *sdk.CreateMessageParams) (string, error) {
	var parts []string
	if params.SystemPrompt != "" {
		parts = append(parts, params.SystemPrompt)
	}
	for _, message := range params.Messages {
		text, ok := message.Content.(*sdk.TextContent)
		if !ok {
			return "", errors.New("a server can send the model only text, not pictures or sound")
		}
		if len(params.Messages) == 1 {
			parts = append(parts, text.Text)
		} else {
			parts = append(parts, string(message.Role)+": "+text.Text)
		}
	}
	words := strings.TrimSpace(strings.Join(parts, "\n\n"))
	switch {
	case words == "":
		return "", errors.New("nothing was asked")
	case len(words) > longestSample:
		return "", fmt.Errorf("a server's request has %d bytes, more than the limit of %d", len(words), longestSample)
	}
	return words, nil
}
