package plain

import (
	"strings"
	"unicode/utf8"

	terminal "marvin/ui/internal/keys"
)

// key is a decoded input: either a named key, or text that was typed or pasted.
type key struct {
	name  string // "" for text
	text  string
	paste bool
}

// keys is a decoder for the bytes from a terminal.
type keys struct {
	rest    string
	pasting bool
	pasted  strings.Builder
}

const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// take decodes new bytes. It stores an incomplete sequence until the rest arrives. ESC followed by
// another key is the same as that key with Alt, as in shells.
func (k *keys) take(arrived string) []key {
	k.rest += arrived
	var list []key
	for k.rest != "" {
		if k.pasting {
			if !k.paste(&list) {
				return list
			}
			continue
		}
		next, size := decode(k.rest)
		if size == 0 {
			return list
		}
		k.rest = k.rest[size:]
		switch {
		case next.name == pasteBegins:
			k.pasting = true
		case next.name == "" && len(list) > 0 && list[len(list)-1].name == "" && !list[len(list)-1].paste:
			list[len(list)-1].text += next.text
		default:
			list = append(list, next)
		}
	}
	return list
}

// paste decodes pasted text and reports whether the paste is complete.
func (k *keys) paste(list *[]key) bool {
	text, behind, ended := strings.Cut(k.rest, pasteEnds)
	if !ended {
		held := 0 // part of the end mark may have arrived
		for n := min(len(pasteEnds)-1, len(text)); n > 0 && held == 0; n-- {
			if strings.HasPrefix(pasteEnds, text[len(text)-n:]) {
				held = n
			}
		}
		k.pasted.WriteString(text[:len(text)-held])
		k.rest = text[len(text)-held:]
		return false
	}
	k.pasted.WriteString(text)
	*list = append(*list, key{text: k.pasted.String(), paste: true})
	k.pasted.Reset()
	k.rest, k.pasting = behind, false
	return true
}

// decode returns the first key and the length of its encoding. A length of 0 means that the key is
// incomplete.
func decode(bytes string) (key, int) {
	switch first := bytes[0]; {
	case first == '\x1b':
		return escape(bytes)
	case first == '\r':
		return key{name: "enter"}, 1
	case first == 0x7f || first == '\b':
		return key{name: "backspace"}, 1
	case first == '\t':
		return key{name: "tab"}, 1
	case first < ' ':
		return key{name: "ctrl-" + strings.ToLower(string(rune(first+'@')))}, 1
	}
	if !utf8.FullRuneInString(bytes) {
		return key{}, 0
	}
	_, size := utf8.DecodeRuneInString(bytes)
	return key{text: bytes[:size]}, size
}

// escape decodes a key whose encoding begins with ESC: a named key such as an arrow, or Alt plus
// another key. An unknown sequence becomes a key without effect.
func escape(bytes string) (key, int) {
	if len(bytes) == 1 {
		return key{}, 0
	}
	switch size := terminal.StringSize([]byte(bytes)); {
	case size > 0:
		return key{name: "unknown"}, size // a reply from the terminal
	case size < 0, len(bytes) == 2 && strings.Contains("P]_", bytes[1:]): // possible start of a reply
		return key{}, 0
	}
	if bytes[1] != '[' && bytes[1] != 'O' {
		next, size := decode(bytes[1:])
		if size == 0 {
			return key{}, 0
		}
		return key{name: "alt-" + next.name + strings.Map(terminal.Latin, next.text)}, size + 1
	}
	if bytes[1] == 'O' && len(bytes) > 2 {
		if char, ok := terminal.Keypad(bytes[2]); ok {
			next, _ := decode(string(char))
			return next, 3
		}
	}
	for i := 2; i < len(bytes); i++ {
		if bytes[i] >= 0x40 && bytes[i] <= 0x7e {
			return named(bytes[:i+1]), i + 1
		}
	}
	if len(bytes) > 32 { // no sequence is this long
		return key{name: "unknown"}, len(bytes)
	}
	return key{}, 0
}

// named converts an escape sequence to a key. It knows the sequences of xterm and compatible
// terminals.
func named(sequence string) key {
	if sequence == pasteBegins {
		return key{name: pasteBegins}
	}
	last := sequence[len(sequence)-1]
	parameters := sequence[2 : len(sequence)-1]
	_, modifier, _ := strings.Cut(parameters, ";")
	word := modifier == "3" || modifier == "5" // Alt or Ctrl
	switch {
	case last == 'Z':
		return key{name: "shift-tab"}
	case last == 'A':
		return key{name: "up"}
	case last == 'B':
		return key{name: "down"}
	case last == 'C' && word:
		return key{name: "alt-f"}
	case last == 'D' && word:
		return key{name: "alt-b"}
	case last == 'C':
		return key{name: "right"}
	case last == 'D':
		return key{name: "left"}
	case last == 'H', last == '~' && (parameters == "1" || parameters == "7"):
		return key{name: "home"}
	case last == 'F', last == '~' && (parameters == "4" || parameters == "8"):
		return key{name: "end"}
	case last == '~' && strings.HasPrefix(parameters, "3"):
		return key{name: "delete"}
	}
	return key{name: "unknown"}
}
