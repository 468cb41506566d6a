package words

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// Service looks up definitions and translations.
type Service struct{ client *http.Client }

// New returns a service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.lookupTool(), s.translateTool()} }

// dictionaryURL is the base URL of an API for Wiktionary entries. See https://dictionaryapi.dev/.
const dictionaryURL = "https://api.dictionaryapi.dev/api/v2/entries/en/"

type lookupArgs struct {
	Word     string `json:"word" doc:"English word or phrase" alias:"term,query" example:"serendipity"`
	Synonyms bool   `json:"include_synonyms" doc:"Include synonyms" default:"true" alias:"synonyms"`
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

// entry is one dictionary entry for a word.
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
		return tools.Output{}, tools.Advise(errors.New("the word is missing"), "Give one English word.")
	}
	var entries []entry
	err := web.GetJSON(ctx, s.client, dictionaryURL+url.PathEscape(word), 1<<20, &entries)
	if web.HasStatus(err, http.StatusNotFound) || err == nil && len(entries) == 0 {
		return tools.Output{}, tools.Advise(fmt.Errorf("the dictionary has no entry for %q", show.Line(word, 100)), "Check the spelling, or give the base form. For names and new words, use web_search.")
	}
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: define(entries, in.Synonyms)}, nil
}

// define describes the first 6 entries, grouped by part of speech. Several entries can belong to
// the same part of speech.
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
			block += "\nSynonyms: " + show.FirstNames(p.synonyms, 10)
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n\n")
}

// part contains a word's definitions and synonyms for one part of speech, such as noun.
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

// MyMemory accepts 500 bytes per request and 5,000 characters per day.
// https://mymemory.translated.net/doc/spec.php
const (
	memoryURL = "https://api.mymemory.translated.net/get"
	maxBytes  = 500
	maxText   = 5000
)

type translateArgs struct {
	Text   string `json:"text" doc:"Text to translate" alias:"query,q" example:"Good morning"`
	Target string `json:"target_lang" doc:"Target language: code or English name" alias:"target_language,to,target" example:"sv"`
	Source string `json:"source_lang" doc:"Language of the text" default:"auto" alias:"source_language,from,source"`
}

func (s Service) translateTool() tools.Tool {
	return tools.New(tools.Def[translateArgs]{
		Name: "translate_text", Chat: true,
		Doc: "Translate text with MyMemory, if you cannot translate it well yourself. Limit: 5,000 characters a day.",
		Examples: []string{
			"translate {good morning|text} to {Swedish|target_lang}", "translate {hej|text} from {Swedish|source_lang} to {English|target_lang}",
			"how do you say {thank you|text} in {Japanese|target_lang}",
		},
		Pool: tools.Net, Service: "api.mymemory.translated.net",
		Timeout: time.Minute,
		Run:     s.translate,
	})
}

func (s Service) translate(ctx context.Context, env tools.Env, in translateArgs) (tools.Output, error) {
	text := strings.TrimSpace(in.Text)
	switch {
	case text == "":
		return tools.Output{}, tools.Advise(errors.New("there is no text"), "Give what to translate.")
	case len([]rune(text)) > maxText:
		return tools.Output{}, tools.Advise(fmt.Errorf("the text has %d characters, more than the service's limit of %d a day", len([]rune(text)), maxText), "Translate it yourself, or send only a part of it.")
	}
	target, err := language(in.Target, "")
	if err != nil {
		return tools.Output{}, err
	}
	source, err := language(in.Source, "Autodetect")
	if err != nil {
		return tools.Output{}, err
	}
	if strings.EqualFold(source, target) {
		return tools.Output{}, tools.Advise(fmt.Errorf("source and target are both %s", target), "Give two languages.")
	}
	var out strings.Builder
	worst := 1.0
	pieces := split(text, maxBytes)
	for i, piece := range pieces {
		if i > 0 {
			env.Progress(fmt.Sprintf("part %d of %d", i+1, len(pieces)))
		}
		translated, match, err := s.ask(ctx, strings.TrimSpace(piece), source, target)
		if err != nil && out.Len() > 0 {
			return tools.Output{}, tools.Advise(err, "Translated so far:\n%s", show.Text(out.String(), 2*maxText))
		}
		if err != nil {
			return tools.Output{}, err
		}
		out.WriteString(leading(piece) + translated + trailing(piece))
		worst = min(worst, match)
	}
	return tools.Output{Text: fmt.Sprintf("%s\n\n(%s → %s, match %.0f%%)", show.Text(out.String(), 6*maxText), strings.ToLower(source), target, worst*100)}, nil
}

// ask translates one piece of text. MyMemory reports some errors with HTTP status 200. In such a
// reply, TranslatedText is the error message, and ResponseStatus differs from 200.
func (s Service) ask(ctx context.Context, text, source, target string) (translated string, match float64, err error) {
	if text == "" {
		return "", 1, nil
	}
	var answer struct {
		ResponseData struct {
			TranslatedText string
			Match          json.RawMessage // a number, sometimes in quotation marks
		}
		ResponseStatus  json.RawMessage // a number or a string
		ResponseDetails string
		QuotaFinished   bool
	}
	query := url.Values{"q": {text}, "langpair": {source + "|" + target}}
	if err = web.GetJSON(ctx, s.client, memoryURL+"?"+query.Encode(), 1<<20, &answer); err != nil {
		if status, ok := errors.AsType[*web.StatusError](err); ok && strings.Contains(strings.ToUpper(status.Message), "LANGUAGE") {
			return "", 0, wrongLanguage(status.Message)
		}
		return "", 0, err
	}
	said := strings.TrimSpace(html.UnescapeString(answer.ResponseData.TranslatedText))
	status := strings.Trim(string(answer.ResponseStatus), `"`)
	upper := strings.ToUpper(said + " " + answer.ResponseDetails)
	switch {
	case answer.QuotaFinished || strings.Contains(upper, "MYMEMORY WARNING") || status == "429":
		return "", 0, tools.Advise(errors.New("the translations of this network are used up for today"), "Translate it yourself, or try again tomorrow.")
	case status == "200" && said != "" && !strings.Contains(said, "QUERY LENGTH LIMIT EXCEEDED"):
		// If Unmarshal fails, match stays 0.
		_ = json.Unmarshal([]byte(strings.Trim(string(answer.ResponseData.Match), `"`)), &match)
		return said, match, nil
	case strings.Contains(upper, "LANGUAGE") || strings.Contains(upper, "LANGPAIR"):
		return "", 0, wrongLanguage(said)
	case status == "200":
		return "", 0, tools.Advise(errors.New("MyMemory has no translation of this"), "Translate it yourself.")
	}
	return "", 0, tools.Advise(fmt.Errorf("MyMemory refused (%s): %s", show.Line(status, 20), show.Line(said+" "+answer.ResponseDetails, 200)), "Try again later.")
}

func wrongLanguage(said string) error {
	return tools.Advise(fmt.Errorf("MyMemory does not know the language: %s", show.Line(said, 200)), "Give codes such as en, sv, de, pt-BR, zh-CN; without \"source_lang\", MyMemory detects the source language.")
}

// split divides text between sentences if possible, otherwise between words, otherwise between
// characters. Each piece has at most the given number of bytes, and the concatenated pieces are
// equal to text.
func split(text string, limit int) []string {
	var pieces []string
	for len(text) > limit {
		cut := cmp.Or(lastEnd(text[:limit], ". ", "! ", "? ", "\n", "。", "！", "？"), lastEnd(text[:limit], " "))
		if cut == 0 {
			for cut = limit; cut > 0 && text[cut]&0xC0 == 0x80; cut-- {
				// A cut must not split a character.
			}
		}
		pieces, text = append(pieces, text[:cut]), text[cut:]
	}
	return append(pieces, text)
}

// lastEnd returns the offset after the last occurrence of any of the marks, or 0 if there is none.
func lastEnd(text string, marks ...string) int {
	end := 0
	for _, mark := range marks {
		if i := strings.LastIndex(text, mark); i >= 0 {
			end = max(end, i+len(mark))
		}
	}
	return end
}

func leading(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \n\t\r"))] }

func trailing(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text[len(strings.TrimRight(text, " \n\t\r")):]
}
