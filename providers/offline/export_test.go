package offline

import "fmt"

// PhraseError returns an error in the phrase files.
func PhraseError() error {
	for locale, text := range phraseFiles {
		if err := fault(locale, text); err != nil {
			return err
		}
	}
	return nil
}

// fault returns an error in one phrase file. A pattern may use definitions that come before it.
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
