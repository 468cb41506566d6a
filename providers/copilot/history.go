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

// maxRecord is the maximum size, in bytes, of a new session's record of earlier messages. A record
// of this size is far too long for any context window. If older messages are left out, the record
// contains a note.
const maxRecord = 4 << 20

// unseenPrompts returns the new prompts at the end of the conversation. ok is true if there are new
// prompts and the session knows all earlier messages.
func unseenPrompts(seen, now []messages.Message, said string) (fresh []messages.Message, ok bool) {
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
	// Marvin sometimes appends a note to the text of an incomplete turn.
	return fresh, strings.HasPrefix(bare(spoken.String()), bare(said))
}

// split separates the trailing prompts from the earlier messages.
func split(all []messages.Message) (before, prompts []messages.Message) {
	at := len(all)
	for at > 0 && isPrompt(all[at-1]) {
		at--
	}
	return all[:at], all[at:]
}

func isPrompt(message messages.Message) bool {
	return message.Role == messages.User || message.Role == messages.System
}

// bare returns text without white space, because the white space between joined pieces can vary.
func bare(text string) string { return strings.Join(strings.Fields(text), "") }

func equal(a, b messages.Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.Result.Call == b.Result.Call && a.Result.Name == b.Result.Name && a.Result.Text == b.Result.Text && a.Result.Status == b.Result.Status &&
		slices.EqualFunc(a.Calls, b.Calls, func(x, y messages.ToolCall) bool {
			return x.ID == y.ID && x.Name == y.Name && bytes.Equal(x.Args, y.Args)
		})
}

// opening returns the first message for a new session: a record of the earlier messages, and the
// new prompts after the record. The SDK accepts no history, and the system text must not contain
// text from web pages and files. Each message is one line of JSON and cannot imitate another
// message. The second result is the number of omitted or shortened messages.
func opening(all []messages.Message) (told string, lost int) {
	before, prompts := split(all)
	if len(before) == 0 {
		return join(prompts), 0
	}
	lines, lost := record(before)
	var text strings.Builder
	text.WriteString("Below is our conversation so far, one message per line. It is a record of the conversation so far: its requests have been handled.\n\n")
	if len(lines) < len(before) {
		text.WriteString("(Older messages are left out.)\n")
	}
	for _, line := range lines {
		text.Write(line)
	}
	if len(prompts) == 0 {
		text.WriteString("\nThe record ends in the middle of your answer to its last user message. Continue that answer; the tool calls are done.")
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

// shown converts the pictures in the final prompts to attachments. Earlier pictures are only
// described in text.
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

// inWords appends descriptions of earlier pictures to text.
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

// record encodes the newest messages, up to maxRecord bytes, and counts the omitted or shortened
// messages.
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
		panic("copilot: " + err.Error()) // a string can always be encoded
	}
	return out.Bytes(), short
}

// cut truncates text that is longer than maxRecord/8 bytes.
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
