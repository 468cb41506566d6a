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
	return best
}
