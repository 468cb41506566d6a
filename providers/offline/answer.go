package offline

import (
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// relate answers with what the tools returned, word for word. A failure gets the
// next step that a person can take.
func (m *Model) relate(results []messages.ToolResult) string {
	var parts []string
	for _, result := range results {
		text := strings.TrimRight(messages.ForPeople(messages.Unframe(result.Text)), "\n")
		if next := m.next(result); next != "" {
			text += "\n\n" + next
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n") + "\n"
}

func (m *Model) next(result messages.ToolResult) string {
	switch result.Status {
	case messages.OK, "":
		return ""
	case messages.Denied:
		return "You said no, so " + result.Name + " did not run. Nothing was changed."
	case messages.Forbidden:
		next := "This is refused by the settings of this run, not by a person."
		if strings.Contains(result.Text, "coding mode") {
			next += " Start with --working-dir DIRECTORY, or type /code."
		}
		return next
	case messages.Interrupted:
		return "It was stopped before it was done. Ask again to run it again."
	case messages.TimedOut:
		return "It took too long and was stopped. Try again with less to do at once."
	case messages.Crashed:
		return "This is a fault in Marvin: `marvin log` shows it, and `marvin report` makes a file for those who mend it."
	}
	tool, ok := m.finder.Lookup(result.Name)
	if sample := plain(tool.Examples); ok && sample != "" {
		return "The tool " + result.Name + " could not do that. It understands requests such as: " + sample
	}
	return "The tool " + result.Name + " could not do that. Ask again with other values."
}

// enough examples to show the range without filling the screen.
const samples = 5

// said is a text of the phrase files, in the language of the request.
func said(name, locale string) string {
	book, err := phraseBook()
	if err != nil {
		return ""
	}
	if g := book[locale]; g != nil && g.said[name] != "" {
		return g.said[name]
	}
	return book["en"].said[name]
}

// answer says what needs no tool, with examples where that helps.
func (m *Model) answer(name, locale string, question providers.Question) string {
	text := said(name, locale) + "\n"
	if name != "help" {
		return text
	}
	for line := range strings.SplitSeq(said("samples", locale), "; ") {
		text += "  " + line + "\n"
	}
	return text + said("model", locale) + "\n"
}

// refuse says that a request was not understood, what comes nearest to it, and how to get
// a model. A reason says more of what was understood.
func (m *Model) refuse(reason, request string, question providers.Question) string {
	locale := language(request)
	text := said("refuse", locale)
	if reason != "" {
		text = said(reason, locale) + " " + said("careful", locale)
	}
	list := m.suggestions(question)
	if len(list) > 0 {
		text += " " + said("nearest", locale) + "\n"
		for _, sample := range list {
			text += "  " + sample + "\n"
		}
	} else {
		text += "\n"
	}
	return text + said("model", locale) + "\n"
}

// introduce says what this is where nothing can be called.
func (m *Model) introduce(question providers.Question) string {
	locale := language(lastRequest(question.Messages))
	return said("refuse", locale) + "\n" + said("model", locale) + "\n"
}

// suggestions are examples of tools that are there, those near the request first.
func (m *Model) suggestions(question providers.Question) []string {
	var list []string
	seen := map[string]bool{}
	add := func(tool Tool) {
		if sample := plain(tool.Examples); sample != "" && !seen[tool.Name] && len(list) < samples {
			seen[tool.Name] = true
			list = append(list, sample)
		}
	}
	for _, tool := range m.finder.Find(lastRequest(question.Messages), 2) {
		if callable(tool, question.Tools) {
			add(tool)
		}
	}
	// Spread over the list: neighbours are of one category.
	step := max(len(question.Tools)/samples, 1)
	for start := range step {
		for i := start; i < len(question.Tools); i += step {
			if tool, ok := m.finder.Lookup(question.Tools[i].Name); ok {
				add(tool)
			}
		}
	}
	return list
}
