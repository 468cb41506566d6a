package words

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// memoryURL takes 500 bytes a question and 5,000 characters a day.
// https://mymemory.translated.net/doc/spec.php
const (
	memoryURL = "https://api.mymemory.translated.net/get"
	maxBytes  = 500
	maxText   = 5000
)

type translateArgs struct {
	Text   string `json:"text" doc:"What to translate" alias:"query,q" example:"Good morning"`
	Target string `json:"target_lang" doc:"Code or English name" alias:"target_language,to,target" example:"sv"`
	Source string `json:"source_lang" doc:"Of the text" default:"auto" alias:"source_language,from,source"`
}

func (s Service) translateTool() tools.Tool {
	return tools.New(tools.Def[translateArgs]{
		Name: "translate_text", Chat: true,
		Doc: "Translate with MyMemory what you cannot translate well yourself; 5,000 characters a day.",
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
		return tools.Output{}, tools.Advise(fmt.Errorf("the text has %d characters, and the service takes %d a day", len([]rune(text)), maxText), "Translate it yourself, or a part of it.")
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
			return tools.Output{}, tools.Advise(err, "Translated until then:\n%s", show.Text(out.String(), 2*maxText))
		}
		if err != nil {
			return tools.Output{}, err
		}
		out.WriteString(leading(piece) + translated + trailing(piece))
		worst = min(worst, match)
	}
	return tools.Output{Text: fmt.Sprintf("%s\n\n(%s → %s, match %.0f%%)", show.Text(out.String(), 6*maxText), strings.ToLower(source), target, worst*100)}, nil
}

// ask translates one piece. Errors come with status 200 as well: with a responseStatus
// of their own, which is a number or a string, and a sentence instead of a translation.
func (s Service) ask(ctx context.Context, text, source, target string) (translated string, match float64, err error) {
	if text == "" {
		return "", 1, nil
	}
	var answer struct {
		ResponseData struct {
			TranslatedText string
			Match          json.RawMessage // a number, or one in quotation marks
		}
		ResponseStatus  json.RawMessage
		ResponseDetails string
		QuotaFinished   bool
	}
	query := url.Values{"q": {text}, "langpair": {source + "|" + target}}
	if err = web.GetJSON(ctx, s.client, memoryURL+"?"+query.Encode(), 1<<20, &answer); err != nil {
		var status *web.StatusError
		if errors.As(err, &status) && strings.Contains(strings.ToUpper(status.Message), "LANGUAGE") {
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
		_ = json.Unmarshal([]byte(strings.Trim(string(answer.ResponseData.Match), `"`)), &match) // 0 is "unknown"
		return said, match, nil
	case strings.Contains(upper, "LANGUAGE") || strings.Contains(upper, "LANGPAIR"):
		return "", 0, wrongLanguage(said)
	case status == "200":
		return "", 0, tools.Advise(errors.New("MyMemory has no translation of this"), "Translate it yourself.")
	}
	return "", 0, tools.Advise(fmt.Errorf("MyMemory refused (%s): %s", show.Line(status, 20), show.Line(said+" "+answer.ResponseDetails, 200)), "Try again later.")
}

func wrongLanguage(said string) error {
	return tools.Advise(fmt.Errorf("MyMemory does not know the language: %s", show.Line(said, 200)), "Give codes such as en, sv, de, pt-BR, zh-CN; without source_lang it is detected.")
}

// split cuts text into pieces of at most limit bytes: between sentences if it can be,
// else between words, else between characters. Joined, the pieces are the text.
func split(text string, limit int) []string {
	var pieces []string
	for len(text) > limit {
		cut := lastEnd(text[:limit], ". ", "! ", "? ", "\n", "。", "！", "？")
		if cut == 0 {
			cut = lastEnd(text[:limit], " ")
		}
		if cut == 0 {
			for cut = limit; cut > 0 && text[cut]&0xC0 == 0x80; cut-- { // not inside a character
			}
		}
		pieces, text = append(pieces, text[:cut]), text[cut:]
	}
	return append(pieces, text)
}

// lastEnd is where the last of the marks ends, 0 if there is none.
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
