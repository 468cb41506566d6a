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

// Secrets contains the user's keys in every form in which text could contain them: unchanged,
// URL-encoded, and in base64.
type Secrets []string

// hiddenText replaces each key that [Secrets.Hide] finds.
const hiddenText = "[key withheld]"

// shortestSecret is the minimum length of a key. A shorter value may be an ordinary word.
const shortestSecret = 8

// KeyFile reads the key from the file in ~/.ssh that is named after an environment variable. If the
// file cannot be used, problem says why.
func KeyFile(home, name string) (text, path, problem string) { return keys.Read(home, name) }

// SecretsOf returns the keys in an environment, the keys in the key files of a home directory, and
// the login tokens that Marvin keeps in this home directory.
func SecretsOf(environ []string, home string) Secrets {
	return append(givenSecrets(environ, home), ownSecrets(home)...)
}

// givenSecrets returns the keys that the user gave Marvin.
func givenSecrets(environ []string, home string) Secrets {
	return withEncodings(append(proc.Secrets(environ), keys.All(home)...))
}

// ownSecrets returns the secrets in Marvin's own files, such as login tokens.
func ownSecrets(home string) Secrets {
	return withEncodings(logins.Secrets(persistence.Open(home, nil)))
}

// withEncodings returns the values and all their encodings. It skips values that are too short.
func withEncodings(values []string) (all Secrets) {
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

// Withheld returns the names of the variables that commands do not get: those that look like
// secrets, and unknown ones.
func Withheld(environ []string) (secrets, unknown []string) { return proc.Withheld(environ) }

// Pass appends a comma-separated list of variable names and patterns to MARVIN_PASS_ENV. Commands
// receive the variables on this list.
func Pass(environ []string, names string) []string {
	if names == "" {
		return environ
	}
	if before := proc.Lookup(environ, proc.PassName); before != "" {
		names = before + "," + names
	}
	return append(environ[:len(environ):len(environ)], proc.PassName+"="+names)
}

// inBase64 returns the possible base64 encodings of a value inside longer data: three alignments in
// two alphabets. The encodings omit characters that also encode neighboring bytes.
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

// Hide replaces the keys in text.
func (s Secrets) Hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, hiddenText)
	}
	return text
}

// SafeLength returns how many bytes of an unfinished text can be stored or shown. The rest may be
// the beginning of a key.
func (s Secrets) SafeLength(text string) int {
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

// hideIn removes keys from the result and progress of a call. In text from the working directory,
// it removes only Marvin's own tokens, which no project contains. Other keys stay, because an edit
// must match the text of the file.
func hideIn(env Env, access Access, run func(Env) (Output, error)) (Output, error) {
	given, own := givenSecrets(env.Environ, env.Home), ownSecrets(env.Home)
	if said, before := env.Progress, slices.Concat(given, own); said != nil && len(before) > 0 {
		env.Progress = func(line string) { said(before.Hide(line)) }
	}
	output, err := run(env)
	own = append(own, ownSecrets(env.Home)...) // tokens may have been renewed during the call
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

// HideError applies [Secrets.Hide] to the text of err. errors.Is and errors.As still find err.
func (s Secrets) HideError(err error) error {
	if err == nil {
		return nil
	}
	if text := s.Hide(err.Error()); text != err.Error() {
		return &hiddenError{text: text, err: err}
	}
	return err
}

// hiddenError removes the keys from the text of an error. errors.Is and errors.As examine the
// original error.
type hiddenError struct {
	text string
	err  error
}

func (e *hiddenError) Error() string        { return e.text }
func (e *hiddenError) Is(target error) bool { return errors.Is(e.err, target) }

func (e *hiddenError) As(target any) bool { return errors.As(e.err, target) }
