package providers

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Secret is a key. It is printed as dots, so that it does not appear in logs and errors.
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

// MarshalText keeps the key out of encoded data.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// maxKey is the maximum length of a key, in bytes. Real keys are shorter than 300 bytes.
const maxKey = 4096

// key returns the provider's key and the source of the key. The environment variable takes
// precedence over the key file.
func (w Wishes) key(provider Provider) (key Secret, from string, err error) {
	if text := w.env(provider.KeyVar); text != "" {
		if err := checkKey(text, provider.KeyVar); err != nil {
			return "", "", err
		}
		return Secret(text), provider.KeyVar, nil
	}
	looked := []string{"the variable " + provider.KeyVar + " is not set"}
	if provider.KeyFile && w.KeyFile != nil {
		text, path, problem := w.KeyFile(provider.KeyVar)
		if problem == "" {
			if err := checkKey(text, path); err != nil {
				return "", "", err
			}
			return Secret(text), path, nil
		}
		looked = append(looked, path+" "+problem)
	}
	return "", "", noKey(provider, looked)
}

// sourced returns the selection with Key and KeyFrom set from provider.KeySource.
func (w Wishes) sourced(provider Provider, selection Selection) (Selection, error) {
	name, variable := strings.CutPrefix(provider.KeySource, "$")
	name = strings.Trim(name, "{}")
	text, err := "", error(nil)
	switch {
	case variable:
		if text = w.env(name); text == "" {
			err = fmt.Errorf("the variable %s is not set", name)
		}
	case w.Key == nil:
		err = errors.New("Marvin cannot look there")
	default:
		text, err = w.Key(provider.KeySource)
	}
	from := provider.KeySource
	switch {
	case variable:
		from = name
	case strings.HasPrefix(from, "!"):
		from = "the command in \"key:\" in config.yaml"
	}
	if err != nil {
		return Selection{}, fmt.Errorf("%w for %s: config.yaml takes the key from %s: %w", ErrNoKey, provider.Name, from, err)
	}
	if err := checkKey(text, from); err != nil {
		return Selection{}, err
	}
	selection.Key, selection.KeyFrom = Secret(text), from
	return selection, nil
}

// checkKey returns an error if a key cannot be sent in a header. The error does not quote the key.
func checkKey(key, from string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }
	if strings.ContainsFunc(key, odd) || len(key) > maxKey {
		return fmt.Errorf("the content of %s is not a key, because it has spaces, line breaks or other characters that no key has; it must be the key and nothing else", from)
	}
	return nil
}

func noKey(provider Provider, looked []string) error {
	ways := "Set " + provider.KeyVar + ", or run marvin login " + provider.Name
	if provider.KeyFile {
		ways += ", or put the key into ~/.ssh/" + provider.KeyVar
	}
	return fmt.Errorf("%w for %s: %s. %s (create a key at %s). To continue without a key, use --provider ollama or --provider offline",
		ErrNoKey, provider.Name, strings.Join(looked, " and "), ways, provider.KeyPage)
}

// KeyAdvice returns advice to show the user after the provider refuses access. The advice can be
// empty.
func (s Selection) KeyAdvice() string {
	provider, err := lookup(s.Provider)
	if err == nil && provider.Account && s.Key == "" {
		return fmt.Sprintf("Check that the plan includes %s, or log in again with marvin login %s.", s.Model, s.Provider)
	}
	if s.KeyFrom == "" {
		switch {
		case err == nil && provider.KeyVar != "" && s.BaseURL != "":
			return fmt.Sprintf("No key was sent. If %s needs one, set %s.", redacted(s.BaseURL), provider.KeyVar)
		case err != nil:
			return fmt.Sprintf("No key was sent. If %s needs one, add \"key:\" to the entry of %s in config.yaml.", redacted(s.BaseURL), s.Provider)
		}
		return ""
	}
	advice := fmt.Sprintf("The key came from %s. Check that it is complete, has not expired, and is allowed to use %s", s.KeyFrom, s.Model)
	if s.KeyPage != "" {
		advice += "; create a new one at " + s.KeyPage
	}
	return advice + "."
}
