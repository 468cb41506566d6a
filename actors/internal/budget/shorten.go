package budget

import (
	"encoding/json"
	"fmt"
	"slices"

	"marvin/messages"
	"marvin/tools"
)

// lengths contains the limits that [Plan.shorten] tries in order. Call arguments are shortened
// last, because a model imitates its own calls.
var lengths = []struct {
	tokens int
	calls  bool
}{{4000, false}, {1000, false}, {1000, true}, {250, true}}

// shorten cuts long text in the kept messages, oldest first, until the messages fit into the given
// number of tokens. It returns false if the messages remain too long.
func (p *Plan) shorten(room int) bool {
	size := p.size(p.kept)
	if size <= room {
		return true
	}
	p.kept = slices.Clone(p.kept)
	for _, length := range lengths {
		for i := range p.kept {
			if p.protected(i) {
				continue
			}
			short := p.shorter(p.kept[i], length.tokens, length.calls)
			before, after := p.size(p.kept[i:i+1]), p.size([]messages.Message{short})
			if after >= before {
				continue
			}
			p.kept[i], p.trimmed = short, true
			if size += after - before; size <= room {
				return true
			}
		}
	}
	return false
}

func (p *Plan) shorter(message messages.Message, tokens int, calls bool) messages.Message {
	message.Text = p.cut(message.Text, tokens)
	message.Result.Text = p.cut(message.Result.Text, tokens)
	message.Pictures, message.Result.Pictures = leftOut(message.Pictures), leftOut(message.Result.Pictures)
	if calls {
		message.Calls = slices.Clone(message.Calls)
		for i, call := range message.Calls {
			if p.input.Count(string(call.Args)) > tokens {
				message.Calls[i].Args = shorterArguments(call.Args, tokens)
			}
		}
	}
	return message
}

// pictureTokens is the size of a picture in tokens, as in providers/tokens.
const pictureTokens = 1600

func countShown(pictures []messages.Picture) (n int) {
	for _, picture := range pictures {
		if len(picture.Data) > 0 {
			n++
		}
	}
	return n
}

// leftOut returns copies of the pictures. Each copy has a note instead of data.
func leftOut(pictures []messages.Picture) []messages.Picture {
	pictures = slices.Clone(pictures)
	for i := range pictures {
		pictures[i].Data, pictures[i].Note = nil, "left out to make room; read the file again to see it"
		if address := pictures[i].Address; address != "" {
			pictures[i].Note = fmt.Sprintf("left out to make room; read_file {\"path\": %q} shows it", address)
		}
	}
	return pictures
}

// cut limits text to the given number of tokens by omitting its middle.
func (p Plan) cut(text string, tokens int) string {
	count := p.input.Count(text)
	for room := len(text); count > tokens && room > 0; {
		room = min(room*9/10, room*tokens/count)
		if room < 64 { // even the note that replaces the omitted text needs this many bytes
			return "[…]"
		}
		short, _ := tools.Limits{Bytes: room}.Cut(text)
		if count = p.input.Count(short); count <= tokens {
			return short
		}
	}
	return text
}

// shorterArguments keeps the names of the arguments and shortens long strings.
func shorterArguments(raw json.RawMessage, tokens int) json.RawMessage {
	var args map[string]any
	if json.Unmarshal(raw, &args) == nil {
		each := 3 * tokens / max(len(args), 1)
		for name, value := range args {
			if text, ok := value.(string); ok && len(text) > each {
				args[name], _ = tools.Limits{Bytes: each}.Cut(text)
			}
		}
		if short, err := json.Marshal(args); err == nil && len(short) <= 4*tokens {
			return short
		}
	}
	return json.RawMessage(fmt.Sprintf(`{"left_out":"%d bytes"}`, len(raw)))
}
