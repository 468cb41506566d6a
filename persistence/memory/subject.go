package memory

import (
	"slices"
	"strings"
	"unicode"
)

// SameSubject reports whether two facts have the same subject, so that the newer fact replaces the
// older fact. Examples of such pairs:
//
//	"my dog is called Rex" and "my dog is now called Max"
//	"I eat meat" and "I do not eat meat"
//	"I have two children" and "I have three children"
//
// In doubtful cases, SameSubject returns false and both facts remain. The user or a model can
// explicitly name the old fact that a new fact replaces.
func SameSubject(a, b string) bool {
	one, other := statementOf(a), statementOf(b)
	return one.subject != "" && one.subject == other.subject || one.claim != "" && one.claim == other.claim && one.not != other.not || one.count != "" && one.count == other.count
}

type statement struct {
	subject string // the property that can have only one value, such as "user dog called"
	claim   string // the statement's words except negations, "do" and "does"
	count   string // like claim, but with "#" instead of each number after a word in countingWords
	not     bool
}

// fillers contains words that do not describe the subject.
var fillers = wordSet("now actually currently really just also the a an that dass daß que from on nun jetzt eigentlich der die das ein eine maintenant le la les un une")

var denials = wordSet("not no never longer don't doesn't dont doesnt isn't aren't nicht kein keine keinen nie pas jamais")

var numbers = wordSet("no one two three four five six seven eight nine ten eleven twelve kein keine ein eine einen zwei drei vier fünf sechs sieben acht neun zehn deux trois quatre cinq six sept huit neuf dix")

// countingWords contains words after which a number is a value, such as "have" in "I have two
// children". In "room 12", the number is part of a name.
var countingWords = wordSet("have had own owns need needs weigh weighs cost costs take takes use speak speaks is are was were at be about until by over under around every habe hat haben besitze brauche wiege kostet ist sind um a ai avons coûte est")

// copulas contains forms of the verb "to be" in English, German and French.
var copulas = wordSet("is are was were ist sind war est sont était")

// properties contains words that denote a property after a copula, such as "called" in "my dog is
// called Rex".
var properties = wordSet("called named born at in due heißt genannt né née appelé")

// singleVerbs contains verbs that have only one value at a time, such as "live" in "I live in
// Bonn".
var singleVerbs = wordSet("live lives work works wohne wohnt arbeite arbeitet habite travaille moved")

// namingVerbs contains verbs that give something a name.
var namingVerbs = wordSet("heißt heisst heiße heisse s'appelle m'appelle")

// commonForms maps words to a common form, for example "likes" and "loves" to "like".
var commonForms = map[string]string{
	"i": "user", "i'm": "user", "me": "user", "user's": "user", "users": "user", "my": "user", "ich": "user", "mein": "user", "meine": "user", "meinen": "user", "je": "user", "j'": "user", "mon": "user", "ma": "user", "mes": "user",
	"our": "we", "favorite": "favourite", "am": "is", "bin": "is", "suis": "is", "likes": "like", "loves": "like", "love": "like", "lives": "live", "works": "work", "has": "have", "hates": "hate", "eats": "eat", "drinks": "drink", "uses": "use", "prefers": "prefer",
	"dislike": "hate", "dislikes": "hate", "name's": "name is", "what's": "what is", "no": "not",
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

func statementOf(text string) (is statement) {
	words := normalWords(text)
	var claim, count []string
	for i, word := range words {
		if denials[word] {
			is.not = true
			continue
		}
		if word == "hate" {
			word, is.not = "like", !is.not
		}
		if word == "do" || word == "does" {
			continue
		}
		claim = append(claim, word)
		if (numbers[word] || strings.ContainsFunc(word, unicode.IsDigit)) && i > 0 && countingWords[words[i-1]] {
			word = "#"
		}
		count = append(count, word)
	}
	if len(claim) > 1 {
		is.claim = strings.Join(claim, " ")
	}
	if slices.Contains(count, "#") && len(count) > 2 {
		is.count = strings.Join(count, " ")
	}
	is.subject = subjectOf(words)
	return is
}

// subjectOf returns the subject of a statement, or "" if the subject can have several values.
func subjectOf(words []string) string {
	for i, word := range words {
		switch {
		case i > 0 && namingVerbs[word]:
			return strings.Join(append(slices.Clone(words[:i]), "called"), " ")
		case i > 0 && singleVerbs[word] && i+1 < len(words) && (words[0] == "user" || words[0] == "we"):
			return words[0] + " " + strings.TrimSuffix(word, "s") + " " + words[i+1]
		case i > 0 && copulas[word]:
			subject := slices.Clone(words[:i])
			if i+1 < len(words) && properties[words[i+1]] {
				return strings.Join(append(subject, strings.Replace(words[i+1], "named", "called", 1)), " ")
			}
			if subject[len(subject)-1] == "name" && len(subject) > 1 { // such as "my dog's name is Rex"
				return strings.TrimSuffix(strings.Join(subject[:len(subject)-1], " "), "'s") + " called"
			}
			if len(subject) < 2 { // "I am" begins many sentences that can all be true
				return ""
			}
			return strings.Join(subject, " ")
		}
	}
	return ""
}

// normalWords splits a fact into lower-case words. It removes fillers and replaces words according
// to commonForms.
func normalWords(text string) (words []string) {
	for word := range strings.FieldsSeq(strings.ToLower(strings.NewReplacer("’", "'", "j'", "j' ").Replace(text))) {
		word = strings.TrimFunc(word, func(r rune) bool { return unicode.IsPunct(r) && r != '\'' })
		word = strings.Trim(word, "'")
		if word == "" || fillers[word] {
			continue
		}
		if same, known := commonForms[word]; known {
			words = append(words, strings.Fields(same)...)
			if word == "i'm" {
				words = append(words, "is")
			}
			continue
		}
		words = append(words, word)
	}
	for i, word := range words { // the dog's name
		if i+1 < len(words) && words[i+1] == "name" {
			words[i] = strings.TrimSuffix(word, "'s")
		}
	}
	return words
}

// withoutPunctuation removes extra white space and the final punctuation from text.
func withoutPunctuation(text string) string {
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), ".! ")
}
