package offline

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// Tool describes a tool for the built-in assistant.
type Tool struct {
	Name     string
	Doc      string
	Schema   json.RawMessage // a JSON schema of type object
	Examples []string        // examples with slots, such as "read {README.md|path}"
	// Writes is true if the tool changes the project or has effects that cannot be undone. A call
	// to such a tool requires that every word of the request matches.
	Writes  bool
	Changes bool // the tool does more than read data
}

// Finder finds tools for a request. It must be safe for concurrent use.
type Finder interface {
	// Find returns at most n tools that are relevant to a request, the most relevant first.
	Find(request string, n int) []Tool
	// Lookup returns the tool with exactly this name.
	Lookup(name string) (Tool, bool)
	// TestCommand returns the command that runs the project's tests, or "".
	TestCommand() string
	// Files returns names of files in the project's directory, a few dozen at most.
	Files() []string
	// Has reports whether a path exists in the project.
	Has(path string) bool
}

// Model is the built-in provider.
type Model struct {
	finder Finder
}

// New returns the built-in provider for a set of tools.
func New(finder Finder) *Model { return &Model{finder: finder} }

// candidates is the number of tools that are compared with a request.
const candidates = 12

// findTools is the name of the search tool. If this tool is offered, all tools are callable.
const findTools = "find_tools"

// Respond answers a request with a call or a suggestion. After a call, it answers with the text of
// the result. It fails only if ctx is done.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	if err := context.Cause(ctx); err != nil {
		return providers.Reply{}, err
	}
	reply := providers.Reply{Model: "built-in", Finish: providers.Stopped}
	results := lastResults(question.Messages)
	switch {
	case len(results) > 0:
		reply.Text = m.relate(results, m.spoken(lastRequest(question.Messages)))
		m.goOn(question, results, &reply)
	case len(question.Tools) == 0:
		reply.Text = m.introduce(question)
	default:
		m.read(question, &reply)
	}
	emit(providers.Part{Kind: providers.TextPart, Text: reply.Text})
	return reply, nil
}

// Close does nothing.
func (m *Model) Close() error { return nil }

// read interprets the last request, and fills in *reply.
func (m *Model) read(question providers.Question, reply *providers.Reply) {
	request := lastRequest(question.Messages)
	before := m.pastOf(question)
	meaning := m.meaning(request, question, before)
	switch reading := meaning.reading; {
	case meaning.undo != nil:
		reply.Text, reply.Undo = m.answer(meaning.say, meaning.locale), meaning.undo
	case meaning.text != "":
		reply.Text = meaning.text
	case meaning.say != "":
		reply.Text = m.answer(meaning.say, meaning.locale)
	case !meaning.sure:
		reply.Text = m.refuse(meaning, request, before)
	case len(reading.missing) > 0:
		reply.Text = reading.asks(meaning.locale)
	default:
		reply.Text = reading.say(cmp.Or(meaning.locale, m.spoken(request)))
		reply.Calls = []messages.ToolCall{{Name: reading.tool.Name, Args: reading.encode()}}
		reply.Finish = providers.Called
	}
}

// meaning is the result of understanding a request: a call, an answer, or neither.
type meaning struct {
	reading reading
	then    []reading // calls that follow the first one
	sure    bool
	say     string // the name of the answer
	text    string // the text of the answer
	undo    *messages.Undo
	locale  string
	reason  string // why the meaning is not certain
	about   string // a path or a command, inserted into the text of the reason
	near    string // an example that is similar to the request
}

// meaning determines what a request means. It tries the most certain interpretations first,
// beginning with the exact form of a call and ending with the examples of the tools.
func (m *Model) meaning(request string, question providers.Question, before past) meaning {
	offered := question.Tools
	if direct, ok := m.direct(request); ok && callable(direct.tool, offered) {
		return meaning{reading: direct, sure: true}
	}
	usable := m.usable(offered, before)
	if run, ok := usable(runCommand); ok {
		if line, reason, ok := readCommand(request); ok {
			return meaning{reading: runs(run, line), sure: reason == "", reason: reason}
		}
	}
	if answered, ok := m.strictAnswer(request, before); ok {
		return answered
	}
	if pointed, ok := m.understandPointing(request, usable, before, question); ok {
		return pointed
	}
	if newFragment(request).rather && before.Last.Call.Name != "" {
		if corrected, ok := m.continues(request, usable, before, question); ok {
			return corrected
		}
	}
	u, understood := m.understandMarked(request, usable)
	if understood && !u.greets() {
		return m.act(u, usable, before, question)
	}
	if again, ok := m.continues(request, usable, before, question); ok {
		return again
	}
	if understood {
		return m.act(u, usable, before, question)
	}
	if answered, ok := m.freeAnswer(request, before); ok {
		return answered
	}
	if locale := language(request); locale != "en" {
		return meaning{locale: locale}
	}
	r, sure := m.nearest(request, offered)
	if sure {
		return meaning{reading: r, sure: true}
	}
	if r.score >= worthShowing && r.said > 0 {
		return meaning{near: firstExample(r.tool.Examples)}
	}
	return meaning{}
}

// worthShowing is the minimum score for showing an example after a request that was not understood.
const worthShowing = 0.6

// understandMarked passes the request to m.understand. If nothing matches, understandMarked removes
// the "@" before file names and tries again.
func (m *Model) understandMarked(request string, usable func(string) (Tool, bool)) (understood, bool) {
	u, ok := m.understand(request, usable)
	if bare := unmarked(request); !ok && bare != request {
		u, ok = m.understand(bare, usable)
	}
	return u, ok
}

// greets returns true if u is a greeting or a farewell. Some greetings and farewells can name a
// time instead, such as "morgen" and "good night".
func (u understood) greets() bool { return u.say == "hello" || u.phrase.tool == "exit_app" }

// act returns the call or the answer for a matched request.
func (m *Model) act(u understood, usable func(string) (Tool, bool), before past, question providers.Question) meaning {
	locale := u.phrase.locale
	if locale == "" {
		locale = language(lastRequest(question.Messages))
	}
	kind, name, _ := strings.Cut(u.say, ".")
	switch {
	case u.say == testsName:
		return m.testsCall(usable, locale, question.Messages)
	case u.say == "thing":
		return m.point(u.values, usable, before, locale)
	case u.say == "once more":
		return m.onceMore(before, question)
	case u.say == "undo", u.say == "redo":
		path, _ := u.values["path"].(string)
		return meaning{say: u.say, locale: locale, undo: &messages.Undo{Path: path, Redo: u.say == "redo"}}
	case u.say == "did":
		return meaning{text: describeLastCall(before, locale)}
	case kind == "line":
		return m.line(name, u.values, usable, locale, question.Messages)
	case kind == "git":
		return meaning{locale: locale, reason: "git", about: name}
	case kind == "art":
		return art(name, u.values, locale)
	case u.say != "":
		return meaning{say: u.say, locale: locale}
	case u.several:
		return meaning{locale: locale, reason: severalThings}
	}
	tool, _ := usable(u.phrase.tool)
	r, ok := u.toReading(tool)
	return meaning{reading: r, sure: ok, locale: locale}
}

func (m *Model) testsCall(usable func(string) (Tool, bool), locale string, list []messages.Message) meaning {
	run, ok := usable(runCommand)
	line := m.finder.TestCommand()
	if !ok || line == "" || moved(list) {
		return meaning{locale: locale, reason: noTests}
	}
	return meaning{reading: runs(run, line), sure: true}
}

// usable returns a function that finds callable tools by name. The function also accepts names of
// answers. These names begin with "!".
func (m *Model) usable(offered []providers.ToolSpec, before past) func(string) (Tool, bool) {
	known := map[string]Tool{}
	var usable func(name string) (Tool, bool)
	usable = func(name string) (Tool, bool) {
		switch {
		case strings.HasPrefix(name, "!line."):
			_, ok := usable(runCommand)
			return Tool{Name: name, Writes: name == "!line.delete" || name == "!line.rename"}, ok
		case name == "!thing":
			return Tool{Name: name}, before.hasTargets()
		case name[0] == '!':
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
	return usable
}

// nearest returns the best match between a request and the examples of the tools. The second result
// reports whether the match is good enough.
func (m *Model) nearest(request string, offered []providers.ToolSpec) (reading, bool) {
	over := ask(request)
	found := m.finder.Find(request, candidates)
	found = slices.DeleteFunc(found, func(t Tool) bool { return !callable(t, offered) || t.Name == runCommand })
	var best reading
	for _, template := range templates(found) {
		if r := template.bestReading(over); r.score > best.score {
			best = r
		}
	}
	rings := best.has("time") || best.has("duration") || best.has("start")
	return best, best.sure() && !(rings && best.tool.Changes && newSentence(request).isNoCommand())
}

func callable(tool Tool, offered []providers.ToolSpec) bool {
	return slices.ContainsFunc(offered, func(spec providers.ToolSpec) bool {
		return spec.Name == tool.Name || spec.Name == findTools
	})
}

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

// moved returns true if a tool call changed the working directory.
func moved(list []messages.Message) bool {
	return slices.ContainsFunc(list, func(message messages.Message) bool {
		return slices.ContainsFunc(message.Calls, func(call messages.ToolCall) bool { return call.Name == "set_working_dir" })
	})
}
