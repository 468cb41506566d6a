package providers

import (
	"fmt"
	"strings"
	"unicode"
)

// Secret is a key. It prints as dots, so that no log or error shows it by accident;
// string(secret) is the key itself.
type Secret string

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "•••"
}

// GoString hides the key from %#v.
func (s Secret) GoString() string { return `"` + s.String() + `"` }

// MarshalText hides the key from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// maxKey bounds what is taken for a key; real ones are below 300 bytes.
const maxKey = 4096

// key finds the key of a provider: its variable, else its file.
func (w Wishes) key(provider Provider) (key Secret, from string, err error) {
	if text := w.env(provider.KeyVar); text != "" {
		if err := plausible(text, provider.KeyVar); err != nil {
			return "", "", err
		}
		return Secret(text), provider.KeyVar, nil
	}
	looked := []string{"the variable " + provider.KeyVar + " is not set"}
	if provider.KeyFile && w.KeyFile != nil {
		text, path, problem := w.KeyFile(provider.KeyVar)
		if problem == "" {
			if err := plausible(text, path); err != nil {
				return "", "", err
			}
			return Secret(text), path, nil
		}
		looked = append(looked, path+" "+problem)
	}
	return "", "", noKey(provider, looked)
}

// plausible refuses what cannot be sent in a header, without quoting it.
func plausible(key, from string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }
	if strings.ContainsFunc(key, odd) || len(key) > maxKey {
		return fmt.Errorf("what %s holds is not a key: it has spaces, line breaks or other characters that no key has; it should hold the key and nothing else", from)
	}
	return nil
}

func noKey(provider Provider, looked []string) error {
	ways := "Set " + provider.KeyVar
	if provider.KeyFile {
		ways += ", or put the key into ~/.ssh/" + provider.KeyVar
	}
	return fmt.Errorf("%w for %s: %s. %s (keys: %s). To go on without one, use --provider ollama or --provider offline",
		ErrNoKey, provider.Name, strings.Join(looked, " and "), ways, provider.KeyPage)
}

// KeyAdvice is what to do when the provider refuses the key: which key it was,
// where it came from and where to get another.
func (s Selection) KeyAdvice() string {
	provider, err := Lookup(s.Provider)
	if err != nil || provider.KeyVar == "" {
		return ""
	}
	if s.KeyFrom == "" {
		return fmt.Sprintf("No key was sent. If %s wants one, set %s.", redacted(s.BaseURL), provider.KeyVar)
	}
	advice := fmt.Sprintf("The key came from %s. Check that it is whole, not expired and allowed to use %s", s.KeyFrom, s.Model)
	if s.BaseURL == provider.BaseURL {
		advice += "; a new one is made at " + provider.KeyPage
	}
	return advice + "."
}
