package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/messages"
	"marvin/ui/jsonl"
	"marvin/ui/termsafe"
)

// writeLine prints a value as one line of JSON.
func writeLine(world World, value any) error {
	if err := jsonl.NewWriter(world.Stdout).Write(value); err != nil {
		return unwritten(err)
	}
	return nil
}

// either lists alternatives.
func either(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// matches are the words that begin with prefix.
func matches(prefix string, words []string) (list []flags.Completion) {
	for _, word := range words {
		if strings.HasPrefix(word, prefix) {
			list = append(list, flags.Completion{Item: word})
		}
	}
	return list
}

// say writes what came of a change.
func (w World) say(opts options, text string, value any, err error) error {
	switch {
	case err != nil:
		return err
	case opts.Output == "json":
		return writeLine(w, value)
	}
	_, err = fmt.Fprintln(w.Stdout, text)
	return err
}

// agreed asks the user; it returns an error if that is impossible.
func (w World) agreed(question, declined string) error {
	if w.Stdin == nil || !terminal(w.Stdin) {
		return fmt.Errorf("there is no user to ask: %s --yes does it without asking", question)
	}
	return consented(w, question, declined)
}

func writeJSON(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// line is a stranger's word in a table.
func line(text string) string { return cmp.Or(termsafe.Line(text), "-") }

// meant asks whether one of several was.
func meant(before string, near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + before + strings.Join(near, " or "+before) + "?"
}

// forPerson is an error about a tool in words for people, not for a model.
func forPerson(err error) error {
	if err == nil || errors.Is(err, errTold) {
		return err
	}
	said := strings.ReplaceAll(err.Error(), "find_tools finds a tool by its purpose.", "marvin tools WORD lists those about a word.")
	return errors.New(messages.ForPeople(said))
}

// keyValues makes a JSON object of key=value words; one word that is an object is
// taken as it is.
func keyValues(words []string) (json.RawMessage, error) {
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
