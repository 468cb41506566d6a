package settings

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"marvin/persistence/internal/yamltext"
)

// ErrNotYAML reports that a file is not valid YAML. The error does not quote the file, which can
// contain secrets.
var ErrNotYAML = errors.New("the file is not valid YAML")

// shortestSecret is the minimum length, in bytes, of the secrets that [WithoutSecrets] returns. A
// shorter value, such as "true", could be an ordinary word in other text.
const shortestSecret = 6

const removed = "[removed]"

// secretNames contains patterns for names whose values are probably secret.
type secretNames struct{ key, option, assigned, login *regexp.Regexp }

var secretPatterns = sync.OnceValue(func() secretNames {
	const words = `(?:key|token|secret|passw|passph|pwd|auth|cookie|credential|bearer)`
	return secretNames{
		key:      regexp.MustCompile(`(?i)` + words),
		option:   regexp.MustCompile(`(?i)^--?[\w.-]*` + words + `[\w.-]*$`),
		assigned: regexp.MustCompile(`(?i)([\w.-]*` + words + `[\w.-]*["']?\s*[:=]\s*)(\S.*)`),
		login:    regexp.MustCompile(`(://)([^/@\s]*:[^/@\s]+)@`),
	}
})

// WithoutSecrets returns the content of a configuration file as YAML, without comments or probable
// secrets. It also returns the secrets, so that the caller can remove them from other text. If the
// content is not valid YAML, WithoutSecrets returns only the probable secrets and [ErrNotYAML].
func WithoutSecrets(content []byte) (text []byte, secrets []string, err error) {
	r := redactor{names: secretPatterns()}
	document, err := yamltext.Read(string(content))
	if err != nil {
		r.line(string(content))
		for _, secret := range slices.Clone(r.secrets) { // an error can quote a part of the value
			for _, word := range strings.FieldsFunc(secret, func(c rune) bool { return strings.ContainsRune(" \t\r\"'`,;&*!{}[]()<>", c) }) {
				r.collect(word)
			}
		}
		return nil, r.secrets, ErrNotYAML
	}
	if len(document.Plain) == 0 {
		return nil, nil, nil
	}
	clean := r.value(document.Plain, true)
	text, err = yaml.Marshal(r.hide(clean))
	return text, r.secrets, err
}

type redactor struct {
	names   secretNames
	secrets []string
}

// value returns the given YAML value without secrets. top is true only for the outermost mapping.
func (r *redactor) value(value any, top bool) any {
	switch value := value.(type) {
	case yaml.MapSlice:
		for i, item := range value {
			name := "null"
			if item.Key != nil {
				name = fmt.Sprint(item.Key)
			}
			value[i].Key = name // the encoder accepts only strings

			bindings := top && name == "keys" // key bindings, not secret keys
			if item.Value != nil && !bindings && r.names.key.MatchString(name) {
				r.collect(item.Value)
				value[i].Value = removed
			} else {
				value[i].Value = r.value(item.Value, false)
			}
		}
		return value
	case []any:
		named := false // the item before is an option such as "--token"
		for i, item := range value {
			before := named
			text, isText := item.(string)
			named = isText && r.names.option.MatchString(text)
			if before {
				r.collect(item)
				value[i] = removed
			} else {
				value[i] = r.value(item, false)
			}
		}
		return value
	case string:
		return r.line(value)
	}
	return value
}

// line removes the secrets in text such as "API_KEY=abc" or "https://user:password@host".
func (r *redactor) line(text string) string {
	for _, pattern := range []*regexp.Regexp{r.names.assigned, r.names.login} {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			r.collect(match[2])
		}
	}
	text = r.names.assigned.ReplaceAllString(text, "${1}"+removed)
	return r.names.login.ReplaceAllString(text, "${1}"+removed+"@")
}

// collect adds the strings in a YAML value to r.secrets, except short strings. It omits numbers,
// such as the value of "max_tokens", because the same numbers can occur in the report with other
// meanings.
func (r *redactor) collect(value any) {
	switch value := value.(type) {
	case yaml.MapSlice:
		for _, item := range value {
			r.collect(item.Value)
		}
	case []any:
		for _, item := range value {
			r.collect(item)
		}
	case string:
		if len(value) >= shortestSecret && value != removed && !slices.Contains(r.secrets, value) {
			r.secrets = append(r.secrets, value)
		}
	}
}

// hide removes the collected secrets from a value. A YAML alias or merge can repeat a secret.
func (r *redactor) hide(value any) any {
	switch value := value.(type) {
	case yaml.MapSlice:
		for i := range value {
			value[i].Value = r.hide(value[i].Value)
		}
	case []any:
		for i := range value {
			value[i] = r.hide(value[i])
		}
	case string:
		return HideSecrets(value, r.secrets)
	}
	return value
}

// HideSecrets removes the secrets from text. The longest secret is removed first, because it can
// contain another secret.
func HideSecrets(text string, secrets []string) string {
	for _, secret := range slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) }) {
		text = strings.ReplaceAll(text, secret, removed)
	}
	return text
}
