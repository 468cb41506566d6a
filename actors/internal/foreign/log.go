package foreign

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"marvin/messages"
)

// Log is a conversation with another assistant.
type Log struct {
	By      string // the program: "Claude Code", "Codex" or "omp"
	ID      string // the id that the conversation has in the other assistant
	Dir     string // the first working directory in the log
	Branch  string // the git branch
	Title   string // may be ""
	Turns   []Turn
	Skipped int // lines that could not be read
}

// Turn is a prompt with the messages that followed. The first element of Messages is the prompt.
type Turn struct {
	At       time.Time
	Prompt   string
	Messages []messages.Message
}

func (l *Log) beginTurn(at time.Time, text string, pictures []messages.Picture) {
	l.Turns = append(l.Turns, Turn{At: at, Prompt: text, Messages: []messages.Message{
		{Role: messages.User, Text: text, At: at, Pictures: pictures, Origin: messages.Origin{From: messages.FromPerson}},
	}})
}

// turn returns the last turn. If the log has no turns, the method adds a turn with a placeholder
// prompt.
func (l *Log) turn(at time.Time) *Turn {
	if len(l.Turns) == 0 {
		l.beginTurn(at, "(the beginning is not in the log)", nil)
	}
	return &l.Turns[len(l.Turns)-1]
}

// answer returns the message that the model's text will be added to. This is the turn's last
// message if the same model wrote that message, and a new message otherwise. An unknown model
// counts as the same model.
func (l *Log) answer(at time.Time, model string) *messages.Message {
	turn := l.turn(at)
	if last := &turn.Messages[len(turn.Messages)-1]; last.Role == messages.Assistant && (model == "" || last.Model == "" || last.Model == model) {
		if last.Model == "" {
			last.Model = model
		}
		return last
	}
	turn.Messages = append(turn.Messages, messages.Message{Role: messages.Assistant, At: at, Model: model, Origin: messages.Origin{From: messages.FromModel}})
	return &turn.Messages[len(turn.Messages)-1]
}

func addText(message *messages.Message, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if message.Text != "" {
		message.Text += "\n\n"
	}
	message.Text += text
}

// addThought adds imported reasoning for display only. Reasoning must not be sent to a provider
// that did not produce it.
func addThought(message *messages.Message, text string) {
	if text = strings.TrimSpace(text); text != "" {
		message.Thinking = append(message.Thinking, messages.Thought{Text: text, Offset: len(message.Text)})
	}
}

func addCall(message *messages.Message, id, name, args string) {
	if args = strings.TrimSpace(args); !gjson.Valid(args) || args == "" || args[0] != '{' {
		args = `{"input":` + jsonString(args) + `}`
	}
	message.Calls = append(message.Calls, messages.ToolCall{ID: id, Name: name, Args: []byte(args)})
}

// addBlocks adds the content blocks to the answer. A block of type callType is a tool call with its
// arguments in the field argsKey.
func addBlocks(answer *messages.Message, content gjson.Result, callType, argsKey string) {
	content.ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").Str {
		case "text":
			addText(answer, block.Get("text").Str)
		case "thinking":
			addThought(answer, block.Get("thinking").Str)
		case callType:
			addCall(answer, block.Get("id").Str, block.Get("name").Str, block.Get(argsKey).Raw)
		}
		return true
	})
}

// addResult adds a tool result to the current turn. It ignores a result whose call is not in that
// turn.
func (l *Log) addResult(at time.Time, id, text string, failed bool) {
	turn := l.turn(at)
	name, known := "", false
	for _, message := range turn.Messages {
		for _, call := range message.Calls {
			if call.ID == id {
				name, known = call.Name, true
			}
		}
	}
	if !known {
		return
	}
	status := messages.OK
	if failed {
		status = messages.ToolError
	}
	turn.Messages = append(turn.Messages, messages.Message{
		Role: messages.Tool, At: at, Origin: messages.Origin{From: messages.FromStranger}, // the call might have read untrusted text
		Result: messages.ToolResult{Call: id, Name: name, Text: text, Status: status},
	})
}

// timeOf returns the time of a line, or the zero time if the line has none.
func timeOf(line gjson.Result, path string) time.Time {
	value := line.Get(path)
	if value.Type == gjson.Number {
		return time.UnixMilli(value.Int()).UTC()
	}
	at, _ := time.Parse(time.RFC3339Nano, value.Str)
	return at.UTC()
}

// textOf returns the text of a content value, which is a string or a list of blocks.
func textOf(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	var text []string
	content.ForEach(func(_, block gjson.Result) bool {
		if piece := block.Get("text").Str; piece != "" && block.Get("type").Str != "thinking" {
			text = append(text, piece)
		}
		return true
	})
	return strings.Join(text, "\n")
}

// picturesOf returns a placeholder for each picture in a content value. Picture data is not
// imported, because a log can contain megabytes of it.
func picturesOf(content gjson.Result) (pictures []messages.Picture) {
	content.ForEach(func(_, block gjson.Result) bool {
		if kind := block.Get("type").Str; kind == "image" || kind == "input_image" {
			pictures = append(pictures, messages.Picture{Type: "image/png", Note: "a picture that was not imported"})
		}
		return true
	})
	return pictures
}
