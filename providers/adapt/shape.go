package adapt

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// shapes is a set of changes to the form of messages. The content stays the same.
type shapes uint32

// The shapes in inBody are applied to the JSON body of a request. All other shapes are applied to
// the [providers.Question] before the body is written.
const (
	systemless  shapes = 1 << iota // the first user message begins with the system text
	merged                         // no two consecutive messages have the same role
	bridged                        // an answer comes between a result and the user's message
	userFirst                      // the first message is the user's
	userLast                       // the last message is not the model's
	shortIDs                       // call ids have nine characters, all of them letters or digits
	inWords                        // tool calls and results are sent as text
	toolless                       // no tools are offered; implies inWords
	emptyText                      // an assistant message without text has "" as its content
	someText                       // an assistant message without text gets a placeholder
	partsText                      // each text is a list of parts
	plainText                      // each text is a string
	namedResult                    // each result contains the name of its tool
	newLimit                       // max_completion_tokens instead of max_tokens
	oldLimit                       // max_tokens instead of max_completion_tokens

	inBody = emptyText | someText | partsText | plainText | namedResult | newLimit | oldLimit
)

// shapeNotices describes each shape to the user.
var shapeNotices = map[shapes]string{
	systemless:  "the instructions are part of the user's first message",
	merged:      "consecutive messages with the same role are joined",
	bridged:     "an assistant message is put between a result and the next user message",
	userFirst:   "the first message is a user message",
	userLast:    "the last message is a user message",
	shortIDs:    "the ids of tool calls have nine characters",
	inWords:     "tool calls and their results are sent as text",
	toolless:    "no tools are offered, so the model can only talk (if it never accepts tools, set \"tools: false\" for it in config.yaml)",
	emptyText:   "an answer that only calls tools has an empty text instead of null",
	someText:    "an answer that consists only of tool calls gets a placeholder as its text",
	partsText:   "texts are sent as lists of parts",
	plainText:   "texts are not sent as lists of parts",
	namedResult: "results name their tool",
	newLimit:    "the limit for an answer is sent as max_completion_tokens",
	oldLimit:    "the limit for an answer is sent as max_tokens",
}

// filler is sent where a server requires assistant text that the model did not write.
const filler = "All right."

func (h *Host) applyForm(f form, question providers.Question) providers.Question {
	if h.Tools != nil && !*h.Tools {
		f.shapes |= toolless
	}
	if f.shapes&toolless != 0 {
		question.Tools, f.shapes = nil, f.shapes|inWords
	}
	if len(question.Tools) > 0 && len(f.tools) > 0 {
		question.Tools = slices.DeleteFunc(slices.Clone(question.Tools), func(tool providers.ToolSpec) bool { return slices.Contains(f.tools, tool.Name) })
	}
	if h.Closed {
		f.adaptQuestion(&question)
	}
	if f.shapes&(systemless|merged|bridged|userFirst|userLast|shortIDs|inWords) == 0 {
		return question
	}
	all := providers.RepairFor(h.Origin, question.Messages)
	if f.shapes&inWords != 0 {
		all = providers.InWordsOnly(all)
	}
	if f.shapes&systemless != 0 && strings.TrimSpace(question.System) != "" {
		all = slices.Insert(all, 0, messages.Message{Role: messages.User, Text: question.System})
		question.System = ""
		f.shapes |= merged
	}
	if f.shapes&userFirst != 0 && len(all) > 0 && all[0].Role != messages.User {
		all = slices.Insert(all, 0, messages.Message{Role: messages.User, Text: "(The conversation continues.)"})
	}
	if f.shapes&userLast != 0 && len(all) > 0 && all[len(all)-1].Role == messages.Assistant {
		all = append(all, messages.Message{Role: messages.User, Text: "Go on."})
	}
	if f.shapes&merged != 0 {
		all = merge(all)
	}
	if f.shapes&bridged != 0 {
		for i := len(all) - 1; i > 0; i-- {
			if all[i].Role == messages.User && all[i-1].Role == messages.Tool {
				all = slices.Insert(all, i, messages.Message{Role: messages.Assistant, Text: filler})
			}
		}
	}
	if f.shapes&shortIDs != 0 {
		for i := range all {
			all[i].Calls = slices.Clone(all[i].Calls)
			for j := range all[i].Calls {
				all[i].Calls[j].ID = shortID(all[i].Calls[j].ID)
			}
			if all[i].Role == messages.Tool {
				all[i].Result.Call = shortID(all[i].Result.Call)
			}
		}
	}
	question.Messages = all
	return question
}

// adaptQuestion removes a refused effort and refused schema keywords from a question. It is used
// only if [Host.Closed] is set, because Marvin then cannot remove these from the request body.
func (f form) adaptQuestion(question *providers.Question) {
	if slices.Contains(f.fields, effortField) {
		question.Effort = ""
	}
	if len(f.keywords) == 0 {
		return
	}
	question.Tools = slices.Clone(question.Tools)
	for i := range question.Tools {
		var value any
		if raw := question.Tools[i].Schema; json.Unmarshal(raw, &value) == nil {
			schema(value, f.keywords)
			question.Tools[i].Schema = encoded(value, raw)
		}
	}
}

// effortField is the only field that Marvin can remove from a body that another program writes.
const effortField = "reasoning_effort"

// standInBody returns a function that opens a substitute for the request body. Another program
// writes the real body, so refused fields are looked up in the substitute.
func standInBody(question providers.Question) func() (io.ReadCloser, error) {
	body := "{}"
	if question.Effort != "" {
		body = fmt.Sprintf("{%q: %q}", effortField, question.Effort)
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
}

// merge unites adjacent messages with the same role, except tool results. It appends nothing to a
// message with calls.
func merge(all []messages.Message) (joined []messages.Message) {
	for _, message := range all {
		if at := len(joined) - 1; at >= 0 && message.Role == joined[at].Role && message.Role != messages.Tool && len(joined[at].Calls) == 0 {
			last := &joined[at]
			last.Text = strings.TrimSpace(last.Text + "\n\n" + message.Text)
			last.Pictures = append(slices.Clone(last.Pictures), message.Pictures...)
			last.Calls, last.Thinking = message.Calls, nil
			continue
		}
		joined = append(joined, message)
	}
	return joined
}

// shortID returns an id of nine letters and digits, which is the form that Mistral requires.
func shortID(id string) string {
	const size = 9
	sum := sha256.Sum256([]byte(id))
	text := new(big.Int).SetBytes(sum[:]).Text(62)
	return text[:size]
}

func (h *Host) foreign(name string) bool { return h.Own == nil || !h.Own(name) }

// sameMessage reports whether two messages have the same role, text, call ids and tool names.
func sameMessage(a, b messages.Message) bool {
	sameCall := func(a, b messages.ToolCall) bool { return a.ID == b.ID && a.Name == b.Name }
	return a.Role == b.Role && a.Text == b.Text && a.Result.Call == b.Result.Call && slices.EqualFunc(a.Calls, b.Calls, sameCall)
}
