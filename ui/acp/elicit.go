package acp

import (
	"encoding/json"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/messages/acp"
)

// This file shows questions from ask_user and MCP servers as forms, if the client supports forms.

// ownWords is the suffix in the name of a question's free-text field, if the question also has
// options.
const ownWords = "_own"

// elicit asks the client to show a form.
func (s *session) elicit(asked messages.Asked) {
	call, _, within := strings.Cut(asked.Ask, "-ask-")
	if !within || s.calls[call] == nil {
		call = ""
	}
	message, schema := asked.Title, formOf(asked)
	if asked.Kind == messages.AskForm && asked.Detail != "" {
		message = asked.Detail
	}
	if len(asked.Questions) == 1 {
		message = asked.Questions[0].Text
		if asked.Title != message { // the title and the detail explain a question from Marvin
			message = strings.Join([]string{asked.Title, asked.Detail, message}, "\n\n")
		}
	}
	one := &question{session: s, asked: asked}
	one.id = s.agent.call("elicitation/create", elicitParams{Session: s.id, Call: call, Mode: "form", Message: message, Schema: schema})
	one.wait()
}

func formOf(asked messages.Asked) formSchema {
	form := formSchema{Type: "object", Properties: map[string]formField{}}
	for i, question := range asked.Questions {
		name := "q" + strconv.Itoa(i+1)
		if len(question.Options) > 0 {
			form.Properties[name] = choiceField(question)
		}
		if question.Free || len(question.Options) == 0 {
			title := question.Text
			if len(question.Options) > 0 {
				name, title = name+ownWords, "Or answer in your own words"
			}
			form.Properties[name] = formField{Type: "string", Title: title}
		}
	}
	for _, field := range asked.Fields {
		form.Properties[field.Name] = fieldOf(field)
		if field.Required {
			form.Required = append(form.Required, field.Name)
		}
	}
	return form
}

func choiceField(question messages.Question) formField {
	var options []formOption
	for _, option := range question.Options {
		one := formOption{Value: option.Label, Title: option.Label, Description: option.Reason}
		if option.Recommended {
			one.Title += " (recommended)"
		}
		options = append(options, one)
	}
	stated := question.Stated()
	if question.Several {
		field := formField{Type: "array", Title: question.Text, Items: &formItems{AnyOf: options}}
		if len(stated.Options) > 0 {
			field.Default = stated.Options
		}
		return field
	}
	field := formField{Type: "string", Title: question.Text, OneOf: options}
	if len(stated.Options) > 0 {
		field.Default = stated.Options[0]
	}
	return field
}

func fieldOf(field messages.Field) formField {
	told := formField{Title: field.Title, Description: field.Doc, Default: field.Default}
	var options []formOption
	for _, label := range field.Options {
		options = append(options, formOption{Value: label, Title: label})
	}
	switch field.Type {
	case messages.NumberField:
		told.Type = "number"
	case messages.BooleanField:
		told.Type = "boolean"
	case messages.ChoicesField:
		told.Type, told.Items = "array", &formItems{AnyOf: options}
	default:
		told.Type, told.OneOf = "string", options
	}
	return told
}

// answerFrom returns the user's answer from the client's reply to a form.
func (q *question) answerFrom(result json.RawMessage) messages.Answer {
	said, wrong := acp.Params[elicitAnswer](result)
	if wrong != nil || said.Action != "accept" {
		return messages.Answer{Choice: messages.No}
	}
	answer := messages.Answer{Choice: messages.Yes}
	if q.asked.Kind == messages.AskForm {
		answer.Values = said.Content
	}
	for i, question := range q.asked.Questions {
		name := "q" + strconv.Itoa(i+1)
		answer.Chosen = append(answer.Chosen, chosenOf(question, said.Content[name], said.Content[name+ownWords]))
	}
	if _, err := q.asked.CompleteAnswer(answer); err != nil {
		return messages.Answer{Choice: messages.No, Text: "the editor sent an invalid answer: " + err.Error()}
	}
	return answer
}

func chosenOf(question messages.Question, value, own any) (chosen messages.Chosen) {
	switch value := value.(type) {
	case string:
		if len(question.Options) == 0 {
			chosen.Text = value
		} else if value != "" {
			chosen.Options = []string{value}
		}
	case []any:
		for _, one := range value {
			if label, is := one.(string); is {
				chosen.Options = append(chosen.Options, label)
			}
		}
	}
	if words, is := own.(string); is && strings.TrimSpace(words) != "" {
		chosen.Text = words
		if !question.Several {
			chosen.Options = nil
		}
	}
	return chosen
}
