package offline

// language returns "de" or "fr" if the function words of that language outnumber the English
// function words. Otherwise, language returns the result of [vocabulary].
func language(request string) string {
	best, most := "en", 0
	for _, locale := range []string{"de", "fr"} {
		count := 0
		for _, w := range newSentence(request).words {
			theirs, english := lexicon().tables["words of "+locale][w.folded] != "", lexicon().tables["words of en"][w.folded] != ""
			switch {
			case w.quoted || theirs == english:
			case theirs:
				count++
			default:
				count--
			}
		}
		if count > most {
			best, most = locale, count
		}
	}
	if most == 0 {
		return vocabulary(request)
	}
	return best
}

// spoken selects the answer's language. For a direct call (see [Model.direct]), the language is
// English.
func (m *Model) spoken(request string) string {
	if _, direct := m.direct(request); direct {
		return "en"
	}
	return language(request)
}

// vocabulary guesses the language of a request from words that occur in the phrases of exactly one
// language. The language with the most such words wins; the default is English.
func vocabulary(request string) string {
	count := map[string]int{}
	for _, w := range newSentence(request).words {
		var known []string
		for _, locale := range locales {
			if !w.quoted && grammarOf(locale).words()[w.folded] {
				known = append(known, locale)
			}
		}
		if len(known) == 1 {
			count[known[0]]++
		}
	}
	best := "en"
	for _, locale := range locales {
		if count[locale] > count[best] {
			best = locale
		}
	}
	return best
}
