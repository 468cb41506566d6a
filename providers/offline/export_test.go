package offline

import "fmt"

// PhraseError says what is wrong in the files of phrases.
func PhraseError() error {
	for locale, text := range phraseFiles {
		if err := fault(locale, text); err != nil {
			return err
		}
	}
	return nil
}

// fault says what is wrong in a file of phrases. A pattern may name what is defined above it.
func fault(locale, text string) error {
	g := readGrammar(locale, text)
	for name, one := range g.macros {
		if _, err := g.parse(one.pattern); err != nil {
			return fmt.Errorf("%s, line %d: @%s: %w", locale, one.line, name, err)
		}
	}
	for _, one := range g.phrases {
		if _, err := g.parse(one.pattern); err != nil {
			return fmt.Errorf("%s, line %d: %w", locale, one.line, err)
		}
	}
	return nil
}
