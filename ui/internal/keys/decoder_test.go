package keys_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/internal/keys"
)

// typed returns the keys that a program with tcell reads from bytes that arrive in parts.
func typed(t *testing.T, parts ...string) (string, []keys.Reply) {
	t.Helper()
	events := make(chan tcell.Event, 1000)
	input := tcell.NewInputProcessor(events)
	var decoder keys.Decoder
	var replies []keys.Reply
	now := time.Unix(0, 0)
	for _, part := range parts {
		pressed, said := decoder.Decode([]byte(part), now)
		input.ScanUTF8(pressed)
		replies = append(replies, said...)
		now = now.Add(time.Millisecond)
	}
	input.ScanUTF8([]byte("\r")) // ends an ESC
	var seen []string
	for {
		event := <-events
		key, ok := event.(*tcell.EventKey)
		switch {
		case !ok:
			seen = append(seen, fmt.Sprintf("%T", event))
		case key.Key() == tcell.KeyRune && key.Modifiers() == 0:
			seen = append(seen, string(key.Rune()))
		default:
			seen = append(seen, key.Name())
		}
		if len(events) == 0 {
			return strings.Join(seen[:len(seen)-1], " "), replies
		}
	}
}

func TestKeysOfEveryProtocolAndLayout(t *testing.T) {
	for _, test := range []struct{ name, sent, want string }{
		{"kitty, Latin", "\x1b[99;5u", "Ctrl+C"},
		{"kitty, Russian", "\x1b[1089;5u", "Ctrl+C"},
		{"kitty, Russian with the base key", "\x1b[1089::99;5u", "Ctrl+C"},
		{"kitty, Greek", "\x1b[968;5u", "Ctrl+C"},
		{"kitty, Ukrainian", "\x1b[1110;3u", "Alt+Rune[s]"},
		{"kitty, a layout that is not known, with the base key", "\x1b[4320::114;5u", "Ctrl+R"},
		{"kitty, Dvorak keeps its own letter", "\x1b[99::105;5u", "Ctrl+C"},
		{"kitty, event types", "\x1b[99;5:1u\x1b[99;5:2u\x1b[99;5:3u", "Ctrl+C Ctrl+C"},
		{"kitty, Caps Lock and Num Lock", "\x1b[99;197u", "Ctrl+C"},
		{"kitty, an arrow that is released", "\x1b[1;1:1A\x1b[1;1:3A", "Up"},
		{"kitty, Ctrl with an arrow", "\x1b[1;5:1C", "Ctrl+Right"},
		{"kitty, F5 that is released", "\x1b[15;1:1~\x1b[15;1:3~", "F5"},
		{"kitty, the keypad", "\x1b[57400u\x1b[57414u", "1 Enter"},
		{"kitty, a media key", "\x1b[57430u", ""},
		{"kitty, Esc", "\x1b[27u", "Esc"},
		{"modifyOtherKeys 2, Russian", "\x1b[27;5;1089~", "Ctrl+C"},
		{"modifyOtherKeys 2, Latin", "\x1b[27;5;99~", "Ctrl+C"},
		{"modifyOtherKeys 2, Shift with a Russian letter", "\x1b[27;2;1057~", "С"},
		{"modifyOtherKeys, Alt with a Greek letter", "\x1b[27;3;946~", "Alt+Rune[b]"},
		{"legacy, Alt with a Russian letter", "\x1bи", "Alt+Rune[b]"},
		{"legacy, Alt with a letter", "\x1bb", "Alt+Rune[b]"},
		{"legacy, Alt with punctuation", "\x1b]\x1b_\x1b^\x1bP", "Alt+Rune[]] Alt+Rune[_] Alt+Rune[^] Alt+Rune[P]"},
		{"legacy, Ctrl", "\x03", "Ctrl+C"},
		{"text", "aяψ", "a я ψ"},
		{"keypad in application mode", "\x1bOq\x1bOr\x1bOk\x1bOo\x1bOn\x1bOM", "1 2 + / . Enter"},
		{"keypad with Shift", "\x1bO2M", "Shift+Enter"},
		{"arrows in application mode", "\x1bOA\x1bOD", "Up Left"},
		{"F1", "\x1bOP", "F1"},
		{"F1 of the Linux console", "\x1b[[A", "F1"},
		{"Esc twice, then a letter", "\x1b\x1bm", "Esc Esc m"},
		{"Alt with an arrow, as rxvt has it", "\x1b\x1b[A", "Alt+Up"},
		{"a paste with an ESC in it", "\x1b[200~a\x1bOqb\x1b[201~", "*tcell.EventPaste a b *tcell.EventPaste"},
	} {
		if got, replies := typed(t, test.sent); got != test.want || len(replies) > 0 {
			t.Errorf("%s: %q is %q with replies %v, want %q", test.name, test.sent, got, replies, test.want)
		}
	}
}

// Replies never become text, wherever they are cut.
func TestRepliesOfTheTerminalAreNotTyped(t *testing.T) {
	for _, reply := range []string{
		"\x1bP>|tmux 3.5a\x1b\\", "\x1bP>|XTerm(388)\a", "\x1bP1+r524742=38\x1b\\", "\x1bP!|00000000\x1b\\", "\x1bP1$r0m\x1b\\",
		"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "\x1b]10;rgb:ffff/ffff/ffff\a", "\x1b_Gi=31;OK\x1b\\",
		"\x1b[?62;4c", "\x1b[>1;10;0c", "\x1b[?1u", "\x1b[?2026;2$y", "\x1b[0n", "\x1b[8;24;80t",
	} {
		for cut := range len(reply) {
			got, _ := typed(t, "ab"+reply[:cut], reply[cut:]+"cd")
			got = strings.ReplaceAll(got, "Alt+Rune["+reply[1:2]+"] ", "") // a key, until more bytes arrived
			if got != "a b c d" {
				t.Errorf("%q cut at %d: %q", reply, cut, got)
			}
		}
	}
}

// Every key means the same in two reads.
func TestKeysThatArriveInTwoReads(t *testing.T) {
	for _, test := range []struct{ sent, want string }{
		{"\x1b[1089;5u", "Ctrl+C"}, {"\x1b[27;5;1089~", "Ctrl+C"}, {"\x1bOM", "Enter"}, {"\x1b[A", "Up"}, {"\x1bи", "Alt+Rune[b]"}, {"\x1b[15~", "F5"}, {"\x1b[1;5:3A", ""},
	} {
		for cut := 1; cut < len(test.sent); cut++ {
			if got, _ := typed(t, "a"+test.sent[:cut], test.sent[cut:]+"b"); got != strings.Join(strings.Fields("a "+test.want+" b"), " ") {
				t.Errorf("%q cut at %d: %q", test.sent, cut, got)
			}
		}
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add("a\x1b[1089;5u", "\x1bP>|x\x1b\\")
	f.Fuzz(func(t *testing.T, first, second string) {
		var decoder keys.Decoder
		now := time.Unix(0, 0)
		for _, part := range []string{first, second} {
			if made, _ := decoder.Decode([]byte(part), now); len(made) > 16*(len(first)+len(second))+16 {
				t.Fatalf("%d bytes became %d", len(first)+len(second), len(made))
			}
		}
	})
}
