package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/tools"
)

// Tools lists the tools of this category.
func Tools() []tools.Tool { return []tools.Tool{askTool()} }

type askArgs struct {
	Questions []question `json:"questions" doc:"Up to 8" sent:"" example:"[{\"question\":\"Where shall it be stored?\",\"options\":[{\"label\":\"sqlite\",\"reason\":\"one file\",\"recommended\":true},{\"label\":\"files\"}],\"default\":[\"sqlite\"]}]"`
	Minutes   int        `json:"minutes" doc:"Time to answer" sent:"-" default:"10" min:"1" max:"240" limits:"time"`
}

type question struct {
	Question string   `json:"question" doc:"One sentence" sent:""`
	Options  []option `json:"options,omitempty" doc:"Up to 9; own words are possible too" sent:"Own words are possible too"`
	Several  bool     `json:"several,omitempty" doc:"Many may be chosen" sent:""`
	Default  []string `json:"default,omitempty" doc:"The default without an answer" sent:"Holds without an answer"`
}

type option struct {
	Label       string `json:"label" doc:"Short" sent:""`
	Reason      string `json:"reason,omitempty" doc:"Why" sent:""`
	Recommended bool   `json:"recommended,omitempty" doc:"You would" sent:""`
}

func askTool() tools.Tool {
	return tools.Outlined("Ask the user what only they can decide, all at once. Not for consent, which is asked for by itself.", tools.New(tools.Def[askArgs]{
		Name:     "ask_user",
		Doc:      "Ask the user what only they can decide, all at once. Not for consent, which is asked for by itself.",
		Examples: []string{"put this question to me: {tea or coffee?|questions}", "ask me this question: {which colour shall it have?|questions}"},
		Brings:   tools.ItsOwn,
		Core:     true,
		Pool:     tools.Agent, // it waits for the user and uses no CPU
		Places:   func(tools.Env, askArgs) []tools.Place { return []tools.Place{tools.ThePerson} },
		Fold:     fold,
		Run:      ask,
	}))
}

func ask(ctx context.Context, env tools.Env, in askArgs) (tools.Output, error) {
	if env.Ask == nil {
		return tools.Output{}, errors.New("there is no conversation in which anybody could be asked")
	}
	inquiry, err := inquiryOf(in)
	if err != nil {
		return tools.Output{}, tools.Advise(err, "Nobody was asked. Mend it and ask again.")
	}
	reply, err := env.Ask(ctx, inquiry)
	if err != nil {
		return tools.Output{}, err
	}
	answers := &messages.View{Kind: messages.Answers, Text: tools.Visible(shown(inquiry, reply))}
	return tools.Output{Text: told(inquiry, reply), Summary: inShort(inquiry, reply), View: answers}, nil
}

// inShort is the answers alone, for a line that has the questions already.
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

// shown is each question with its answer, for the user.
func shown(inquiry tools.Inquiry, reply tools.Reply) string {
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

// answerTo is the answer to a question in a few words.
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

// told is what came of the questions, for the model.
func told(inquiry tools.Inquiry, reply tools.Reply) string {
	var text strings.Builder
	switch {
	case reply.Unanswered != "":
		fmt.Fprintf(&text, "No answer: %s. Your default applies; continue with it, and say so in your answer.\n", reply.Unanswered)
	case reply.Choice != messages.Yes && reply.Text != "":
		fmt.Fprintf(&text, "The user answers none of it and says instead, in their own words: %s\n", reply.Text)
		return text.String()
	case reply.Choice != messages.Yes:
		text.WriteString("The user was asked and does not answer. Your default applies; continue with it.\n")
	default:
		text.WriteString("The user answers:\n")
	}
	for i, question := range inquiry.Questions {
		answer := "there is no default; decide yourself, for what is easiest to undo"
		if i < len(reply.Chosen) && !reply.Chosen[i].Empty() {
			answer = answered(reply.Chosen[i], reply.Choice == messages.Yes && reply.Unanswered == "")
		}
		if len(inquiry.Questions) > 1 {
			fmt.Fprintf(&text, "%d. ", i+1)
		}
		fmt.Fprintf(&text, "%s → %s\n", question.Text, answer)
	}
	return strings.TrimRight(text.String(), "\n")
}

// answered marks what is the person's own words.
func answered(chosen messages.Chosen, own bool) string {
	if chosen.Text == "" || !own {
		return chosen.String()
	}
	words := "in their own words: " + chosen.Text
	if len(chosen.Options) == 0 {
		return words
	}
	return strings.Join(chosen.Options, ", ") + "; " + words
}
