package messages

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// AskKind is the kind of decision that an [Asked] requests from the user.
type AskKind string

// The kinds of questions. Every question except AskConsent has a deadline, after which the default
// applies. A program can therefore ignore questions of kinds that it does not know.
const (
	AskConsent AskKind = "consent" // the user allows or refuses the effect that Detail shows
	AskChoice  AskKind = "choice"  // the user answers the questions in Questions
	AskForm    AskKind = "form"    // the user fills in the fields in Fields
	AskPlan    AskKind = "plan"    // the user accepts or rejects the plan in Detail
)

// Asked is a question for the user. Detail shows the exact effect, such as the command to run, and
// spells out control characters. The Always field describes what the choice [Always] covers. The
// More field contains context, such as the affected files.
//
// For a choice or a form, [Yes] carries the answers, and each missing answer takes its default.
// [No] means that the user does not answer. For a plan, [Yes] accepts the plan. A repeated question
// has a new deadline.
type Asked struct {
	Ask     string   `json:"ask"`
	Kind    AskKind  `json:"kind"`
	Tool    string   `json:"tool,omitempty"`
	Title   string   `json:"title"`
	Detail  string   `json:"detail"`
	Diff    bool     `json:"diff,omitempty"` // Detail ends with a unified diff, which begins with "--- "
	Choices []Choice `json:"choices"`
	// Host is the host that would receive data. [Always] permits sending any data to that host.
	Host   string `json:"host,omitempty"`
	Always string `json:"always,omitempty"`
	More   string `json:"more,omitempty"`
	// Position is the number of the call within the model's reply, from 1. Total is the number of
	// calls in that reply. Both are 0 if the question is not about a call.
	Position int `json:"position,omitempty"`
	Total    int `json:"total,omitempty"`

	Questions []Question `json:"questions,omitempty"`
	Fields    []Field    `json:"fields,omitempty"`
	Deadline  time.Time  `json:"deadline,omitzero"`
	// Digest is the result of [Asked.Fingerprint]. A client returns it in [Answer.Digest], so that
	// a late answer cannot apply to a changed question.
	Digest string `json:"digest,omitempty"`
}

// Question is an element of [Asked.Questions].
type Question struct {
	Text    string   `json:"text"`
	Options []Option `json:"options,omitempty"` // no two options have the same label
	Several bool     `json:"several,omitempty"` // the question accepts more than one option
	Free    bool     `json:"free,omitempty"`    // the question accepts free text
	Default []string `json:"default,omitempty"` // labels of options; any other string is free text
}

// Option is one answer that a question offers.
type Option struct {
	Label       string `json:"label"`
	Reason      string `json:"reason,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

// Field is one field of a form.
type Field struct {
	Name     string    `json:"name"`
	Title    string    `json:"title,omitempty"` // shown to the user; if empty, the name is shown
	Doc      string    `json:"doc,omitempty"`
	Type     FieldType `json:"type"`
	Options  []string  `json:"options,omitempty"` // for an EnumField or a ChoicesField
	Default  any       `json:"default,omitempty"` // a string, a float64 or a bool; for a ChoicesField, a list of strings
	Required bool      `json:"required,omitempty"`
}

// FieldType is the type of a field's value.
type FieldType string

// The types of a field.
const (
	StringField  FieldType = "string"
	NumberField  FieldType = "number"
	BooleanField FieldType = "boolean"
	EnumField    FieldType = "enum"
	ChoicesField FieldType = "choices" // any number of the options, as a list
)

// Heading returns the title. If total is at least 2, a suffix such as " (1 of 3)" follows.
func (a Asked) Heading(number, total int) string {
	if total < 2 {
		return a.Title
	}
	return fmt.Sprintf("%s (%d of %d)", a.Title, number, total)
}

// Chosen is the answer to a [Question]. Options holds the labels of the chosen options, and Text
// holds the user's own words. If both are empty, the default applies.
type Chosen struct {
	Options []string `json:"options,omitempty"`
	Text    string   `json:"text,omitempty"`
}

// String returns the options and the text, separated by commas.
func (c Chosen) String() string {
	if c.Text == "" {
		return strings.Join(c.Options, ", ")
	}
	return strings.Join(append(slices.Clone(c.Options), c.Text), ", ")
}

// Empty reports whether the answer has neither options nor text.
func (c Chosen) Empty() bool { return len(c.Options) == 0 && strings.TrimSpace(c.Text) == "" }

// Stated returns the default answer to the question.
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

// Stated returns the default answer, whose choice is [No].
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

// TextOf returns questions and their options as plain text, for a front end that shows only text.
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

// Words returns the answer in one line.
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
