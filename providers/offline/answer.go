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
		text := strings.TrimRight(messages.Unframe(result.Text), "\n")
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
			next += " Start with --working-dir DIRECTORY, or type !code."
		}
		return next
	case messages.Interrupted:
		return "It was stopped before it was done. Ask again to run it again."
	case messages.TimedOut:
		return "It took too long and was stopped. Try again with less to do at once."
	case messages.Crashed:
		return "This is a fault in Marvin. `marvin doctor` shows where its log is."
	}
	tool, ok := m.finder.Lookup(result.Name)
	if sample := plain(tool.Examples); ok && sample != "" {
		return "The tool " + result.Name + " could not do that. It understands requests such as: " + sample
	}
	return "The tool " + result.Name + " could not do that. Ask again with other values."
}

// enough examples to show the range without filling the screen.
const samples = 5

// introduce says what this is, what can be asked here and how to get a model.
func (m *Model) introduce(question providers.Question) string {
	var text strings.Builder
	text.WriteString("I am the built-in assistant: no language model and no network, so I cannot write, explain or answer questions of knowledge.")
	if list := m.suggestions(question); len(list) > 0 {
		text.WriteString(" I can use tools for plain requests, such as:\n")
		for _, sample := range list {
			text.WriteString("  " + sample + "\n")
		}
	} else {
		text.WriteString("\n")
	}
	text.WriteString("To talk to a model, set GEMINI_API_KEY, GROQ_API_KEY or OPENAI_API_KEY, or start Ollama; `marvin doctor` shows what is found.\n")
	return text.String()
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
