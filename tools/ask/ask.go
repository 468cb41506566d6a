package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Tools returns the ask_user tool.
func Tools() []tools.Tool { return []tools.Tool{askTool()} }

type askArgs struct {
	Questions []question `json:"questions" doc:"Up to 8" sent:"" example:"[{\"question\":\"Where shall it be stored?\",\"options\":[{\"label\":\"sqlite\",\"reason\":\"one file\",\"recommended\":true},{\"label\":\"files\"}],\"default\":[\"sqlite\"]}]"`
	Minutes   int        `json:"minutes" doc:"Minutes to wait for an answer" sent:"-" default:"10" min:"1" max:"240" limits:"time"`
}

type question struct {
	Question string   `json:"question" doc:"One sentence" sent:""`
	Options  []option `json:"options,omitempty" doc:"Up to 9; other answers are also possible" sent:"The user can also write an answer"`
	Several  bool     `json:"several,omitempty" doc:"The user can choose several options" sent:""`
	Default  []string `json:"default,omitempty" doc:"Answer to use if nobody answers" sent:"If there is no answer"`
}

type option struct {
	Label       string `json:"label" doc:"Short" sent:""`
	Reason      string `json:"reason,omitempty" doc:"Why" sent:""`
	Recommended bool   `json:"recommended,omitempty" doc:"You recommend this option" sent:""`
}

func askTool() tools.Tool {
	return tools.WithOutline("In one call, ask the user what only they can decide. Not for approvals: Marvin asks for them.", tools.New(tools.Def[askArgs]{
		Name:     "ask_user",
		Doc:      "In one call, ask the user what only they can decide. Do not ask for approvals.",
		Examples: []string{"put this question to me: {tea or coffee?|questions}", "ask me this question: {which color should it have?|questions}"},
		Brings:   tools.OwnOrigin,
		Core:     true,
		Pool:     tools.Agent, // waiting for the user uses no CPU
		Places:   func(tools.Env, askArgs) []tools.Place { return []tools.Place{tools.ThePerson} },
		Fold:     fold,
		Run:      ask,
	}))
}

func ask(ctx context.Context, env tools.Env, in askArgs) (tools.Output, error) {
	if env.Ask == nil {
		return tools.Output{}, errors.New("there is no conversation here, so no user can be asked")
	}
	inquiry, err := inquiryOf(in)
	if err != nil {
		return tools.Output{}, tools.Advise(err, "The question was not asked. Correct the call and ask again.")
	}
	reply, err := env.Ask(ctx, inquiry)
	if err != nil {
		return tools.Output{}, err
	}
	answers := &messages.View{Kind: messages.Answers, Text: tools.Visible(summary(inquiry, reply))}
	return tools.Output{Text: forModel(inquiry, reply), Summary: inShort(inquiry, reply), View: answers}, nil
}

// inShort joins the answers. It omits the questions because the displayed line contains them.
func inShort(inquiry tools.Inquiry, reply tools.Reply) string {
	var all []string
	for i := range inquiry.Questions {
		all = append(all, answerTo(reply, i))
	}
	if !slices.ContainsFunc(all, func(answer string) bool { return answer != noAnswer }) {
		return noAnswer
	}
	return strings.Join(all, " · ")
}

func summary(inquiry tools.Inquiry, reply tools.Reply) string {
	var lines []string
	for i, question := range inquiry.Questions {
		lines = append(lines, question.Text+" → "+answerTo(reply, i))
	}
	if reply.Text != "" {
		lines = append(lines, "You said: "+reply.Text)
	}
	return strings.Join(lines, "\n")
}

const noAnswer = "no answer"

func answerTo(reply tools.Reply, question int) string {
	given := question < len(reply.Chosen) && !reply.Chosen[question].Empty()
	switch {
	case !given:
		return noAnswer
	case reply.Unanswered != "" || reply.Choice != messages.Yes:
		return noAnswer + ": " + reply.Chosen[question].String() + " (default)"
	}
	return reply.Chosen[question].String()
}

func forModel(inquiry tools.Inquiry, reply tools.Reply) string {
	var text strings.Builder
	switch {
	case reply.Unanswered != "":
		fmt.Fprintf(&text, "No answer: %s. Your default applies; continue with it, and say so in your answer.\n", reply.Unanswered)
	case reply.Choice != messages.Yes && reply.Text != "":
		fmt.Fprintf(&text, "The user did not answer the questions, but wrote this instead: %s\n", reply.Text)
		return text.String()
	case reply.Choice != messages.Yes:
		text.WriteString("The user was asked but did not answer. Your default applies; continue with it.\n")
	default:
		text.WriteString("The user answers:\n")
	}
	for i, question := range inquiry.Questions {
		answer := "there is no default; choose the option that is easiest to undo"
		if i < len(reply.Chosen) && !reply.Chosen[i].Empty() {
			answer = answerText(reply.Chosen[i], reply.Choice == messages.Yes && reply.Unanswered == "")
		}
		if len(inquiry.Questions) > 1 {
			fmt.Fprintf(&text, "%d. ", i+1)
		}
		fmt.Fprintf(&text, "%s → %s\n", question.Text, answer)
	}
	return strings.TrimRight(text.String(), "\n")
}

func answerText(chosen messages.Chosen, own bool) string {
	if chosen.Text == "" || !own {
		return chosen.String()
	}
	words := "in their own words: " + chosen.Text
	if len(chosen.Options) == 0 {
		return words
	}
	return strings.Join(chosen.Options, ", ") + "; " + words
}

// Limits on the questions in one call, with lengths in bytes. The keys 1 to 9 select the options.
const (
	mostQuestions = 8
	mostOptions   = 9
	longestText   = 1000
	longestLabel  = 120
)

// inquiryOf checks the model's questions and converts them to an inquiry.
func inquiryOf(in askArgs) (tools.Inquiry, error) {
	inquiry := tools.Inquiry{Kind: messages.AskChoice, Wait: time.Duration(in.Minutes) * time.Minute}
	switch count := len(in.Questions); {
	case count == 0:
		return inquiry, errors.New("there is no question")
	case count > mostQuestions:
		return inquiry, fmt.Errorf("%d questions were asked, but at most %d are allowed at once", count, mostQuestions)
	}
	for i, each := range in.Questions {
		question, err := each.checked()
		if err != nil {
			return inquiry, fmt.Errorf("question %d: %w", i+1, err)
		}
		inquiry.Questions = append(inquiry.Questions, question)
	}
	inquiry.Title = inquiry.Questions[0].Text
	if count := len(in.Questions); count > 1 {
		inquiry.Title = fmt.Sprintf("%d questions", count)
	}
	inquiry.Detail = messages.TextOf(inquiry.Questions)
	return inquiry, nil
}

func (q question) checked() (messages.Question, error) {
	checked := messages.Question{Text: plain(q.Question, longestText), Several: q.Several, Free: true}
	if checked.Text == "" {
		return checked, errors.New("it has no words")
	}
	if len(q.Options) > mostOptions {
		return checked, fmt.Errorf("%d options are too many; give at most %d; the user can also write another answer", len(q.Options), mostOptions)
	}
	recommended := 0
	for _, each := range q.Options {
		option := messages.Option{Label: plain(each.Label, longestLabel), Reason: plain(each.Reason, longestText), Recommended: each.Recommended}
		if option.Label == "" {
			return checked, errors.New("an option has no label")
		}
		if slices.ContainsFunc(checked.Options, func(other messages.Option) bool { return strings.EqualFold(other.Label, option.Label) }) {
			return checked, fmt.Errorf("two options are called %q", option.Label)
		}
		if option.Recommended {
			recommended++
		}
		checked.Options = append(checked.Options, option)
	}
	if recommended > 1 && !q.Several {
		return checked, errors.New("only one option may be marked as recommended")
	}
	checked.Default = q.defaults(checked.Options)
	if len(checked.Default) > 1 && !q.Several {
		return checked, errors.New("\"default\" has more than one answer, but only one may be chosen")
	}
	return checked, nil
}

// defaults determines the answers to use if nobody answers: q.Default or, if it is empty, the
// recommended options.
func (q question) defaults(options []messages.Option) []string {
	var list []string
	for _, text := range q.Default {
		if text = plain(text, longestText); text == "" {
			continue
		}
		for _, option := range options { // use the option's own spelling
			if strings.EqualFold(option.Label, text) {
				text = option.Label
			}
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, option := range options {
		if option.Recommended {
			list = append(list, option.Label)
		}
	}
	return list
}

// plain returns the text on one line, with invisible characters made visible. It cuts the text to
// the given number of bytes.
func plain(said string, limit int) string {
	return text.ClipBytes(tools.Visible(text.OneLine(said)), limit)
}

// fold converts arguments from the formats of other agents. A question need not be in a list,
// options can be plain strings, and arguments can have other names, such as "multiSelect" for
// "several".
func fold(arguments map[string]any) {
	if _, listed := arguments["questions"]; !listed && arguments["question"] != nil {
		one := map[string]any{}
		for _, name := range []string{"question", "options", "choices", "several", "multi", "multiSelect", "default"} {
			if value, ok := arguments[name]; ok {
				one[name] = value
				delete(arguments, name)
			}
		}
		arguments["questions"] = one
	}
	switch given := arguments["questions"].(type) {
	case string:
		var list []any
		if json.Unmarshal([]byte(given), &list) != nil {
			list = []any{given}
		}
		arguments["questions"] = list
	case map[string]any:
		arguments["questions"] = []any{given}
	}
	list, _ := arguments["questions"].([]any)
	for i := range list {
		list[i] = foldQuestion(list[i])
	}
}

func foldQuestion(given any) any {
	if text, ok := given.(string); ok {
		return map[string]any{"question": text}
	}
	one, ok := given.(map[string]any)
	if !ok {
		return given
	}
	rename(one, "question", "text", "prompt", "title")
	rename(one, "options", "choices", "answers")
	rename(one, "several", "multi", "multiSelect", "multi_select", "multiple")
	rename(one, "default", "default_answer")
	if text, ok := one["default"].(string); ok {
		one["default"] = []any{text}
	}
	options, _ := one["options"].([]any)
	for i, option := range options {
		switch option := option.(type) {
		case string:
			options[i] = map[string]any{"label": option}
		case map[string]any:
			rename(option, "label", "text", "value", "name", "title")
			rename(option, "reason", "description", "why", "explanation")
		}
	}
	return one
}

// rename replaces alternative names of an argument with the standard name. It does not overwrite an
// existing argument.
func rename(object map[string]any, name string, others ...string) {
	for _, other := range others {
		if value, ok := object[other]; ok && object[name] == nil {
			object[name] = value
			delete(object, other)
		}
	}
}
