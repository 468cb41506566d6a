// Package keys converts bytes from a terminal into sequences that tcell understands. It also
// extracts the terminal's replies.
//
// tcell 2.13 requests application keypad mode, kitty's flag 1 and modifyOtherKeys 2. In these
// modes, terminals send sequences that tcell does not understand:
//   - keypad keys
//   - Ctrl or Alt with a non-Latin letter
//   - Alt with certain punctuation characters
//   - sequences that include a base key or an event type
//
// tcell also treats a late reply (DCS, APC) as typed text. The sequences are documented at
// sw.kovidgoyal.net/kitty/keyboard-protocol and invisible-island.net/xterm/ctlseqs.
package keys

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	esc = 0x1b

	// escTime is the time after which tcell treats a lone ESC as the Esc key.
	escTime = 50 * time.Millisecond
	// replyTime is the maximum time between two parts of a reply or of a key sequence.
	replyTime = time.Second
	// longestSequence is the maximum length, in bytes, of an incomplete CSI sequence. The decoder
	// drops longer sequences.
	longestSequence = 64
	// longestReply is the maximum length, in bytes, of the text of a DCS, OSC or APC reply. Longer
	// text is truncated.
	longestReply = 256
)

// Reply is a terminal's reply to a query. Kind is the character after ESC: '[' for CSI, ']' for
// OSC, 'P' for DCS, '_' for APC. Text is the rest of the reply, without the terminator.
type Reply struct {
	Kind byte
	Text string
}

// Decoder decodes the bytes of one terminal. The zero value is ready to use. A Decoder is not safe
// for concurrent use.
type Decoder struct {
	held  []byte    // start of an incomplete sequence
	began time.Time // when Decode last received an incomplete sequence
	lone  bool      // the last byte was an ESC and was already passed to tcell
	intro byte      // the last byte, if ESC and that byte can begin a reply; otherwise 0
	paste bool      // inside a bracketed paste

	keys    []byte
	replies []Reply
}

// Idle reports whether all sequences so far are complete. If so, input without an ESC needs no
// decoding.
func (d *Decoder) Idle() bool { return len(d.held) == 0 && !d.lone && d.intro == 0 && !d.paste }

// Decode decodes newly arrived bytes. It returns the keys, encoded for tcell, and the terminal's
// replies. The arrival time determines whether the bytes continue an incomplete sequence.
func (d *Decoder) Decode(arrived []byte, now time.Time) ([]byte, []Reply) {
	d.keys, d.replies = nil, nil
	if len(arrived) == 0 {
		return nil, nil
	}
	data := d.resume(arrived, now)
	for len(data) > 0 {
		used := d.next(data)
		if used == 0 { // the sequence is incomplete
			d.held, d.began = bytes.Clone(data), now
			break
		}
		data = data[used:]
	}
	if d.lone || d.intro != 0 {
		d.began = now
	}
	return d.keys, d.replies
}

// resume prepends an incomplete sequence to the newly arrived bytes. If the sequence has timed out,
// only the new bytes are returned.
func (d *Decoder) resume(arrived []byte, now time.Time) []byte {
	held, lone, intro, late := d.held, d.lone, d.intro, now.Sub(d.began)
	d.held, d.lone, d.intro = nil, false, 0
	continues := arrived[0] == esc && len(arrived) > 1 && (arrived[1] == '[' || arrived[1] == 'O')
	switch {
	case intro != 0 && late < replyTime && beginsReply(intro, arrived):
		return append([]byte{esc, intro}, arrived...)
	case lone && late < escTime && arrived[0] == esc && !continues:
		d.keys = append(d.keys, "[27u"...) // tcell already has the ESC; ESC [27u is the Esc key
	case lone && late < escTime:
		d.keys = append(d.keys, '\\') // tcell already has the ESC; ESC \ is Alt-\
		return append([]byte{esc}, arrived...)
	case lone && late < replyTime && beginsReply(arrived[0], arrived[1:]):
		return append([]byte{esc}, arrived...)
	case len(held) > 1 && late > replyTime && held[0] == esc && !d.paste:
		if held[1] == '[' || held[1] == 'O' { // the user pressed Alt-[ or Alt-O
			d.alt(rune(held[1]))
		}
	default:
		return append(held, arrived...)
	}
	return arrived
}

// next decodes the start of data and returns the number of decoded bytes. It returns 0 if data
// begins with an incomplete sequence.
func (d *Decoder) next(data []byte) int {
	if d.paste {
		return d.passPaste(data)
	}
	if data[0] != esc {
		end := bytes.IndexByte(data, esc)
		if end < 0 {
			end = len(data)
		}
		d.keys = append(d.keys, data[:end]...)
		return end
	}
	if len(data) == 1 {
		d.keys = append(d.keys, esc)
		d.lone = true
		return 1
	}
	switch second := data[1]; {
	case second == '[':
		return d.csi(data)
	case second == 'O':
		return d.ss3(data)
	case isString(second) && beginsReply(second, data[2:]):
		return d.reply(data)
	case isString(second) && len(data) == 2:
		d.intro = second
		d.alt(rune(second))
		return 2
	case isString(second), second == '^', second == 'X', second == 'N', second == '\r', second == 0x7f:
		d.alt(rune(second))
		return 2
	case second == esc && len(data) > 2 && (data[2] == '[' || data[2] == 'O'):
		d.keys = append(d.keys, esc) // Alt plus a key that sends a sequence, such as an arrow
		return 1
	case second == esc && len(data) == 2:
		d.keys = append(d.keys, "\x1b[27u"...)
		return 1
	case second == esc:
		d.keys = append(d.keys, "\x1b[27u\x1b[27u"...)
		return 2
	case second < utf8.RuneSelf:
		d.keys = append(d.keys, esc, second)
		return 2
	case !utf8.FullRune(data[1:]):
		return 0
	}
	letter, size := utf8.DecodeRune(data[1:])
	d.alt(Latin(letter))
	return 1 + size
}

// passPaste copies pasted bytes unchanged, up to and including the sequence that ends the paste. It
// returns the number of copied bytes.
func (d *Decoder) passPaste(data []byte) int {
	const end = "\x1b[201~"
	if at := bytes.Index(data, []byte(end)); at >= 0 {
		d.keys = append(d.keys, data[:at+len(end)]...)
		d.paste = false
		return at + len(end)
	}
	keep := 0
	if at := bytes.LastIndexByte(data, esc); at >= 0 && strings.HasPrefix(end, string(data[at:])) {
		keep = len(data) - at
	}
	d.keys = append(d.keys, data[:len(data)-keep]...)
	return len(data) - keep
}

func (d *Decoder) alt(key rune) { d.press(key, 2) }

// press encodes a key and its modifiers as CSI u for tcell. The bits of mods are kitty's: 1 Shift,
// 2 Alt, 4 Ctrl, 8 Super.
func (d *Decoder) press(key rune, mods int) {
	d.keys = fmt.Appendf(d.keys, "\x1b[%d;%du", key, mods+1)
}

// keypad contains the character for each code. In application mode, a keypad key sends ESC O and
// its code.
var keypad = map[byte]rune{
	'M': '\r', 'I': '\t', ' ': ' ', 'X': '=', 'j': '*', 'k': '+', 'l': ',', 'm': '-', 'n': '.', 'o': '/',
	'p': '0', 'q': '1', 'r': '2', 's': '3', 't': '4', 'u': '5', 'v': '6', 'w': '7', 'x': '8', 'y': '9',
}

// Keypad returns the character of the keypad key that, in application mode, sends ESC O followed by
// the given byte. It returns false if there is no such key.
func Keypad(code byte) (rune, bool) {
	key, known := keypad[code]
	return key, known
}

// ss3 decodes a sequence that begins with ESC O. Keypad keys, arrow keys and F1 to F4 send such
// sequences.
func (d *Decoder) ss3(data []byte) int {
	if len(data) == 2 {
		return 0
	}
	last, used, mods := data[2], 3, 0
	if last >= '1' && last <= '9' { // some terminals send modifiers here
		if len(data) == 3 {
			return 0
		}
		mods, last, used = int(last-'1'), data[3], 4
	}
	key, isKeypad := keypad[last]
	switch {
	case last == esc: // Alt-O, then another key
		d.alt('O')
		return used - 1
	case isKeypad && mods == 0:
		d.keys = append(d.keys, byte(key))
	case isKeypad:
		d.press(key, mods)
	case mods != 0:
		d.keys = fmt.Appendf(d.keys, "\x1b[1;%d%c", mods+1, last)
	default:
		d.keys = append(d.keys, esc, 'O', last)
	}
	return used
}

// csi decodes the CSI sequence at the start of data. It returns 0 if the sequence is incomplete.
func (d *Decoder) csi(data []byte) int {
	if len(data) > 2 && data[2] == '[' { // F1 to F5 on the Linux console
		if len(data) == 3 {
			return 0
		}
		d.keys = append(d.keys, data[:4]...)
		return 4
	}
	end := 2
	for end < len(data) && data[end] >= 0x20 && data[end] < 0x40 {
		end++
	}
	switch {
	case end == len(data) && end <= longestSequence:
		return 0
	case end == len(data) || data[end] < 0x40 || data[end] > 0x7e:
		return end // the sequence is too long or broken
	}
	params, last, used := string(data[2:end]), data[end], end+1
	switch {
	case params != "" && strings.IndexByte("?>=", params[0]) >= 0:
		d.replies = append(d.replies, Reply{Kind: '[', Text: params + string(last)})
	case strings.ContainsAny(params, " !\"#$%&'()*+,-./"), last == 'n', last == 't':
	case params == "200" && last == '~':
		d.paste = true
		d.keys = append(d.keys, data[:used]...)
	case last == 'u':
		d.decodeCoded(params)
	case last == '~' && strings.HasPrefix(params, "27;"):
		d.otherKey(params)
	case strings.Contains(params, ":"):
		d.decodeNamed(params, last)
	default:
		d.keys = append(d.keys, data[:used]...)
	}
	return used
}

// decodeCoded decodes a key in kitty's protocol. The parameters have the form
// code:shifted:base;modifiers:event;text.
func (d *Decoder) decodeCoded(params string) {
	fields := strings.Split(params, ";")
	codes := numbers(fields[0])
	mods, pressed := modifiers(fields)
	if !pressed || len(codes) == 0 {
		return
	}
	key := rune(codes[0])
	switch {
	case key >= 0xe000 && key <= 0xf8ff: // keys without a character; tcell knows some of them
		if key < 57358 || key > 57426 {
			return
		}
	case mods&^1 != 0 && key >= utf8.RuneSelf:
		if len(codes) > 2 && codes[2] > 0 && codes[2] < utf8.RuneSelf {
			key = rune(codes[2])
		} else {
			key = Latin(key)
		}
	case mods == 1 && len(codes) > 1 && codes[1] > 0:
		key = rune(codes[1])
	}
	d.press(key, mods)
}

// otherKey decodes a key in xterm's modifyOtherKeys format. The parameters have the form
// 27;modifiers;code.
func (d *Decoder) otherKey(params string) {
	fields := strings.Split(params, ";")
	if len(fields) < 3 {
		return
	}
	mods, pressed := modifiers(fields)
	code := numbers(fields[2])
	if !pressed || len(code) == 0 {
		return
	}
	key := rune(code[0])
	switch {
	case key < utf8.RuneSelf:
		d.keys = fmt.Appendf(d.keys, "\x1b[27;%d;%d~", mods+1, key)
		return
	case mods&^1 != 0:
		key = Latin(key)
	}
	d.press(key, mods)
}

// decodeNamed decodes a named key, such as an arrow or F5. It removes the event type and ignores
// the release of a key.
func (d *Decoder) decodeNamed(params string, last byte) {
	fields := strings.Split(params, ";")
	if mods, pressed := modifiers(fields); pressed {
		number, _, _ := strings.Cut(fields[0], ":")
		d.keys = fmt.Appendf(d.keys, "\x1b[%s;%d%c", number, mods+1, last)
	}
}

// modifiers returns the modifiers in the second field of a key sequence, without Caps Lock and Num
// Lock. pressed is false if the key was released.
func modifiers(fields []string) (mods int, pressed bool) {
	if len(fields) < 2 {
		return 0, true
	}
	values := numbers(fields[1])
	if len(values) > 0 && values[0] > 0 {
		mods = (values[0] - 1) & 0x3f
	}
	const released = 3
	return mods, len(values) < 2 || values[1] != released
}

// numbers parses a colon-separated list. A missing number counts as 0.
func numbers(field string) (values []int) {
	for part := range strings.SplitSeq(field, ":") {
		value, err := strconv.Atoi(part)
		if err != nil && part != "" || value > utf8.MaxRune {
			return nil
		}
		values = append(values, value)
	}
	return values
}

// isString reports whether ESC and the given byte can begin a string reply (DCS, OSC or APC).
func isString(second byte) bool { return second == 'P' || second == ']' || second == '_' }

// beginsReply reports whether ESC, followed by the given bytes, begins a string reply. Otherwise,
// the ESC belongs to a key.
func beginsReply(second byte, rest []byte) bool {
	if len(rest) == 0 {
		return false
	}
	first := rest[0]
	switch second {
	case 'P':
		return first >= '0' && first <= '9' || strings.IndexByte(">!$=?|+", first) >= 0
	case ']':
		return first >= '0' && first <= '9'
	case '_':
		return first == 'G'
	}
	return false
}

// StringSize returns the size of the string reply (DCS, OSC or APC) at the start of data. It
// returns 0 if data does not begin with a string reply, and -1 if the reply is incomplete.
func StringSize(data []byte) int {
	if len(data) < 3 || data[0] != esc || !isString(data[1]) || !beginsReply(data[1], data[2:]) {
		return 0
	}
	end, size := bytes.IndexByte(data, '\a'), 1
	if other := bytes.Index(data, []byte("\x1b\\")); other >= 0 && (end < 0 || other < end) {
		end, size = other, 2
	}
	switch {
	case end >= 0:
		return end + size
	case len(data) > 64*longestReply: // the reply is too long, so do not wait for its terminator
		return len(data)
	}
	return -1
}

// reply decodes the DCS, OSC or APC sequence at the start of data. It returns 0 if the sequence is
// incomplete.
func (d *Decoder) reply(data []byte) int {
	size := StringSize(data)
	if size < 0 {
		return 0
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(data[2:size]), "\a"), "\x1b\\")
	if data[1] == ']' && strings.HasPrefix(text, "52;") {
		d.keys = append(d.keys, data[:size]...) // tcell handles clipboard replies itself
	} else {
		d.replies = append(d.replies, Reply{Kind: data[1], Text: text[:min(len(text), longestReply)]})
	}
	return size
}
