package words

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func call(t *testing.T, host string, handler http.HandlerFunc, name, args string) (string, error) {
	t.Helper()
	client := toolstest.Client(t, map[string]http.HandlerFunc{host: handler})
	return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, args)
}

// The reply has the format of https://github.com/meetDeveloper/freeDictionaryAPI, version 2.
const hello = `[{"word":"hello","phonetics":[{"audio":"https://x/hello-au.mp3"},{"text":"/həˈləʊ/","audio":""}],"meanings":[
{"partOfSpeech":"noun","definitions":[{"definition":"\"Hello!\" or an equivalent greeting.","synonyms":[],"antonyms":[]}],"synonyms":["greeting"],"antonyms":[]},
{"partOfSpeech":"verb","definitions":[{"definition":"To greet with \"hello\".","synonyms":[],"antonyms":[]}],"synonyms":[],"antonyms":[]}],"license":{"name":"CC BY-SA 3.0"},"sourceUrls":["https://en.wiktionary.org/wiki/hello"]},
{"word":"hello","meanings":[{"partOfSpeech":"noun","definitions":[{"definition":"Second","example":"a hello\n\u202eworld","synonyms":["greeting","hi"]},{"definition":"Third"},{"definition":"Fourth"}],"synonyms":[]}]}]`

func TestDefinitions(t *testing.T) {
	const definitions = "hello /həˈləʊ/\n\nnoun\n1. \"Hello!\" or an equivalent greeting.\n2. Second\n   “a hello ‹U+202E›world”\n3. Third"
	for args, want := range map[string]string{
		`{"word":" hello "}`:                        definitions + "\nSynonyms: greeting, hi\n\nverb\n1. To greet with \"hello\".",
		`{"word":"hello","include_synonyms":false}`: definitions + "\n\nverb\n1. To greet with \"hello\".",
	} {
		got, err := call(t, "api.dictionaryapi.dev", toolstest.AnswerPaths(t, map[string]string{"/api/v2/entries/en/hello": hello}), "dictionary_lookup", args)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", args, got, err)
		}
	}
}

func TestWordsThatAreNotInTheDictionary(t *testing.T) {
	missing := func(w http.ResponseWriter, r *http.Request) {
		if want := "/api/v2/entries/en/..%2F..%2Fa%3Fb%23c%20d"; r.URL.EscapedPath() != want || r.URL.RawQuery != "" {
			t.Errorf("asked for %s", r.URL)
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"title":"No Definitions Found","message":"Sorry pal","resolution":"try the web"}`)
	}
	_, err := call(t, "api.dictionaryapi.dev", missing, "dictionary_lookup", `{"word":"../../a?b#c d"}`)
	toolstest.CheckError(t, err, `no entry for "../../a?b#c d"`, "web_search")
	_, err = call(t, "api.dictionaryapi.dev", toolstest.Status(200, "[]"), "dictionary_lookup", `{"word":"x"}`)
	toolstest.CheckError(t, err, "no entry")
	_, err = call(t, "api.dictionaryapi.dev", missing, "dictionary_lookup", `{"word":" .. "}`)
	toolstest.CheckError(t, err, "the word is missing")
}

func TestServicesThatFail(t *testing.T) {
	for host, test := range map[string][2]string{
		"api.dictionaryapi.dev":       {"dictionary_lookup", `{"word":"x"}`},
		"api.mymemory.translated.net": {"translate_text", `{"text":"x","to":"sv"}`},
	} {
		toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), test[0], test[1])
		})
	}
}

// memory serves MyMemory: it translates by converting to capitals. The format follows
// https://mymemory.translated.net/doc/spec.php.
func memory(t *testing.T, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.FormValue("q")
		if len(q) > 500 {
			t.Errorf("%d bytes asked at once", len(q))
		}
		*asked = append(*asked, r.FormValue("langpair"))
		text, err := json.Marshal(strings.ReplaceAll(strings.ToUpper(q), "'", "&#39;"))
		if err != nil {
			t.Error(err)
		}
		_, _ = fmt.Fprintf(w, `{"responseData":{"translatedText":%s,"match":%s},"quotaFinished":false,"mtLangSupported":null,"responseDetails":"","responseStatus":200,"responderId":"235","exception_code":null,"matches":[]}`, text, []string{"0.85", `"0.99"`}[len(*asked)%2])
	}
}

func TestTranslations(t *testing.T) {
	for args, want := range map[string][2]string{
		`{"text":"it's good","target_lang":"Swedish"}`:                      {"IT'S GOOD\n\n(autodetect → sv, match 99%)", "Autodetect|sv"},
		`{"text":"hej","to":"PT_br","from":"sv"}`:                           {"HEJ\n\n(sv → pt-BR, match 99%)", "sv|pt-BR"},
		`{"text":"hej","target_language":"chinese","source_language":"SV"}`: {"HEJ\n\n(sv → zh-CN, match 99%)", "sv|zh-CN"},
	} {
		var asked []string
		got, err := call(t, "api.mymemory.translated.net", memory(t, &asked), "translate_text", args)
		if err != nil || got != want[0] || strings.Join(asked, " ") != want[1] {
			t.Errorf("%s: %q, %v, asked %q", args, got, err, asked)
		}
	}
}

func TestLongTextsAreSplitBetweenSentences(t *testing.T) {
	sentence := "Återvänd inte förrän i morgon, sade hon. "
	text := strings.TrimSpace(strings.Repeat(sentence, 30)) + "\n\n" + strings.Repeat("ö", 600) + " end"
	args, err := json.Marshal(map[string]string{"text": text, "target_lang": "en"})
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	got, err := call(t, "api.mymemory.translated.net", memory(t, &asked), "translate_text", string(args))
	if want := strings.ToUpper(text) + "\n\n(autodetect → en, match 85%)"; err != nil || got != want {
		t.Errorf("%q, %v\nwant %q", got, err, want)
	}
	if len(asked) < 5 || len(asked) > 8 {
		t.Errorf("asked %d times", len(asked))
	}
}

// Some errors have status 200 and a message instead of the translation.
func TestErrorsAreNotShownAsTranslations(t *testing.T) {
	said := func(text, status, details string) string {
		return fmt.Sprintf(`{"responseData":{"translatedText":%q},"quotaFinished":null,"responseDetails":%q,"responseStatus":%s,"matches":""}`, text, details, status)
	}
	const invalid = "'XX' IS AN INVALID TARGET LANGUAGE . EXAMPLE: LANGPAIR=EN|IT USING 2 LETTER ISO OR RFC3066 LIKE ZH-CN."
	const quota = "MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY. NEXT AVAILABLE IN 12 HOURS"
	for name, test := range map[string]struct{ answer, want string }{
		"language, status as a string": {said(invalid, `"403"`, invalid), "does not know the language"},
		"language, status as a number": {said(invalid, `403`, invalid), "Give codes such as"},
		"quota":                        {said(quota, `429`, ""), "used up for today"},
		"quota with 200":               {said(quota, `200`, ""), "used up for today"},
		"quota as a flag":              {`{"responseData":{"translatedText":"x"},"quotaFinished":true,"responseStatus":200}`, "used up for today"},
		"too long":                     {said("QUERY LENGTH LIMIT EXCEEDED. MAX ALLOWED QUERY : 500 CHARS", `"403"`, ""), "MyMemory refused (403)"},
		"nothing":                      {said("", `200`, ""), "has no translation"},
		"something else":               {said("", `500`, "broken"), "MyMemory refused (500): broken"},
	} {
		text, err := call(t, "api.mymemory.translated.net", toolstest.Status(200, test.answer), "translate_text", `{"text":"hi","to":"xx"}`)
		if err == nil {
			t.Errorf("%s: shown as a translation: %s", name, text)
			continue
		}
		toolstest.CheckError(t, err, test.want)
	}
	first := true
	_, err := call(t, "api.mymemory.translated.net", func(w http.ResponseWriter, _ *http.Request) {
		answer := said(quota, "429", "")
		if first {
			first, answer = false, said("DONE", "200", "")
		}
		_, _ = io.WriteString(w, answer)
	}, "translate_text", `{"text":"`+strings.Repeat("a sentence. ", 60)+`","to":"sv"}`)
	toolstest.CheckError(t, err, "used up", "Translated so far:\nDONE")
}

func TestTranslationsThatAreNotAskedFor(t *testing.T) {
	never := func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) }
	for args, want := range map[string]string{
		`{"text":" ","to":"sv"}`:                                 "there is no text",
		`{"text":"x","to":"Klingon"}`:                            `"Klingon" is not a language`,
		`{"text":"x","to":"auto"}`:                               `"auto" is not a language`,
		`{"text":"x","to":"sv|en"}`:                              `is not a language`,
		`{"text":"x","to":"sv","from":"Swedish"}`:                "both sv",
		`{"text":"` + strings.Repeat("ö", 5001) + `","to":"sv"}`: "has 5001 characters",
	} {
		_, err := call(t, "api.mymemory.translated.net", never, "translate_text", args)
		toolstest.CheckError(t, err, want)
	}
}

func TestPiecesAreTheText(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("x", 1200), strings.Repeat("日本語。", 200), strings.Repeat("a b ", 300), "a. " + strings.Repeat("é", 700)} {
		pieces := split(text, 500)
		if strings.Join(pieces, "") != text {
			t.Errorf("%.20q became %q", text, pieces)
		}
		for _, piece := range pieces {
			if len(piece) > 500 || strings.ToValidUTF8(piece, "") != piece {
				t.Errorf("%.20q: a piece of %d bytes", text, len(piece))
			}
		}
	}
}
