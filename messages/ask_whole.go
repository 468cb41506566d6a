package messages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CompleteAnswer fills in the defaults for missing parts of an answer. It returns an error if the
// answer does not fit the question.
func (a Asked) CompleteAnswer(answer Answer) (Answer, error) {
	if !slices.Contains(a.Choices, answer.Choice) {
		return answer, fmt.Errorf("choice %q is not offered; it is one of %v", answer.Choice, a.Choices)
	}
	if answer.Choice != Yes {
		stated := a.Stated()
		answer.Chosen, answer.Values, answer.Mode = stated.Chosen, stated.Values, ""
		return answer, nil
	}
	switch a.Kind {
	case AskChoice:
		return a.wholeChoice(answer)
	case AskForm:
		return a.wholeForm(answer)
	case AskPlan:
		answer.Mode = cmp.Or(answer.Mode, ApproveEdits)
		if modes := []Approval{ApproveAsk, ApproveEdits, ApproveAuto}; !slices.Contains(modes, answer.Mode) {
			return answer, fmt.Errorf("a plan cannot run in mode %q; choose one of %v", answer.Mode, modes)
		}
	}
	return answer, nil
}

func (a Asked) wholeChoice(answer Answer) (Answer, error) {
	if len(answer.Chosen) > len(a.Questions) {
		return answer, fmt.Errorf("\"chosen\" has %d answers to %d questions; give one for each question", len(answer.Chosen), len(a.Questions))
	}
	whole := make([]Chosen, len(a.Questions))
	copy(whole, answer.Chosen)
	for i, question := range a.Questions {
		if whole[i].Empty() {
			whole[i] = question.Stated()
			continue
		}
		if err := question.check(whole[i]); err != nil {
			return answer, fmt.Errorf("question %d: %w", i+1, err)
		}
	}
	answer.Chosen = whole
	return answer, nil
}

func (q Question) check(chosen Chosen) error {
	for i, label := range chosen.Options {
		if !slices.ContainsFunc(q.Options, func(option Option) bool { return option.Label == label }) {
			return fmt.Errorf("%q is not one of the options of this question", label)
		}
		if slices.Contains(chosen.Options[:i], label) {
			return fmt.Errorf("%q is chosen twice", label)
		}
	}
	switch {
	case chosen.Text != "" && !q.Free:
		return errors.New("this question accepts only its options, not other text")
	case len(chosen.Options) > 1 && !q.Several:
		return errors.New("only one option can be chosen")
	}
	return nil
}

func (a Asked) wholeForm(answer Answer) (Answer, error) {
	whole := Answer{Ask: answer.Ask, Choice: answer.Choice}
	for name := range answer.Values {
		if !slices.ContainsFunc(a.Fields, func(field Field) bool { return field.Name == name }) {
			return answer, fmt.Errorf("there is no field %q", name)
		}
	}
	for _, field := range a.Fields {
		value := answer.Values[field.Name]
		if value == nil || value == "" && field.Type != StringField {
			value = field.Default
		}
		if value == nil && field.Required {
			return answer, fmt.Errorf("%s is required", field.Name)
		}
		if value == nil {
			continue
		}
		if err := field.check(value); err != nil {
			return answer, fmt.Errorf("%s: %w", field.Name, err)
		}
		whole.set(field.Name, value)
	}
	return whole, nil
}

func (f Field) check(value any) error {
	fits := false
	switch value := value.(type) {
	case string:
		fits = f.Type == StringField && (value != "" || !f.Required) || f.Type == EnumField && slices.Contains(f.Options, value)
	case float64:
		fits = f.Type == NumberField
	case bool:
		fits = f.Type == BooleanField
	case []any:
		fits = f.Type == ChoicesField && (len(value) > 0 || !f.Required)
		for _, one := range value {
			label, ok := one.(string)
			fits = fits && ok && slices.Contains(f.Options, label)
		}
	}
	if fits {
		return nil
	}
	shown, err := json.Marshal(value)
	if err != nil {
		shown = []byte("that")
	}
	if f.Type == ChoicesField {
		return fmt.Errorf("%s is not a list of %s", shown, strings.Join(f.Options, ", "))
	}
	if f.Type == EnumField {
		return fmt.Errorf("%s is not one of %s", shown, strings.Join(f.Options, ", "))
	}
	return fmt.Errorf("%s is no %s", shown, f.Type)
}
