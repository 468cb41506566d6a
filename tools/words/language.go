package words

import (
	"fmt"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
)

// language converts a language code or the English name of a language to a language code. For an
// empty name, it returns autoCode, the code for automatic detection. If autoCode is also empty, it
// returns an error.
//
// golang.org/x/text/language/display contains the names of all languages, but would add 0.67 ms to
// the startup time (measured).
func language(given, autoCode string) (string, error) {
	text := strings.ToLower(strings.TrimSpace(given))
	if autoCode != "" && (text == "" || text == "auto" || text == "autodetect" || text == "detect") {
		return autoCode, nil
	}
	if code := code(text); code != "" {
		return code, nil
	}
	base, region, _ := strings.Cut(strings.ReplaceAll(text, "_", "-"), "-")
	if len(base) < 2 || len(base) > 3 || len(region) > 4 || !letters(base) || !letters(region) {
		return "", tools.Advise(fmt.Errorf("%q is not a language", show.Line(given, 60)), "Give a code such as en, sv, de, pt-BR, zh-CN, or an English name.")
	}
	if region == "" {
		return base, nil
	}
	return base + "-" + strings.ToUpper(region), nil
}

func letters(text string) bool { return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == "" }

// names contains the language codes by English name. It is one string, because a map would be built
// every time the program starts.
const names = " afrikaans=af albanian=sq arabic=ar basque=eu bengali=bn bulgarian=bg catalan=ca chinese=zh-CN mandarin=zh-CN " +
	"simplified_chinese=zh-CN zh=zh-CN traditional_chinese=zh-TW croatian=hr czech=cs danish=da dutch=nl english=en " +
	"estonian=et finnish=fi french=fr german=de greek=el hebrew=he hindi=hi hungarian=hu icelandic=is indonesian=id " +
	"irish=ga italian=it japanese=ja korean=ko latin=la latvian=lv lithuanian=lt malay=ms norwegian=no persian=fa " +
	"farsi=fa polish=pl portuguese=pt brazilian_portuguese=pt-BR romanian=ro russian=ru serbian=sr slovak=sk " +
	"slovenian=sl spanish=es swahili=sw swedish=sv thai=th turkish=tr ukrainian=uk urdu=ur vietnamese=vi welsh=cy "

// code returns a language's code, given the English name. The result for an unknown name is "".
func code(name string) string {
	if strings.ContainsAny(name, "=_") {
		return ""
	}
	_, rest, _ := strings.Cut(names, " "+strings.ReplaceAll(name, " ", "_")+"=")
	found, _, _ := strings.Cut(rest, " ")
	return found
}
