package offline

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// heightShape matches a length in feet and inches, such as "6 foot 2" or "5 ft 4 in".
var heightShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+) ?(?:'|foot|feet|ft|fuss|pieds?) ?(?:and |und |et )?(\d{1,2}) ?(?:"|''|inches|inch|in|zoll|pouces?)?$`)
})

// readHeight reads a length in feet and inches, and returns it in inches.
func readHeight(s sentence, words []word) (any, bool) {
	m := heightShape().FindStringSubmatch(strings.ToLower(s.raw(words)))
	if m == nil {
		m = heightShape().FindStringSubmatch(joined(words))
	}
	if m == nil {
		return nil, false
	}
	feet, err := strconv.Atoi(m[1])
	inches, err2 := strconv.Atoi(m[2])
	return float64(12*feet + inches), err == nil && err2 == nil && feet < 10_000 && inches < 12
}

// readTopic reads a question about the world, not about the user's own things or files.
func readTopic(s sentence, words []word) (any, bool) {
	l := lexicon()
	for i, w := range words {
		if !w.quoted && (l.tables["own"][w.folded] != "" || l.isLittle(w) && i == 0) || plainPath().MatchString(s.raw(words[i:i+1])) {
			return nil, false
		}
	}
	return readText(s, words)
}

// readAsked is like readTopic but returns the whole request, because a search for the topic alone
// would not answer the question.
func readAsked(s sentence, words []word) (any, bool) {
	if _, ok := readTopic(s, words); !ok {
		return nil, false
	}
	return s.raw(s.words), true
}

// readNeedle reads the text that a search in files looks for. It refuses text that describes a
// folder or a package, such as "the source folder".
func readNeedle(s sentence, words []word) (any, bool) {
	last := words[len(words)-1]
	switch last.folded {
	case "folder", "directory", "dir", "package", "module", "ordner", "verzeichnis", "paket", "dossier", "repertoire", "paquet":
		if len(words) > 2 && !last.quoted {
			return nil, false
		}
	}
	return readText(s, words)
}

// readSpot parses a type of place, such as "pharmacy". It refuses text about times, recurrence,
// calendar events and the user's own things.
func readSpot(s sentence, words []word) (any, bool) {
	l := lexicon()
	for _, w := range words {
		_, span := l.tables["spans"][w.folded]
		if span || l.tables["own"][w.folded] != "" || l.tables["events"][w.folded] != "" || l.isTime(w) || l.tables["repeated"][w.folded] != "" {
			return nil, false
		}
	}
	return readThing(s, words)
}
