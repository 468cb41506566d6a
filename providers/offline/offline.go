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
	Writes   bool            // the project, or what cannot be undone: only a whole order becomes a call
	Changes  bool            // something that somebody would miss
}

// Finder knows the tools. It must be safe for concurrent use.
type Finder interface {
	// Find returns the tools that resemble a request, best first, at most n.
	Find(request string, n int) []Tool
	// Lookup returns the tool of exactly that name.
	Lookup(name string) (Tool, bool)
	// TestCommand is the line that runs the tests of the project, or nothing.
	TestCommand() string
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
	meaning := m.meaning(request, question)
	switch reading := meaning.reading; {
	case meaning.say != "":
		reply.Text = m.answer(meaning.say, meaning.locale, question)
	case !meaning.sure:
		reply.Text = m.refuse(meaning.reason, request, question)
	case len(reading.missing) > 0:
		reply.Text = reading.incomplete()
	default:
		reply.Text = reading.say()
		reply.Calls = []messages.ToolCall{{Name: reading.tool.Name, Args: reading.encode()}}
		reply.Finish = providers.Called
	}
}

// meaning is what a request was understood as: a call, something to say, or neither.
type meaning struct {
	reading reading
	sure    bool
	say     string // the name of a text
	locale  string
	reason  string // why it is not sure
}

// meaning reads a request, in the order of certainty: the exact form of a call, a line
// for the shell, the phrases, the examples of the tools.
func (m *Model) meaning(request string, question providers.Question) meaning {
	offered := question.Tools
	if direct, ok := m.direct(request); ok && callable(direct.tool, offered) {
		return meaning{reading: direct, sure: true}
	}
	usable := m.usable(offered)
	if run, ok := usable(runCommand); ok {
		if line, reason, ok := readCommand(request); ok {
			return meaning{reading: runs(run, line), sure: reason == "", reason: reason}
		}
	}
	u, ok := m.understand(request, usable)
	if bare := unmarked(request); !ok && bare != request {
		u, ok = m.understand(bare, usable)
	}
	if ok {
		return m.act(u, usable, question.Messages)
	}
	if locale := language(request); locale != "en" {
		return meaning{locale: locale}
	}
	if r, ok := m.nearest(request, offered); ok {
		return meaning{reading: r, sure: true}
	}
	return meaning{}
}

// act makes a call of what was understood.
func (m *Model) act(u understood, usable func(string) (Tool, bool), list []messages.Message) meaning {
	locale := u.phrase.locale
	switch {
	case u.say == testsName:
		run, ok := usable(runCommand)
		line := m.finder.TestCommand()
		if !ok || line == "" || moved(list) {
			return meaning{locale: locale, reason: noTests}
		}
		return meaning{reading: runs(run, line), sure: true}
	case u.say != "":
		return meaning{say: u.say, locale: locale}
	case u.several:
		return meaning{locale: locale, reason: severalThings}
	}
	tool, _ := usable(u.phrase.tool)
	r, ok := u.reading(tool)
	return meaning{reading: r, sure: ok, locale: locale}
}

// usable looks up the tools that phrases name, and lets through what is only said.
func (m *Model) usable(offered []providers.ToolSpec) func(string) (Tool, bool) {
	known := map[string]Tool{}
	return func(name string) (Tool, bool) {
		if name[0] == '!' {
			return Tool{Name: name}, true
		}
		tool, ok := known[name]
		if !ok {
			tool, ok = m.finder.Lookup(name)
			if !ok || !callable(tool, offered) {
				tool = Tool{}
			}
			known[name] = tool
		}
		return tool, tool.Name != ""
	}
}

// nearest is the surest reading of a request by the examples of the tools, if any is
// sure enough.
func (m *Model) nearest(request string, offered []providers.ToolSpec) (reading, bool) {
	over := ask(request)
	found := m.finder.Find(request, candidates)
	found = slices.DeleteFunc(found, func(t Tool) bool { return !callable(t, offered) || t.Name == runCommand })
	var best reading
	for _, template := range templates(found) {
		if r := template.lay(over); r.score > best.score {
			best = r
		}
	}
	rings := best.has("time") || best.has("duration") || best.has("start")
	return best, best.sure() && !(rings && best.tool.Changes && newSentence(request).tells())
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

// moved says that the conversation left the project that it began in.
func moved(list []messages.Message) bool {
	return slices.ContainsFunc(list, func(message messages.Message) bool {
		return slices.ContainsFunc(message.Calls, func(call messages.ToolCall) bool { return call.Name == "set_working_dir" })
	})
}
