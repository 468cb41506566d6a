package words

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// dictionaryURL answers with Wiktionary's entries. https://dictionaryapi.dev/
const dictionaryURL = "https://api.dictionaryapi.dev/api/v2/entries/en/"

type lookupArgs struct {
	Word     string `json:"word" doc:"English word or phrase" alias:"term,query" example:"serendipity"`
	Synonyms bool   `json:"include_synonyms" doc:"With synonyms" default:"true" alias:"synonyms"`
}

func (s Service) lookupTool() tools.Tool {
	return tools.New(tools.Def[lookupArgs]{
		Name: "dictionary_lookup",
		Doc:  "Define an English word: pronunciation, meanings, examples, synonyms.",
		Examples: []string{
			"define {serendipity|word}", "what does the word {ubiquitous|word} mean", "synonyms of {happy|word}",
			"look up {petrichor|word} in the dictionary",
		},
		Pool: tools.Net, Service: "api.dictionaryapi.dev",
		Run: s.lookup,
	})
}

// entry is one of possibly several entries of a word.
type entry struct {
	Word, Phonetic string
	Phonetics      []struct{ Text string }
	Meanings       []struct {
		PartOfSpeech string
		Synonyms     []string
		Definitions  []struct {
			Definition, Example string
			Synonyms            []string
		}
	}
}

func (s Service) lookup(ctx context.Context, _ tools.Env, in lookupArgs) (tools.Output, error) {
	word := strings.Join(strings.Fields(in.Word), " ")
	if strings.Trim(word, "./") == "" {
		return tools.Output{}, tools.Advise(errors.New("there is no word"), "Give one English word.")
	}
	var entries []entry
	err := web.GetJSON(ctx, s.client, dictionaryURL+url.PathEscape(word), 1<<20, &entries)
	var status *web.StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound || err == nil && len(entries) == 0 {
		return tools.Output{}, tools.Advise(fmt.Errorf("the dictionary has no entry for %q", show.Line(word, 100)), "Check the spelling or give the base form; names and new words are found with web_search.")
	}
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: define(entries, in.Synonyms)}, nil
}

// define joins entries: one word may have several, each with the same parts of speech.
func define(entries []entry, synonyms bool) string {
	head := show.Line(entries[0].Word, 100)
	for _, each := range entries {
		if spoken := each.spoken(); spoken != "" {
			head += " " + spoken
			break
		}
	}
	var parts []part
	for _, each := range entries[:min(len(entries), 6)] {
		parts = each.addTo(parts)
	}
	blocks := []string{head}
	for _, p := range parts {
		block := p.name
		for i, line := range p.definitions[:min(3, len(p.definitions))] {
			block += fmt.Sprintf("\n%d. %s", i+1, line)
		}
		if synonyms && len(p.synonyms) > 0 {
			block += "\nSynonyms: " + show.Some(p.synonyms, 10)
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n\n")
}

// part is what a word means as one part of speech.
type part struct {
	name                  string
	definitions, synonyms []string
}

func (e entry) spoken() string {
	if e.Phonetic != "" {
		return show.Line(e.Phonetic, 100)
	}
	for _, each := range e.Phonetics {
		if each.Text != "" {
			return show.Line(each.Text, 100)
		}
	}
	return ""
}

func (e entry) addTo(parts []part) []part {
	for _, meaning := range e.Meanings {
		name := cmp.Or(show.Line(meaning.PartOfSpeech, 40), "other")
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if i < 0 {
			i, parts = len(parts), append(parts, part{name: name})
		}
		p := &parts[i]
		p.add(meaning.Synonyms)
		for _, definition := range meaning.Definitions {
			line := show.Line(definition.Definition, 400)
			if example := show.Line(definition.Example, 300); example != "" {
				line += "\n   “" + example + "”"
			}
			p.definitions = append(p.definitions, line)
			p.add(definition.Synonyms)
		}
	}
	return parts
}

func (p *part) add(synonyms []string) {
	for _, synonym := range synonyms {
		if !slices.Contains(p.synonyms, synonym) {
			p.synonyms = append(p.synonyms, synonym)
		}
	}
}
