package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// valueKind defines how values of one kind are read.
type valueKind struct {
	longest int  // in words
	free    bool // accepts any text
	read    func(sentence, []word) (any, bool)
}

// kinds contains each kind of value under its name in phrases, such as "place".
var kinds = sync.OnceValue(func() map[string]*valueKind {
	return map[string]*valueKind{
		"text":     {longest: maxTokens + 1, free: true, read: readText},
		"rest":     {longest: maxTokens + 1, free: true, read: readRest},
		"thing":    {longest: 5, free: true, read: readThing},
		"name":     {longest: 5, free: true, read: readName},
		"place":    {longest: 6, free: true, read: readPlace},
		"dish":     {longest: 4, free: true, read: readDish},
		"fact":     {longest: 12, free: true, read: readFact},
		"label":    {longest: 1, free: true, read: readLabel},
		"title":    {longest: 10, free: true, read: readTitle},
		"event":    {longest: 8, free: true, read: readEvent},
		"entry":    {longest: 8, free: true, read: readEntry},
		"message":  {longest: maxTokens, free: true, read: readText},
		"errand":   {longest: maxTokens, free: true, read: readErrand},
		"object":   {longest: 8, free: true, read: readObject},
		"deed":     {longest: maxTokens, free: true, read: readDeed},
		"question": {longest: maxTokens, free: true, read: readQuestion},
		"symbol":   {longest: 1, free: true, read: shaped(`^[\w$.:@#/*-]*[\w$](\(\))?$`)},
		"branch":   {longest: 1, free: true, read: shaped(`^[A-Za-z0-9][\w./@+#-]*$`)},
		"package":  {longest: 1, free: true, read: shaped(`^@?[a-zA-Z][\w./@-]*$`)},
		"word":     {longest: 1, free: true, read: readWord},
		"quoted":   {longest: 1, read: readQuoted},
		"path":     {longest: 1, read: readPath},
		"file":     {longest: 1, free: true, read: readFile},
		"glob":     {longest: 1, read: readGlob},
		"url":      {longest: 1, read: readURL},
		"site":     {longest: 1, read: readSite},
		"number":   {longest: 3, read: readNumber},
		"integer":  {longest: 2, read: readInteger},
		"suffix":   {longest: 1, read: readSuffix},
		"size":     {longest: 2, read: readSize},
		"unit":     {longest: 5, read: listed("units")},
		"measure":  {longest: 5, read: readMeasure},
		"money":    {longest: 3, read: listed("money")},
		"lang":     {longest: 1, read: listed("languages")},
		"mode":     {longest: 3, read: listed("modes")},
		"diet":     {longest: 2, read: listed("diets")},
		"month":    {longest: 1, read: readMonth},
		"year":     {longest: 1, read: readYear},
		"span":     {longest: 6, read: readSpan},
		"when":     {longest: 9, read: readWhen},
		"date":     {longest: 4, read: readDate},
		"days":     {longest: 6, read: readDays},
		"repeat":   {longest: 6, read: readRepeat},
		"list":     {longest: 5, read: listed("lists")},
		"sum":      {longest: maxTokens, read: readSum},
		"needle":   {longest: maxTokens + 1, free: true, read: readNeedle},
		"spot":     {longest: 4, free: true, read: readSpot},
		"told":     {longest: 30, read: readTold},
		"height":   {longest: 5, read: readHeight},
		"topic":    {longest: 12, free: true, read: readTopic},
		"asked":    {longest: 12, free: true, read: readAsked},
		"filetype": {longest: 2, read: listed("filetypes")},
		"colour":   {longest: 1, read: shapedOnly(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)},
		"ref":      {longest: 4, read: readRef},
		"hour":     {longest: 9, read: readHour},
		"shift":    {longest: 9, read: readShift},
		"amount":   {longest: 6, read: readAmount},
	}
})

func readText(s sentence, words []word) (any, bool) {
	last := words[len(words)-1]
	return s.raw(words), !last.isColon() && !words[0].isColon() && (!last.isLink() || last == s.words[len(s.words)-1])
}

func (w word) isColon() bool { return w.folded == ":" && !w.quoted }

// readRest reads dictated text: quoted text, or the rest of the request verbatim.
func readRest(s sentence, words []word) (any, bool) {
	if len(words) == 1 && words[0].quoted {
		return s.raw(words), true
	}
	if last := s.words[len(s.words)-1]; words[len(words)-1] != last {
		return nil, false
	}
	return strings.TrimSpace(s.request[words[0].start:]), true
}

// readThing reads a phrase that names a thing. It refuses phrases that contain function words.
func readThing(s sentence, words []word) (any, bool) {
	l := lexicon()
	if slices.ContainsFunc(words, l.isLittle) || words[0].isLink() || !words[0].quoted && l.orders[words[0].folded] || words[len(words)-1].isLink() {
		return nil, false
	}
	return s.raw(words), true
}

// isLink reports whether a word only joins other words.
func (w word) isLink() bool { return !w.quoted && lexicon().tables["links"][w.folded] != "" }

// readName reads the name of a person or thing. It refuses text that contains a function word or a
// digit, or begins with an article.
func readName(s sentence, words []word) (any, bool) {
	l := lexicon()
	for _, w := range words {
		if l.isLittle(w) || strings.ContainsAny(w.folded, "0123456789+*/=") && !w.quoted {
			return nil, false
		}
	}
	if words[0].isArticle() || words[len(words)-1].isLink() {
		return nil, false // "who is the boss here" asks for a person
	}
	return s.raw(words), true
}

// readPlace reads the name of a place. It rejects times and adverbs such as "there".
func readPlace(s sentence, words []word) (any, bool) {
	if saved, ok := lexicon().meaning("here", words); ok {
		return saved, true
	}
	l := lexicon()
	if text := s.raw(words); len(words) == 1 && len(text) > 1 && strings.ToUpper(text) == text && strings.ToLower(text) != text {
		return text, true // LA, UK
	}
	if words[0].isLink() || words[len(words)-1].isLink() || words[0].isArticle() && len(words) == 1 || words[len(words)-1].isArticle() {
		return nil, false
	}
	if first, last := words[0], words[len(words)-1]; l.holds(last) || l.holds(first) && !first.isArticle() {
		return nil, false // "für Bern wissen", "nächste Woche besser"
	}
	for i, w := range words {
		if l.isLittle(w) || !w.quoted && l.anchors[l.corrected(w.folded)] || clockShape().MatchString(w.folded) {
			return nil, false
		}
		switch w.folded {
		case "take", "bring", "wear", "for", "in", "at", "pour", "fur", "next", "last", "first", "coming", "night", "morning", "afternoon", "evening", "noon", "nacht", "nuit", "matin", "soir", "around", "called", "days", "tage", "jours", "forecast", "weather", "wetter", "meteo", "time",
			"enough", "to", "doing", "going", "looking", "feeling", "supposed", "than", "too", "very", "assez", "zu", "genug", "out", "outside", "draussen", "dehors":
			return nil, false
		}
		if i > 0 && (w.folded == "by" || w.folded == "mit" || w.folded == "en" && i == len(words)-2) {
			return nil, false
		}
	}
	switch words[0].folded {
	case "here", "right", "hier", "ici", "outside", "draussen", "dehors", "there", "now", "jetzt", "maintenant", "next", "nachsten":
		return nil, false
	}
	text := s.raw(words)
	for _, article := range []string{"the ", "der ", "die ", "das ", "dem ", "la ", "le ", "l'"} {
		if rest := strings.TrimPrefix(strings.ToLower(text), article); len(rest) < len(text) && len(words) > 1 {
			text = text[len(text)-len(rest):]
			break
		}
	}
	return text, true
}

// holds returns true if w is a function word or a question word. It returns false for "nice" and
// "man", which occur in names of places.
func (l *wordBook) holds(w word) bool {
	if w.quoted || w.folded == "nice" || w.folded == "man" {
		return false
	}
	return l.tables["glue"][w.folded] != "" || l.tables["asking"][w.folded] != ""
}

func readWord(s sentence, words []word) (any, bool) {
	return s.raw(words), !lexicon().isLittle(words[0]) && !words[0].isColon() && !words[0].isArticle()
}

func (w word) isArticle() bool { return !w.quoted && lexicon().tables["articles"][w.folded] != "" }

func readQuoted(s sentence, words []word) (any, bool) { return s.raw(words), words[0].quoted }

// listed returns a function that looks up words in a section of the lexicon.
func listed(section string) func(sentence, []word) (any, bool) {
	return func(s sentence, words []word) (any, bool) {
		if slices.ContainsFunc(words, func(w word) bool { return w.quoted }) {
			return nil, false
		}
		meaning, ok := lexicon().meaning(section, words)
		if meaning == "=" {
			return s.raw(words), ok
		}
		return meaning, ok
	}
}

// shaped returns a function that reads one word. A word that is not quoted must match the pattern,
// and must be neither a function word nor an article.
func shaped(form string) func(sentence, []word) (any, bool) {
	only := shapedOnly(form)
	return func(s sentence, words []word) (any, bool) {
		text, ok := only(s, words)
		return text, words[0].quoted || ok && !lexicon().isLittle(words[0]) && !words[0].isArticle()
	}
}

// shapedOnly returns a function that reads one word of the given form.
func shapedOnly(form string) func(sentence, []word) (any, bool) {
	shape := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) })
	return func(s sentence, words []word) (any, bool) {
		text := s.raw(words)
		return text, shape().MatchString(text)
	}
}

// readQuestion reads a question whose answer can be looked up.
func readQuestion(s sentence, words []word) (any, bool) {
	switch words[0].folded {
	case "how", "what", "who", "when", "where", "why", "which", "wie", "was", "wer", "wann", "wo", "warum", "comment", "quel", "quelle", "qui", "quand", "pourquoi":
		return s.raw(words), len(words) > 2
	}
	return nil, false
}

func readMeasure(s sentence, words []word) (any, bool) {
	if value, ok := listed("units")(s, words); ok {
		return value, true
	}
	return listed("money")(s, words)
}

// readDish reads the name of a dish. It refuses commands and descriptions.
func readDish(s sentence, words []word) (any, bool) {
	l := lexicon()
	for _, w := range words {
		if l.orders[w.folded] || w.folded == "look" || w.folded == "find" || w.folded == "for" || l.tables["adjectives"][w.folded] != "" || w.folded == "different" {
			return nil, false
		}
	}
	return readThing(s, words)
}
