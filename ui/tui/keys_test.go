package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

func TestKeysAreRemapped(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 30, func(c *tui.Config) {
		c.Keys = map[string][]string{
			"send": {"ctrl+s"}, "newline": {"Return"}, "find": {"F3"}, "mouse": {},
			"sennd": {"x"}, "undo": {"Hyper-Z"}, "redo": {"r"},
		}
	})
	talk.say(opened)
	p.sees(`• config.yaml, keys: "r" is not a key for redo`, `"sennd" (did you mean send`, `"Hyper-Z" is not a key for undo`)
	p.press("one")
	p.press("Enter")
	p.press("two")
	p.sees("› one", "  two")
	p.press("Ctrl-S")
	p.seesNo("  two")
	if op := <-talk.ops; op.(messages.Prompt).Text != "one\ntwo" {
		t.Errorf("sent %+v", op)
	}
	p.press("Ctrl-F", "F3")
	p.sees("find:")
	p.press("Esc")
	p.seesNo("find:")
	p.press("\x1bOP") // F1
	p.sees("Ctrl-S", "send the prompt", "any other key closes this")
	p.press("PgDn")
	p.sees("no key")
	p.press("PgDn", "PgDn")
	p.sees("While reading the conversation (Alt-r)", "keys: {search: [Ctrl-R, F3]}")
	p.press("x")
	p.seesNo("While reading")
	p.press("\x1br", "?") // the keys of reading come first
	p.sees("While reading the conversation (Alt-r)", "copy the block")
}

func TestCommandsAreCarriedOut(t *testing.T) {
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t)}, 100, 40)
	p.press("/keys", "Enter")
	p.sees("Ctrl-Y", "paste the cut text", "While reading")
	p.press("/hlep", "Enter")
	p.sees("There is no /hlep command; did you mean /help")
	p.press("!sh", "Enter")
	p.until("a shell", func(f frame) bool {
		return strings.Contains(f.String(), "· shell · asks before some commands") && f.rows[38] == "$ a shell command · exit ends shell mode"
	})
	p.press("exit", "Enter")
	p.seesNo("· shell · asks before some commands")
	p.press("/quit", "Enter")
	if err := p.left(); err != nil {
		t.Error(err)
	}
}

func TestArgumentsAreOffered(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Complete = func(kind slash.Kind, _, prefix string) []slash.Completion {
			switch kind {
			case slash.KindTheme:
				return slash.Matching([]slash.Completion{{Item: "nord", Note: "dark"}, {Item: "one-light", Note: "light"}}, prefix)
			case slash.KindMode:
				return []slash.Completion{{Item: "plan", Note: "no tool may write"}}
			}
			return nil
		}
	})
	talk.say(messages.Opened{Profile: "default", Provider: "test", Model: "test-model", Dir: "/p", Coding: true})
	p.sees("· coding")
	p.press("/theme ")
	p.sees("  nord          dark", "  one-light     light")
	p.press("lgt")
	p.sees("  one-light     light")
	p.press("Tab")
	p.sees("› /theme one-light")
	p.press("Ctrl-U", "/approve ")
	p.sees("  plan          no tool may write")
	p.press("Ctrl-U", "/help ", "Tab")
	p.sees("› /help", "/retry ")
}

func TestCompletion(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Complete = func(kind slash.Kind, dir, prefix string) []slash.Completion {
			if kind == slash.KindPath && dir == "/p" {
				var fitting []string
				for _, name := range []string{"src/", "src/main.go", "src/main_test.go", "日本.txt"} {
					if strings.HasPrefix(name, prefix) && strings.Count(strings.TrimSuffix(name, "/"), "/") == strings.Count(prefix, "/") {
						fitting = append(fitting, name)
					}
				}
				return slash.WithoutNotes(fitting)
			}
			return slash.WithoutNotes(slices.DeleteFunc([]string{"weather_forecast", "web_search"}, func(name string) bool { return !strings.HasPrefix(name, prefix) }))
		}
	})
	talk.say(messages.Opened{Profile: "default", Provider: "test", Model: "test-model", Dir: "/p", Coding: true})
	p.sees("· coding")
	p.press("/pro")
	p.sees("/provider", "/profile", "/problems")
	p.press("Down", "Enter")
	p.sees("› /provider")
	p.press("Ctrl-U", "look at @s")
	p.sees("  src/")
	p.press("Tab")
	p.sees("› look at @src/", "  src/main_test.go")
	p.press("Down", "Down", "Enter")
	p.sees("› look at @src/main_test.go")
	p.press("Ctrl-U", "@日")
	p.sees("  日本.txt")
	p.press("Ctrl-U", "/tools wea", "Tab")
	p.sees("› /tools weather_forecast")
	p.press("Ctrl-U", "/export 日", "Tab")
	p.sees("› /export 日本.txt")
	p.press("Ctrl-U", "we", "Tab")
	p.sees("  weather_forecast", "  web_search")
	p.press("Esc")
	p.seesNo("  web_search")
	p.press("Ctrl-U", "zzz", "Tab")
	p.sees("No completions")
}

func TestFastKeysAreAPaste(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 20)
	talk.say(opened)
	p.press("rm -rf x\rsecond\tline\rthird\r")
	p.sees("› rm -rf x", "  second", "  third")
	p.press("Ctrl-C")
	p.seesNo("third")
	p.press("typed by hand\r") // by a script, perhaps: the lone Enter at the end counts
	if op := <-talk.ops; op.(messages.Prompt).Text != "typed by hand" {
		t.Errorf("sent %+v", op)
	}
}

// On a light background, green is as hard to read as yellow. The terminal's reply takes precedence
// over an environment variable, which may be that of another terminal.
func TestOnALightGroundSixteenColoursAreBlue(t *testing.T) {
	for ground, good := range map[string]tcell.Color{"ffff/ffff/ffff": tcell.ColorNavy, "0000/0000/0000": tcell.ColorGreen} {
		talk := newScripted()
		p := sitWith(t, talk, 60, 20, func(c *tui.Config) {
			c.Looks.Asks, c.Looks.Colours = true, "16"
			if ground[0] == '0' {
				c.Looks.Stands = tui.Light
			}
		})
		talk.say(opened, messages.ToolEnded{Call: "1", Name: "say", Status: messages.OK, Text: "said"})
		p.sees("✓ say")
		p.press("\x1b]11;rgb:" + ground + "\x1b\\")
		p.until(ground+" has other colours", func(f frame) bool {
			foreground, _, _ := f.styles["✓"].Decompose()
			return foreground == good
		})
	}
}

func TestNewsOutOfSightAreShownOverTheInput(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 20)
	talk.say(opened, messages.Text{Chunk: strings.Repeat("a line\n\n", 60) + "the end"}, messages.Notice{Text: "here at once"})
	if f := p.sees("the end", "here at once"); strings.Contains(f.String(), "─ • here at once") {
		t.Errorf("it is told twice:\n%s", f)
	}
	p.press("PgUp") // once: a second key could arrive after the notice and remove it
	p.seesNo("the end")
	talk.say(messages.Notice{Text: "out of sight"})
	p.sees("─ • out of sight")
}

func TestSafeColoursCanBeReadOnEitherGround(t *testing.T) {
	bad := map[string]tcell.Color{"light": tcell.ColorMaroon, "dark": tcell.ColorOlive}
	for theme, good := range map[string]tcell.Color{"light": tcell.ColorNavy, "dark": tcell.ColorTeal} {
		talk := newScripted()
		p := sitWith(t, talk, 60, 20, func(c *tui.Config) { c.Looks.Theme, c.Looks.Colours = theme, "safe" })
		talk.say(opened, messages.ToolEnded{Call: "1", Name: "say", Status: messages.OK, Text: "said"}, messages.ToolEnded{Call: "2", Name: "try", Status: messages.ToolError, Text: "tried"})
		f := p.sees("✓ say", "✗ try")
		if foreground, _, _ := f.styles["✓"].Decompose(); foreground != good {
			t.Errorf("%s: what is well is %v", theme, foreground)
		}
		if foreground, _, attributes := f.styles["✗"].Decompose(); foreground != bad[theme] || attributes&tcell.AttrBold == 0 {
			t.Errorf("%s: what is wrong is %v with %v", theme, foreground, attributes)
		}
	}
}

func TestThemesStayWithinSixteenColours(t *testing.T) {
	for theme, yellow := range map[string]tcell.Color{"": tcell.ColorOlive, "light": tcell.ColorPurple, "mono": tcell.ColorDefault} {
		talk := newScripted()
		p := sitWith(t, talk, 60, 20, func(c *tui.Config) { c.Looks.Theme = theme })
		talk.say(opened, messages.Text{Chunk: "~~gone~~ *slanted* [link](x) `snippet`\n```go\nfunc 12 \"s\" // c\n```\n"}, messages.Notice{Text: "noted"})
		f := p.sees("noted", "func")
		if foreground, background, _ := f.styles["noted"].Decompose(); foreground != yellow || background != tcell.ColorDefault {
			t.Errorf("%q: a notice is %v on %v", theme, foreground, background)
		}
		for word, attribute := range map[string]tcell.AttrMask{"gone": tcell.AttrStrikeThrough, "slanted": tcell.AttrItalic, "link": tcell.AttrUnderline, "//": tcell.AttrDim} {
			if _, _, attributes := f.styles[word].Decompose(); attributes&attribute == 0 {
				t.Errorf("%q: %s has attributes %v", theme, word, attributes)
			}
		}
		foreground, _, attributes := f.styles["snippet"].Decompose()
		if coloured := foreground != tcell.ColorDefault; coloured == (theme == "mono") || coloured == (attributes&tcell.AttrUnderline != 0) {
			t.Errorf("%q: code in a sentence is %v with %v", theme, foreground, attributes)
		}
	}
}

// Terminals send Alt with a key as ESC and the key, and some of these sequences also begin a
// terminal's reply. If the user pressed them, they are keys, and the next key is not lost.
func TestAltWithAnyKeyIsAKey(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 20, func(c *tui.Config) {
		c.Keys = map[string][]string{"find": {"Alt-]"}, "help": {"Alt-^"}, "search": {"Alt-X"}, "mouse": {"Alt-N"}}
	})
	talk.say(opened)
	p.press("one", "\x1b\r", "two")
	p.sees("› one\n  two")
	p.press("Ctrl-_") // undoes two, and Alt-_ brings it back
	p.seesNo("two")
	p.press("\x1b_")
	p.sees("› one\n  two")
	p.press("\x1b_ xyz wvu")
	p.sees("  two xyz wvu")
	p.press("\x1b\x7f", "\x1b\x7f")
	p.seesNo("xyz")
	for _, each := range []struct{ key, want, close string }{
		{"\x1b]", "find:", "Ctrl-C"}, {"\x1b^", "Keys · ", "x"}, {"\x1bX", "search:", "Ctrl-C"}, {"\x1bN", "· select", "\x1bN"},
	} {
		p.press(each.key)
		p.sees(each.want)
		p.press(each.close)
		p.seesNo(each.want)
	}
}

func TestPromptsCanBeReadInSixteenColours(t *testing.T) {
	for theme, mark := range map[string]tcell.Color{"": tcell.ColorTeal, "light": tcell.ColorNavy} {
		talk := newScripted()
		p := sitWith(t, talk, 60, 20, func(c *tui.Config) { c.Looks.Theme = theme })
		talk.say(opened, messages.TurnStarted{Prompt: "asked"}, messages.Text{Chunk: "answered"})
		f := p.sees("asked", "answered")
		if foreground, _, attributes := f.styles["asked"].Decompose(); foreground != tcell.ColorDefault || attributes&tcell.AttrBold == 0 {
			t.Errorf("%q: a prompt is %v with %v", theme, foreground, attributes)
		}
		if foreground, _, _ := f.styles["●"].Decompose(); foreground != mark {
			t.Errorf("%q: the mark of an answer is %v", theme, foreground)
		}
	}
}

// The key after any key with Alt is not lost.
func TestNoAltKeySwallowsWhatFollows(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 20)
	talk.say(opened)
	for key := '!'; key <= '~'; key++ {
		if key == '[' || key == 'O' { // the arrows and function keys begin with these
			continue
		}
		p.press("\x1b" + string(key))
		typed := fmt.Sprintf("typed after %d", key)
		p.press(typed)
		p.until(typed, func(f frame) bool { return strings.HasSuffix(f.rows[18], typed) })
		p.press("Ctrl-E", "Ctrl-U")
		p.until("an empty input", func(f frame) bool { return strings.HasPrefix(f.rows[18], "› Ask anything") })
	}
}
