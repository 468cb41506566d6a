package keymap_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"marvin/ui/keymap"
)

func TestTheDocumentationIsTheTable(t *testing.T) {
	const page = "../../docs/keys.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n## ")
	if rest = "\n## " + rest; rest == keymap.Page() {
		return
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(head+keymap.Page()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("docs/keys.md is not the table of keys; make golden writes it. It should end with\n%s", keymap.Page())
}

// No key has two actions in one place.
func TestAKeyDoesOneThingInAPlace(t *testing.T) {
	for _, surface := range []keymap.Surface{keymap.Screen, keymap.Lines} {
		bound, problems := keymap.Bind(surface, nil)
		if len(problems) > 0 {
			t.Error(problems)
		}
		var names []string
		for _, action := range keymap.Table {
			if slices.Contains(names, action.Name) {
				t.Errorf("two actions are called %s", action.Name)
			}
			names = append(names, action.Name)
			for key := range strings.FieldsSeq(action.KeysOn(surface)) {
				if does := bound.Action(action.Place, key); does != action.Name {
					t.Errorf("%s does %s, and not %s", key, does, action.Name)
				}
				if keymap.Read(key) != key {
					t.Errorf("%s is not how the key is called: %q", key, keymap.Read(key))
				}
			}
		}
	}
}

func TestAKeyThatIsGivenAwayIsTakenFromItsOwner(t *testing.T) {
	bound, problems := keymap.Bind(keymap.Screen, map[string][]string{"find": {"c-t"}, "cancel": {}, "nonsense": {"F2"}, "mouse": {"q"}})
	if len(problems) != 2 {
		t.Errorf("problems %q", problems)
	}
	if bound.Action(keymap.Typing, "Ctrl-T") != "find" || bound.Action(keymap.Typing, "Ctrl-F") != "" || bound.Action(keymap.Typing, "Esc") != "" {
		t.Error("find has other keys than it was given, or cancel has one")
	}
	if strings.Contains(bound.Listing(), "Ctrl-T, ") || !strings.Contains(bound.Listing(), "no key") {
		t.Errorf("the list is not what counts:\n%s", bound.Listing())
	}
}

// An action of the full screen takes no key from the line editor.
func TestLinesHaveTheirOwnKeys(t *testing.T) {
	bound, problems := keymap.Bind(keymap.Lines, map[string][]string{"find": {"Ctrl-R"}, "search": {"Ctrl-R", "Alt-r"}, "help": {"Ctrl-K"}})
	if len(problems) > 0 || bound.Action(keymap.Typing, "Ctrl-K") != "kill-to-end" || bound.Action(keymap.Typing, "Alt-r") != "search" || bound.Action(keymap.Typing, "Ctrl-R") != "search" {
		t.Errorf("%q\n%s", problems, bound.Listing())
	}
}

func TestKeyNames(t *testing.T) {
	for text, want := range map[string]string{
		"ctrl+p": "Ctrl-P", "C-p": "Ctrl-P", "Control-P": "Ctrl-P", " ctrl-p ": "Ctrl-P",
		"Alt-Enter": "Alt-Enter", "m-x": "Alt-x", "meta+x": "Alt-x", "option-x": "Alt-x", "A-x": "Alt-x", "shift-x": "X", "s-x": "X",
		"-": "-", "+": "+", "ctrl--": "Ctrl--", "ctrl-+": "Ctrl-+", "ctrl++": "Ctrl-+", "alt--": "Alt--",
		"x": "x", "X": "X", "ä": "ä", "ctrl-ä": "Ctrl-Ä", "shift-ctrl-x": "Ctrl-Shift-X", "ctrl-alt-x": "Ctrl-Alt-X", "alt-shift-x": "Alt-X",
		"ESC": "Esc", "escape": "Esc", "return": "Enter", "PageUp": "PgUp", "pgup": "PgUp", "pagedown": "PgDn", "PGDN": "PgDn", "del": "Delete", "delete": "Delete", "ins": "Insert", "insert": "Insert", "backspace": "Backspace",
		"tab": "Tab", "space": "Space", "up": "Up", "DOWN": "Down", "left": "Left", "right": "Right", "home": "Home", "end": "End", "f1": "F1", "F12": "F12", "F13": "", "f0": "",
		"shift+tab": "Shift-Tab", "s-alt-c-up": "Ctrl-Alt-Shift-Up", "alt-+": "Alt-+", "ctrl-pageup": "Ctrl-PgUp",
		"": "", "hyper-x": "", "ctrl-nothing": "", "xy": "", "ctrl": "",
	} {
		if got := keymap.Read(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestKeysThatAreNoneAreReported(t *testing.T) {
	bound, problems := keymap.Bind(keymap.Screen, map[string][]string{
		"sned": {"F2"}, "zzzzzz": {"F2"}, "find": {"hyper-x", "F9"}, "mouse": {"q"}, "read": {"xyz"}, "cancel": {},
	})
	want := []string{
		`"hyper-x" is not a key for find (write keys as Ctrl-P, Alt-Enter or F3)`, `"q" is not a key for mouse (write keys as Ctrl-P, Alt-Enter or F3)`, `"xyz" is not a key for read (write keys as Ctrl-P, Alt-Enter or F3)`,
		`there is no action "sned" (did you mean send?)`, `there is no action "zzzzzz" (/keys lists them)`,
	}
	if !slices.Equal(problems, want) {
		t.Errorf("%q", problems)
	}
	for name, first := range map[string]string{"find": "F9", "mouse": "F6", "read": "F3", "cancel": "", "send": "Enter", "nobody": "", "newline": "Ctrl-J"} {
		if got := bound.First(name); got != first {
			t.Errorf("%s has %q first", name, got)
		}
	}
	if _, problems := keymap.Bind(keymap.Lines, map[string][]string{"find": {"nothing"}}); len(problems) > 0 {
		t.Errorf("on the other surface: %q", problems)
	}
}
