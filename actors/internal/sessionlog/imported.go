package sessionlog

import (
	"fmt"
	"strings"

	"marvin/actors/internal/foreign"
	"marvin/messages"
	"marvin/persistence/sessions"
)

// Imported converts one turn of another assistant's log to records. The records keep the log's
// times and mark the text as untrusted.
func Imported(log *foreign.Log, number int) []Record {
	turn := log.Turns[number]
	name, prompt, first := fmt.Sprintf("t%d", number+1), turn.Prompt, FirstLine(turn.Prompt)
	last := turn.Messages[len(turn.Messages)-1]
	begin := &sessions.About{First: first, Last: first, Branch: log.Branch}
	if number == 0 {
		begin.Title = FirstLine(log.Title)
	}
	end := &sessions.About{Turns: 1}
	for _, message := range turn.Messages {
		if end.Cost += message.Usage.Cost; message.Model != "" {
			end.Model = message.Model
		}
	}
	ended := Step{Turn: name, Offset: 1, Messages: turn.Messages[1:], Outcome: messages.Completed, Tainted: "a log of " + log.By}
	if last.Role == messages.Assistant {
		ended.Text = last.Text
	}
	at := last.At
	if at.Before(turn.At) {
		at = turn.At
	}
	return []Record{
		{kind: stepKind, body: Step{Turn: name, Prompt: &prompt, State: &State{Model: end.Model}, Foreign: true, Messages: turn.Messages[:1]}, about: begin, at: turn.At},
		{kind: stepKind, body: ended, about: end, at: at},
	}
}

// For the model, the arguments and the result of an imported call are each cut to mostOfResult
// bytes.
const mostOfResult = 2000

// inWords reduces another assistant's turn to its prompt and one answer. Calls become text, because
// services reject calls to tools that the request does not offer.
func inWords(said []messages.Message) []messages.Message {
	if len(said) < 2 {
		return said
	}
	var text []string
	for _, message := range said[1:] {
		if message.Text != "" {
			text = append(text, message.Text)
		}
		for _, call := range message.Calls {
			text = append(text, fmt.Sprintf("[%s was called: %s]", call.Name, short(string(call.Args))))
		}
		if message.Role == messages.Tool {
			text = append(text, fmt.Sprintf("[%s, %s:]\n%s", message.Result.Name, message.Result.Status, messages.Frame("", short(message.Result.Text))))
		}
	}
	answer := messages.Message{Role: messages.Assistant, Text: strings.Join(text, "\n"), At: said[1].At, Model: said[1].Model, Origin: messages.Origin{From: messages.FromStranger}}
	return []messages.Message{said[0], answer}
}

func short(text string) string {
	if len(text) <= mostOfResult {
		return text
	}
	return strings.ToValidUTF8(text[:mostOfResult], "") + " …"
}
