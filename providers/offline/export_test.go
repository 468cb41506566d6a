package offline

// PhraseError says what is wrong in the files of phrases.
func PhraseError() error {
	for locale, text := range phraseFiles {
		if _, err := parseGrammar(locale, text); err != nil {
			return err
		}
	}
	return nil
}
