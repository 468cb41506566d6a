package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/messages"
	"marvin/tools"
	"marvin/ui/jsonl"
	"marvin/ui/termsafe"
)

// WriteLine prints a value as one line of JSON.
func WriteLine(world World, value any) error {
	if err := jsonl.NewWriter(world.Stdout).Write(value); err != nil {
		return OutputError(err)
	}
	return nil
}

// Alternatives joins names with commas and "or".
func Alternatives(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// PrefixMatches returns the words that begin with prefix.
func PrefixMatches(prefix string, words []string) (list []flags.Completion) {
	for _, word := range words {
		if strings.HasPrefix(word, prefix) {
			list = append(list, flags.Completion{Item: word})
		}
	}
	return list
}

// Say prints the text, or the value if --output is json. If err is not nil, it prints nothing and
// returns err.
func (w World) Say(opts Options, text string, value any, err error) error {
	switch {
	case err != nil:
		return err
	case opts.Output == "json":
		return WriteLine(w, value)
	}
	_, err = fmt.Fprintln(w.Stdout, text)
	return err
}

// NoUserError reports that a command has a question but no user is present to answer it.
type NoUserError struct{ Question string }

func (e *NoUserError) Error() string {
	return "without a terminal, Marvin cannot ask you: " + e.Question + " Add --yes to do it without asking"
}

// AskConsent asks the user a yes-or-no question. It returns an error if the answer is not yes, and
// a [NoUserError] if there is no terminal.
func (w World) AskConsent(question, declined string) error {
	if w.Stdin == nil || !Terminal(w.Stdin) {
		return &NoUserError{Question: question}
	}
	return Confirm(w, question, declined)
}

func WriteJSON(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// Line cleans untrusted text for a table. It returns "-" if no text remains.
func Line(text string) string { return cmp.Or(termsafe.Line(text), "-") }

// DidYouMean returns a question that suggests the given words, each with the given prefix. Without
// words, DidYouMean returns "".
func DidYouMean(before string, near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + before + strings.Join(near, " or "+before) + "?"
}

// UserError rewrites a tool's error for the user, because the error's original text is meant for
// models.
func UserError(err error) error {
	if err == nil || errors.Is(err, ErrReported) {
		return err
	}
	said := strings.ReplaceAll(err.Error(), tools.FindOthers, "To find a tool by its purpose, type marvin tools WORD.")
	return errors.New(messages.ForPeople(said))
}

// KeyValues converts key=value words to a JSON object. A single word that is a JSON object is used
// unchanged.
func KeyValues(words []string) (json.RawMessage, error) {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		return json.RawMessage(words[0]), nil
	}
	values := map[string]string{}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not key=value; example: marvin tool convert_units value=12 from_unit=km to_unit=miles", word)
		}
		values[key] = value
	}
	return json.Marshal(values)
}
