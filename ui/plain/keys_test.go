package plain

import (
	"fmt"
	"strings"
	"testing"
)

func names(list []key) string {
	var words []string
	for _, pressed := range list {
		switch {
		case pressed.paste:
			words = append(words, fmt.Sprintf("paste(%s)", pressed.text))
		case pressed.name == "":
			words = append(words, "'"+pressed.text+"'")
		default:
			words = append(words, pressed.name)
		}
	}
	return strings.Join(words, " ")
}

func TestKeys(t *testing.T) {
	for bytes, want := range map[string]string{
		"abc":                          "'abc'",
		"a\rb":                         "'a' enter 'b'",
		"日本語":                          "'日本語'",
		"\x03\x04\x1a\x7f\b\t\n":       "ctrl-c ctrl-d ctrl-z backspace backspace tab ctrl-j",
		"\x1f":                         "ctrl-_",
		"\x1b[A\x1bOB\x1b[C\x1b[D":     "up down right left",
		"\x1b[H\x1b[F\x1b[1~\x1b[4~":   "home end home end",
		"\x1b[3~x":                     "delete 'x'",
		"\x1b[1;5C\x1b[1;3D":           "alt-f alt-b",
		"\x1bи\x1bOA\x1bOM":            "alt-b up enter",
		"\x1bP>|tmux 3.5a\x1b\\\x1b[A": "unknown up",
		"\x1bb\x1bf\x1b\x7f\x1b\r":     "alt-b alt-f alt-backspace alt-enter",
		"\x1b[24;5~\x1b[?1;2c":         "unknown unknown",
		"x\x1b[200~a\r\nb\x1b[201~y":   "'x' paste(a\r\nb) 'y'",
		"\x1b[200~\x1b[A\x03\x1b[201~": "paste(\x1b[A\x03)",
	} {
		var whole, piecewise keys
		if got := names(whole.take(bytes)); got != want {
			t.Errorf("%q: %s, want %s", bytes, got, want)
		}
		var list []key
		for i := range len(bytes) {
			for _, pressed := range piecewise.take(bytes[i : i+1]) {
				if n := len(list); n > 0 && pressed.name+list[n-1].name == "" && !pressed.paste && !list[n-1].paste {
					list[n-1].text += pressed.text
					continue
				}
				list = append(list, pressed)
			}
		}
		if got := names(list); got != want {
			t.Errorf("%q byte by byte: %s, want %s", bytes, got, want)
		}
	}
}

func FuzzKeys(f *testing.F) {
	f.Add("a\x1b[A\x1b[200~x\x1b[201~")
	f.Add("\x1b\x1b\x1b[")
	f.Add("\xff\xe6\x97")
	f.Fuzz(func(t *testing.T, bytes string) {
		var decoder keys
		var typed line
		for _, pressed := range decoder.take(bytes + "\x1b[201~") {
			switch {
			case typed.search != nil && typed.look(pressed):
			case pressed.name == "":
				typed.Insert(pressed.text)
			default:
				typed.act(pressed.name)
			}
			drawn := typed.erase() + typed.draw("You: ", 20)
			if strings.ContainsAny(strings.NewReplacer("\r", "", "\n", "", "\x1b[", "").Replace(drawn), "\x1b\a\x03\u009b\u202e") {
				t.Fatalf("%q drew %q", bytes, drawn)
			}
		}
	})
}
