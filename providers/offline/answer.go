package offline

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// relate returns the text of all tool results. It adds advice to the result of an unsuccessful
// call.
func (m *Model) relate(results []messages.ToolResult, locale string) string {
	var parts []string
	for _, result := range results {
		text := strings.TrimRight(messages.ForPeople(messages.Unframe(result.Text)), "\n")
		if step := next(result, locale); step != "" {
			text += "\n\n" + step
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// next describes what the user can do after an unsuccessful call, or returns "".
func next(result messages.ToolResult, locale string) string {
	switch result.Status {
	case messages.Denied:
		return fmt.Sprintf(localized("next denied", locale), result.Name)
	case messages.Forbidden:
		text := localized("next forbidden", locale)
		if strings.Contains(result.Text, "coding mode") {
			text += " " + localized("next coding", locale)
		}
		return text
	case messages.Interrupted, messages.TimedOut, messages.Crashed:
		return localized("next "+string(result.Status), locale)
	}
	return ""
}

// localized returns the named text from the phrase files. If there is no text for the locale,
// localized returns the English text.
func localized(name, locale string) string {
	if _, known := phraseFiles[locale]; known {
		if text := grammarOf(locale).said[name]; text != "" {
			return text
		}
	}
	return grammarOf("en").said[name]
}

// answer returns the named text, for a request that needs no tool. For "help", the text includes
// examples and explains how to get a model.
func (m *Model) answer(name, locale string) string {
	text := localized(name, locale) + "\n"
	if name != "help" {
		return text
	}
	for line := range strings.SplitSeq(localized("samples", locale), "; ") {
		text += "  " + m.exampleHere(line) + "\n"
	}
	return text + localized("model", locale) + "\n"
}

// refuse composes the answer to a request that leads to no call. If no reason is known, the answer
// suggests a similar request and explains how to get a model. This advice is given at most once per
// conversation.
func (m *Model) refuse(mean meaning, request string, before past) string {
	locale := mean.locale
	if locale == "" {
		locale = language(request)
	}
	if mean.reason != "" {
		text := localized(mean.reason, locale)
		if strings.Contains(text, "%s") {
			text = fmt.Sprintf(text, mean.about)
		}
		return text + " " + localized("careful", locale) + "\n"
	}
	text := localized("refuse", locale) + "\n"
	sample := mean.near
	if sample == "" {
		sample = mostSimilar(request, localized("samples", locale))
	}
	if sample == "" || before.explained() {
		return text
	}
	return text + localized("nearest", locale) + " " + m.exampleHere(sample) + "\n" + localized("model", locale) + "\n"
}

// introduce composes the answer that is given when no tools are available.
func (m *Model) introduce(question providers.Question) string {
	locale := language(lastRequest(question.Messages))
	return localized("refuse", locale) + "\n" + localized("model", locale) + "\n"
}

// mostSimilar returns the example that shares the most content words with the request, or "" if no
// example shares at least two.
func mostSimilar(request, samples string) string {
	best, most := "", 1
	l, words := lexicon(), newSentence(request).words
	for sample := range strings.SplitSeq(samples, "; ") {
		count := 0
		for _, w := range newSentence(sample).words {
			if !l.isLittle(w) && !w.isArticle() && l.tables["glue"][w.folded] == "" && slices.ContainsFunc(words, func(said word) bool { return said.folded == w.folded }) {
				count++
			}
		}
		if count > most {
			best, most = sample, count
		}
	}
	return best
}

// exampleHere replaces the file names in an example with names that exist in the project.
func (m *Model) exampleHere(sample string) string {
	files := m.finder.Files()
	for _, name := range []string{"README.md", "main.go"} {
		if strings.Contains(sample, name) && !m.finder.Has(name) && len(files) > 0 {
			sample = strings.ReplaceAll(sample, name, files[0])
		}
	}
	if ending := commonEnding(files); ending != "" {
		sample = strings.ReplaceAll(sample, "*.go", "*"+ending)
	}
	return sample
}

func commonEnding(files []string) (best string) {
	count := map[string]int{}
	for _, name := range files {
		ending := path.Ext(name)
		if count[ending]++; ending != "" && (best == "" || count[ending] > count[best]) {
			best = ending
		}
	}
	return best
}
