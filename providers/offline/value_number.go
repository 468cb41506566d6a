package offline

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Numbers and sizes.

func readNumber(_ sentence, words []word) (any, bool) {
	if len(words) == 1 && words[0].quoted {
		return nil, false
	}
	if len(words) > 1 { // only "half a" and its variants have several words
		text := joined(words)
		if text == "half a" || text == "half an" || text == "a half" {
			return 0.5, true
		}
		return nil, false
	}
	text := words[0].folded
	if meaning, ok := lexicon().tables["numbers"][text]; ok {
		text = meaning
	}
	if text == "half" || text == "halbe" || text == "halber" {
		return 0.5, true
	}
	number, ok := decimalNumber(text)
	return number, ok
}

var (
	thousands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$`) })
	comma     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?\d+,(\d{1,2}|\d{4,})$`) })
)

// decimalNumber parses numbers such as "1,299.50" and "12,5". It reads "1.234" and "1,234" as in
// English.
func decimalNumber(text string) (float64, bool) {
	switch {
	case thousands().MatchString(text):
		text = strings.ReplaceAll(text, ",", "")
	case comma().MatchString(text):
		text = strings.Replace(text, ",", ".", 1)
	}
	if strings.Trim(text, "+-.0123456789") != "" {
		return 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

func readInteger(s sentence, words []word) (any, bool) {
	if number, ok := readNumber(s, words); ok {
		whole, isFloat := number.(float64)
		return int(whole), isFloat && whole == float64(int(whole)) && whole >= 0
	}
	return nil, false
}

var sizeShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+) ?(?:([kmg])(?:i?[bo]|ilo(?:byte|octet)s?|ega(?:byte|octet)s?|iga(?:byte|octet)s?)?|bytes?|octets?)$`)
})

// readSize converts a file size to the notation of find -size: "2 MB" becomes "2000000c".
func readSize(_ sentence, words []word) (any, bool) {
	found := sizeShape().FindStringSubmatch(joined(words))
	if found == nil {
		return nil, false
	}
	count, err := strconv.Atoi(found[1])
	power := strings.Index("kmg", found[2]) + 1
	if found[2] == "" {
		power = 0
	}
	for range power {
		count *= 1000
	}
	return strconv.Itoa(count) + "c", err == nil && count > 0
}

func readMonth(s sentence, words []word) (any, bool) {
	if meaning, ok := lexicon().meaning("months", words); ok {
		month, err := strconv.Atoi(meaning)
		return month, err == nil
	}
	return nil, false
}

func readYear(_ sentence, words []word) (any, bool) {
	year, err := strconv.Atoi(words[0].folded)
	return year, err == nil && year > 1900 && year < 2200
}
