package openaichat

import (
	"encoding/json"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"marvin/messages"
	"marvin/providers"
)

// params makes the request for a question. Equal questions make equal bytes, and
// the messages of a longer conversation begin with those of the shorter one, which
// is what providers cache by. 30 tools and 100 messages take about 0.4 ms.
func (m *Model) params(question providers.Question) openai.ChatCompletionNewParams {
	conversation := providers.Repair(question.Messages)
	params := openai.ChatCompletionNewParams{
		Model:         m.config.Model,
		Messages:      make([]openai.ChatCompletionMessageParamUnion, 0, len(conversation)+1),
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	params.SetExtraFields(map[string]any{"stream": true}) // openai-go sets it only in its own streams
	if system := strings.ToValidUTF8(question.System, "\ufffd"); strings.TrimSpace(system) != "" {
		params.Messages = append(params.Messages, openai.SystemMessage(system))
	}
	for _, message := range conversation {
		params.Messages = append(params.Messages, m.message(message))
	}
	for _, tool := range question.Tools {
		params.Tools = append(params.Tools, toolParam(tool))
	}
	return params
}

func (m *Model) message(message messages.Message) openai.ChatCompletionMessageParamUnion {
	switch message.Role {
	case messages.System:
		return openai.SystemMessage(message.Text)
	case messages.Tool:
		return openai.ToolMessage(message.Result.Text, message.Result.Call)
	case messages.Assistant:
		return m.answer(message)
	}
	return openai.UserMessage(message.Text)
}

func (m *Model) answer(message messages.Message) openai.ChatCompletionMessageParamUnion {
	answer := openai.ChatCompletionAssistantMessageParam{}
	answer.Content.OfString = openai.String(message.Text)
	if message.Text == "" {
		// null, as the API itself answers: some servers want the field (DeepSeek),
		// others refuse an empty text.
		answer.Content = openai.ChatCompletionAssistantMessageParamContentUnion{OfString: param.Null[string]()}
	}
	for _, call := range message.Calls {
		wire := openai.ChatCompletionMessageFunctionToolCallParam{
			ID:       call.ID,
			Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: call.Name, Arguments: string(call.Args)},
		}
		if len(call.Opaque) > 0 && call.Origin == m.config.Provider {
			wire.SetExtraFields(map[string]any{"extra_content": call.Opaque})
		}
		answer.ToolCalls = append(answer.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &wire})
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: &answer}
}

// toolParam passes the schema through as it is: it was inferred and encoded once.
func toolParam(tool providers.ToolSpec) openai.ChatCompletionToolUnionParam {
	function := openai.FunctionDefinitionParam{Name: tool.Name}
	if tool.Doc != "" {
		function.Description = openai.String(strings.ToValidUTF8(tool.Doc, "\ufffd"))
	}
	if len(tool.Schema) > 0 {
		function.SetExtraFields(map[string]any{"parameters": json.RawMessage(tool.Schema)})
	}
	return openai.ChatCompletionToolUnionParam{OfFunction: &openai.ChatCompletionFunctionToolParam{Function: function}}
}
