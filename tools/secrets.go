package tools

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/tools/internal/keys"
	"marvin/tools/internal/proc"
)

// Secrets are the user's keys in every spelling in which they could turn up in a text
// that is shown, stored or sent: as they are, as in a URL, and in base64.
type Secrets []string

// hiddenText stands where a key stood.
const hiddenText = "[key withheld]"

// shortestSecret is below which a value is no key but a word, which texts may have.
const shortestSecret = 8

// KeyFile reads the key in the file of a variable's name in ~/.ssh, or says what is the
// matter with the file.
func KeyFile(home, name string) (text, path, problem string) { return keys.Read(home, name) }

// SecretsOf finds the keys in an environment, those in the files of a home, and what
// Marvin itself keeps there to log in with.
func SecretsOf(environ []string, home string) Secrets {
	return append(givenSecrets(environ, home), ownSecrets(home)...)
}

// givenSecrets are the keys that the user gave Marvin.
func givenSecrets(environ []string, home string) Secrets {
	return spelled(append(proc.Secrets(environ), keys.All(home)...))
}

// ownSecrets are the tokens that Marvin keeps, as they are now.
func ownSecrets(home string) Secrets {
	return spelled(logins.Secrets(persistence.Open(home, nil)))
}

// spelled are values in every spelling.
func spelled(values []string) (all Secrets) {
	for _, value := range values {
		if value = strings.TrimSpace(value); len(value) < shortestSecret {
			continue
		}
		all = append(all, value)
		for _, spelled := range []string{url.QueryEscape(value), url.PathEscape(value)} {
			if spelled != value {
				all = append(all, spelled)
			}
		}
		all = append(all, inBase64(value)...)
	}
	return all
}

// Withheld are the variables that commands do not get: those that look like secrets, and unknown
// ones.
func Withheld(environ []string) (secrets, unknown []string) { return proc.Withheld(environ) }

// Pass adds names and patterns, separated by commas, to those that the user wants
// commands to get.
func Pass(environ []string, names string) []string {
	if names == "" {
		return environ
	}
	if before := proc.Lookup(environ, proc.PassName); before != "" {
		names = before + "," + names
	}
	return append(environ[:len(environ):len(environ)], proc.PassName+"="+names)
}

// inBase64 is what a value looks like within something longer that is in base64: it may
// begin at any of three places in a group, and the characters at its ends are its
// neighbours' too.
func inBase64(value string) (all []string) {
	for shift := range 3 {
		encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), value...))
		from, to := (shift*8+5)/6, (shift+len(value))*8/6
		all = append(all, encoded[from:to])
		if other := strings.NewReplacer("+", "-", "/", "_").Replace(encoded[from:to]); other != encoded[from:to] {
			all = append(all, other)
		}
	}
	return all
}

// Hide takes the keys out of a text.
func (s Secrets) Hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, hiddenText)
	}
	return text
}

// Whole is how much of an unfinished text can be stored or shown: the rest may be the beginning of
// a key.
func (s Secrets) Whole(text string) int {
	held := 0
	for _, secret := range s {
		for n := min(len(secret)-1, len(text)); n > held; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				held = n
			}
		}
	}
	return len(text) - held
}

// hideIn removes keys from the result and progress of a call. Text of the working directory stays
// unchanged except for Marvin's own tokens, which no project has: an edit must be able to write
// back what was read.
func hideIn(env Env, access Access, run func(Env) (Output, error)) (Output, error) {
	given, own := givenSecrets(env.Environ, env.Home), ownSecrets(env.Home)
	if said, before := env.Progress, slices.Concat(given, own); said != nil && len(before) > 0 {
		env.Progress = func(line string) { said(before.Hide(line)) }
	}
	output, err := run(env)
	own = append(own, ownSecrets(env.Home)...) // a service may have renewed them meanwhile
	secrets := slices.Concat(given, own)
	if len(secrets) == 0 {
		return output, err
	}
	if access == Free {
		output.Text = secrets.Hide(output.Text)
	} else {
		output.Text = own.Hide(output.Text)
	}
	return output, secrets.HideError(err)
}

// HideError is an error that says the same without the keys, and is what it was.
func (s Secrets) HideError(err error) error {
	if err == nil {
		return nil
	}
	if text := s.Hide(err.Error()); text != err.Error() {
		return &hiddenError{text: text, err: err}
	}
	return err
}

// hiddenError says what an error says without the keys, and is what it is.
type hiddenError struct {
	text string
	err  error
}

func (e *hiddenError) Error() string        { return e.text }
func (e *hiddenError) Is(target error) bool { return errors.Is(e.err, target) }

// As finds what decides, not what is shown.
func (e *hiddenError) As(target any) bool { return errors.As(e.err, target) }
