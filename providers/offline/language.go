package offline

// language tells in which language a request is, by the words that only say how others
// belong together. English is what it is if nothing says otherwise.
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

// vocabulary tells the language by the phrases that know a word which those of the others
// do not know: "ruf Mama an".
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
