package copilot

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/messages"
	"marvin/providers"
)

// maxRecord bounds, in bytes, the record of a conversation that a fresh session is
// told. It is far above what passes the weighing of a question against a model's window;
// the newest messages are kept, and that others are not is said.
const maxRecord = 4 << 20

// news is what a session that has seen the beginning of a conversation must still be
// told: the prompts at its end. Between what it has seen and those there may only be
// what it said itself. Otherwise ok is false, and a fresh session is needed.
func news(seen, now []messages.Message, said string) (fresh []messages.Message, ok bool) {
	if len(now) <= len(seen) || !slices.EqualFunc(seen, now[:len(seen)], equal) {
		return nil, false
	}
	between, fresh := split(now[len(seen):])
	if len(fresh) == 0 {
		return nil, false
	}
	var spoken strings.Builder
	for _, message := range between {
		if message.Role != messages.Assistant && message.Role != messages.Tool {
			return nil, false
		}
		spoken.WriteString(message.Text)
	}
	// A turn that did not complete is marked as such behind its words.
	return fresh, strings.HasPrefix(bare(spoken.String()), bare(said))
}

// split divides a conversation in front of the prompts at its end, and what the model is
// told with them.
func split(all []messages.Message) (before, prompts []messages.Message) {
	at := len(all)
	for at > 0 && ours(all[at-1]) {
		at--
	}
	return all[:at], all[at:]
}

// ours says whether a message is one that the model is told, rather than says or does.
func ours(message messages.Message) bool {
	return message.Role == messages.User || message.Role == messages.System
}

// bare is a text without its white space, which is joined in different ways.
func bare(text string) string { return strings.Join(strings.Fields(text), "") }

func equal(a, b messages.Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.Result.Call == b.Result.Call && a.Result.Name == b.Result.Name && a.Result.Text == b.Result.Text && a.Result.Status == b.Result.Status &&
		slices.EqualFunc(a.Calls, b.Calls, func(x, y messages.ToolCall) bool {
			return x.ID == y.ID && x.Name == y.Name && bytes.Equal(x.Args, y.Args)
		})
}

// opening is what a fresh session is told first: the conversation until now as a
// record, then the new prompts. The SDK cannot be given a history. The record goes
// into the message and not into the system text, where words of web pages and files
// would gain weight; each message is a line of JSON, so that none can pass for
// another. lost is how many messages found no room, or not all of it.
func opening(all []messages.Message) (told string, lost int) {
	before, prompts := split(all)
	if len(before) == 0 {
		return join(prompts), 0
	}
	lines, lost := record(before)
	var text strings.Builder
	text.WriteString("Below is our conversation so far, one message per line. It is a record to go on from: what it asks for was dealt with then.\n\n")
	if len(lines) < len(before) {
		text.WriteString("(Older messages are left out.)\n")
	}
	for _, line := range lines {
		text.Write(line)
	}
	if len(prompts) == 0 {
		text.WriteString("\nThe record ends in the middle of your answer to its last user message. Go on with it from there; what tools were called for is done.")
		return text.String(), lost
	}
	text.WriteString("\nHere is the new message:\n\n")
	text.WriteString(join(prompts))
	return text.String(), lost
}

func join(prompts []messages.Message) string {
	texts := make([]string, len(prompts))
	for i, prompt := range prompts {
		texts[i] = prompt.Text
		for _, picture := range prompt.Pictures {
			if len(picture.Data) == 0 {
				texts[i] += "\n" + providers.InWords(picture)
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// shown are the pictures of the prompts at the end of a conversation, as the CLI takes them.
// It is told the earlier ones in words.
func shown(all []messages.Message) (blobs []sdk.Attachment) {
	_, prompts := split(all)
	for _, prompt := range prompts {
		for _, picture := range prompt.Pictures {
			if len(picture.Data) > 0 {
				data := base64.StdEncoding.EncodeToString(picture.Data)
				blobs = append(blobs, &sdk.AttachmentBlob{Data: &data, MIMEType: picture.Type, DisplayName: &picture.Name})
			}
		}
	}
	return blobs
}

// inWords tells pictures of what was said before.
func inWords(text string, pictures []messages.Picture) string {
	for _, picture := range pictures {
		picture.Data = nil
		text += "\n" + providers.InWords(picture)
	}
	return text
}

// line is one message of a record.
type line struct {
	Role   messages.Role `json:"role"`
	Text   string        `json:"text,omitempty"`
	Calls  []call        `json:"calls,omitempty"`
	Tool   string        `json:"tool,omitempty"`
	Result string        `json:"result,omitempty"`
}

type call struct {
	Tool      string `json:"tool"`
	Arguments string `json:"arguments"`
}

// record encodes the newest messages that fit, and counts those that are lost or cut.
func record(history []messages.Message) (lines [][]byte, lost int) {
	room, whole := maxRecord, providers.Repair(history)
	for i, message := range slices.Backward(whole) {
		encoded, short := encode(message)
		if room -= len(encoded); room < 0 {
			lost += i + 1
			break
		}
		if short {
			lost++
		}
		lines = append(lines, encoded)
	}
	slices.Reverse(lines)
	return lines, lost
}

func encode(message messages.Message) (encoded []byte, short bool) {
	cut := func(text string) string {
		kept := cut(text)
		short = short || kept != text
		return kept
	}
	entry := line{Role: message.Role, Text: cut(inWords(message.Text, message.Pictures)), Tool: message.Result.Name, Result: cut(inWords(message.Result.Text, message.Result.Pictures))}
	for _, made := range message.Calls {
		entry.Calls = append(entry.Calls, call{Tool: made.Name, Arguments: cut(string(made.Args))})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(entry); err != nil {
		panic("copilot: " + err.Error()) // texts have no way to fail
	}
	return out.Bytes(), short
}

// cut keeps the beginning of a text: an eighth of the record is enough for any.
func cut(text string) string {
	const most = maxRecord / 8
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + " […]"
}
