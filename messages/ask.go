package messages

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// AskKind says what an [Asked] wants of a person.
type AskKind string

// The kinds of a question. All but the first have a deadline, at which what they say will
// be done without an answer is done: a program that does not know a kind holds nothing up.
const (
	AskConsent AskKind = "consent" // one of Choices, about an effect; it waits however long it takes
	AskChoice  AskKind = "choice"  // an answer to each of Questions
	AskForm    AskKind = "form"    // a value for each of Fields
	AskPlan    AskKind = "plan"    // whether the plan in Detail is carried out
)

// Asked wants a decision of the user. Detail is the exact effect (the command that would run), with
// control characters made visible. Always says what that choice would cover; it is empty if the
// choice is not offered. More is context, such as the files that the question is about.
//
// For a choice or a form, [Yes] carries the answers, and missing ones take their defaults; [No]
// means that the user does not answer. For a plan, [Yes] accepts it. A repeated question has a new
// deadline.
type Asked struct {
	Ask     string   `json:"ask"`
	Kind    AskKind  `json:"kind"`
	Tool    string   `json:"tool,omitempty"`
	Title   string   `json:"title"`
	Detail  string   `json:"detail"`
	Diff    bool     `json:"diff,omitempty"` // the detail ends with a unified diff of files, from "--- " on
	Choices []Choice `json:"choices"`
	Host    string   `json:"host,omitempty"` // where data would leave to; then always is for this host
	Always  string   `json:"always,omitempty"`
	More    string   `json:"more,omitempty"`
	// The position of the call in its reply, from 1, and the number of calls; 0 if the question is
	// not about a call.
	Position int `json:"position,omitempty"`
	Total    int `json:"total,omitempty"`

	Questions []Question `json:"questions,omitempty"`
	Fields    []Field    `json:"fields,omitempty"`
	Deadline  time.Time  `json:"deadline,omitzero"`
	// Digest is the [Asked.Fingerprint], told to windows whose answer may come late.
	Digest string `json:"digest,omitempty"`
}

// Question is one of a choice.
type Question struct {
	Text    string   `json:"text"`
	Options []Option `json:"options,omitempty"` // no two of a label
	Several bool     `json:"several,omitempty"` // more than one may be chosen
	Free    bool     `json:"free,omitempty"`    // own words are an answer
	Default []string `json:"default,omitempty"` // labels, or words; what holds without an answer
}

// Option is one answer that is offered.
type Option struct {
	Label       string `json:"label"`
	Reason      string `json:"reason,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

// Field is one of a form.
type Field struct {
	Name     string    `json:"name"`
	Title    string    `json:"title,omitempty"` // for people, who read the name without it
	Doc      string    `json:"doc,omitempty"`
	Type     FieldType `json:"type"`
	Options  []string  `json:"options,omitempty"` // of an enum, or of choices
	Default  any       `json:"default,omitempty"` // a string, a float64, a bool, or a list of strings for choices
	Required bool      `json:"required,omitempty"`
}

// FieldType is what a value of a field is.
type FieldType string

// The types of a field.
const (
	StringField  FieldType = "string"
	NumberField  FieldType = "number"
	BooleanField FieldType = "boolean"
	EnumField    FieldType = "enum"
	ChoicesField FieldType = "choices" // any number of the options, as a list
)

// Heading is the title, with its number where several questions came together. Calls of the
// same reply that need no answer do not count.
func (a Asked) Heading(number, of int) string {
	if of < 2 {
		return a.Title
	}
	return fmt.Sprintf("%s (%d of %d)", a.Title, number, of)
}

// Chosen is the answer to one question of a choice: labels of its options, own words, or
// both. Without either the default holds.
type Chosen struct {
	Options []string `json:"options,omitempty"`
	Text    string   `json:"text,omitempty"`
}

// String is the answer in words.
func (c Chosen) String() string {
	if c.Text == "" {
		return strings.Join(c.Options, ", ")
	}
	return strings.Join(append(slices.Clone(c.Options), c.Text), ", ")
}

// Empty says that nothing was chosen.
func (c Chosen) Empty() bool { return len(c.Options) == 0 && strings.TrimSpace(c.Text) == "" }

// Stated is the default answer of a question.
func (q Question) Stated() Chosen {
	var chosen Chosen
	for _, text := range q.Default {
		if slices.ContainsFunc(q.Options, func(option Option) bool { return option.Label == text }) {
			chosen.Options = append(chosen.Options, text)
		} else {
			chosen.Text = strings.TrimSpace(chosen.Text + " " + text)
		}
	}
	return chosen
}

// Stated is the default answer, used when the user gives none.
func (a Asked) Stated() Answer {
	answer := Answer{Ask: a.Ask, Choice: No}
	for _, question := range a.Questions {
		answer.Chosen = append(answer.Chosen, question.Stated())
	}
	for _, field := range a.Fields {
		if field.Default != nil {
			answer.set(field.Name, field.Default)
		}
	}
	return answer
}

func (a *Answer) set(name string, value any) {
	if a.Values == nil {
		a.Values = map[string]any{}
	}
	a.Values[name] = value
}

// TextOf is all of some questions as text, for a front end that shows no more than that.
func TextOf(questions []Question) string {
	var text strings.Builder
	for i, question := range questions {
		if len(questions) > 1 {
			fmt.Fprintf(&text, "%d. ", i+1)
		}
		text.WriteString(question.Text + "\n")
		for _, option := range question.Options {
			text.WriteString("  " + option.Label)
			if option.Recommended {
				text.WriteString(" (recommended)")
			}
			if option.Reason != "" {
				text.WriteString(": " + option.Reason)
			}
			text.WriteByte('\n')
		}
		if stated := question.Stated(); !stated.Empty() {
			text.WriteString("  without an answer: " + stated.String() + "\n")
		}
	}
	return strings.TrimRight(text.String(), "\n")
}

// Words are the answer in one line.
func (a Answered) Words() string {
	said := a.Text
	for _, chosen := range a.Chosen {
		said = strings.TrimSpace(said + " " + chosen.String())
	}
	switch {
	case said == "":
		return string(a.Choice)
	case a.Choice == Yes:
		return "“" + said + "”"
	default:
		return string(a.Choice) + ", “" + said + "”"
	}
}
