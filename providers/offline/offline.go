package offline

import (
	"context"
	"encoding/json"
	"slices"

	"marvin/messages"
	"marvin/providers"
)

// Tool is what must be known of a tool to use it.
type Tool struct {
	Name     string
	Doc      string
	Schema   json.RawMessage // of type object
	Examples []string        // with slots: "read {README.md|path}"
	Writes   bool            // so that only a whole order becomes a call
}

// Finder knows the tools. It must be safe for concurrent use.
type Finder interface {
	// Find returns the tools that resemble a request, best first, at most n.
	Find(request string, n int) []Tool
	// Lookup returns the tool of exactly that name.
	Lookup(name string) (Tool, bool)
}

// Model is the built-in provider.
type Model struct {
	finder Finder
}

// New makes the built-in provider over a set of tools.
func New(finder Finder) *Model { return &Model{finder: finder} }

// candidates is how many tools are compared with a request.
const candidates = 12

// findTools is the name of the search tool. Its presence means that only some of
// the tools were sent, so that others may be called too.
const findTools = "find_tools"

// Respond answers results with their text, and a request with a call or with what
// can be asked instead. It never fails.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	if err := context.Cause(ctx); err != nil {
		return providers.Reply{}, err
	}
	reply := providers.Reply{Model: "built-in", Finish: providers.Stopped}
	results := lastResults(question.Messages)
	switch {
	case len(results) > 0:
		reply.Text = m.relate(results)
	case len(question.Tools) == 0:
		reply.Text = m.introduce(question)
	default:
		m.read(question, &reply)
	}
	emit(providers.Part{Kind: providers.TextPart, Text: reply.Text})
	return reply, nil
}

// Close does nothing: there is nothing to give back.
func (m *Model) Close() error { return nil }

// read fills in the call that a request means, or the reason why there is none.
func (m *Model) read(question providers.Question, reply *providers.Reply) {
	request := lastRequest(question.Messages)
	reading, ok := m.best(request, question.Tools)
	switch {
	case !ok:
		reply.Text = m.introduce(question)
	case len(reading.missing) > 0:
		reply.Text = reading.incomplete()
	default:
		reply.Text = reading.say()
		reply.Calls = []messages.ToolCall{{Name: reading.tool.Name, Args: reading.encode()}}
		reply.Finish = providers.Called
	}
}

// best is the surest reading of a request, if any is sure enough.
func (m *Model) best(request string, offered []providers.ToolSpec) (reading, bool) {
	tokens := split(request)
	if direct, ok := m.direct(request); ok && callable(direct.tool, offered) {
		return direct, true
	}
	found := m.finder.Find(request, candidates)
	found = slices.DeleteFunc(found, func(t Tool) bool { return !callable(t, offered) })
	var best reading
	for _, template := range templates(found) {
		if r := template.lay(tokens); r.score > best.score {
			best = r
		}
	}
	return best, best.sure()
}

func callable(tool Tool, offered []providers.ToolSpec) bool {
	return slices.ContainsFunc(offered, func(spec providers.ToolSpec) bool {
		return spec.Name == tool.Name || spec.Name == findTools
	})
}

// lastResults are the results that nobody has answered yet.
func lastResults(list []messages.Message) []messages.ToolResult {
	var results []messages.ToolResult
	for _, message := range slices.Backward(list) {
		if message.Role != messages.Tool {
			break
		}
		results = append(results, message.Result)
	}
	slices.Reverse(results)
	return results
}

func lastRequest(list []messages.Message) string {
	for _, message := range slices.Backward(list) {
		if message.Role == messages.User {
			return message.Text
		}
	}
	return ""
}
