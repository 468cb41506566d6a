package offline

// PhraseError says what is wrong in the files of phrases.
func PhraseError() error {
	_, err := phraseBook()
	return err
}
