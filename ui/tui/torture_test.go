package tui_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/tui"
)

// tortured is what a test knows must be on the screen, without asking the program: how much
// was said, what stands at the end of it, and what was typed.
type tortured struct {
	said, number int
	typed        string
	end          string // the last thing that was said
	running      bool
}

// TestTheScreenUnderTorture has random events, keys and sizes, and looks after each few what
// a terminal shows that got the bytes: the same cells as tcell believes, on the ground of the
// theme everywhere, with what was said and typed last. TORTURE=100000 makes as many steps.
func TestTheScreenUnderTorture(t *testing.T) {
	steps := 1000
	if text := os.Getenv("TORTURE"); text != "" {
		var err error
		if steps, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, theme := range []string{"", "nord"} {
		t.Run("theme "+theme, func(t *testing.T) { torture(t, theme, steps/2) })
	}
}

func torture(t *testing.T, theme string, steps int) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	talk := newScripted()
	width, height := 70, 20
	p := sitWith(t, talk, width, height, func(c *tui.Config) { c.Looks = tui.Looks{Theme: theme, Colours: "256"} })
	talk.say(opened)
	p.sees("messages")
	m, from := &tortured{}, 0
	for step := range steps {
		switch random.IntN(12) {
		case 0:
			width, height = 44+random.IntN(150), 10+random.IntN(40)
			from = len(p.wire.written())
			p.wire.become(width, height)
			p.until("another size", func(f frame) bool { return len(f.rows) == height })
		case 1, 2:
			p.press([]string{"Shift-Up", "PgUp", "WheelUp", "WheelDown", "PgDn", "Shift-Down", "Ctrl-O", "Ctrl-T"}[random.IntN(8)])
		case 3, 4:
			m.typing(p, random)
		default:
			m.saying(talk, random)
		}
		if step%8 == 7 || step == steps-1 {
			m.look(p, from, width, height, theme != "")
		}
	}
}

// typing types a letter, or takes one away.
func (m *tortured) typing(p *person, random *rand.Rand) {
	switch random.IntN(6) {
	case 0:
		p.press("Ctrl-U")
		m.typed = ""
	case 1:
		p.press("Backspace")
		m.typed = m.typed[:max(len(m.typed)-1, 0)]
	default:
		if len(m.typed) < 30 {
			letter := string(rune('a' + random.IntN(26)))
			p.press(letter)
			m.typed += letter
		}
	}
}

// saying has the conversation say something.
func (m *tortured) saying(talk *scripted, random *rand.Rand) {
	m.number++
	if !m.running {
		m.running, m.said, m.end = true, m.said+1, fmt.Sprintf("prompt %d", m.number)
		talk.say(messages.TurnStarted{Prompt: m.end})
		return
	}
	texts := []string{"word %d ", "日本語 %d wide 👨‍👩‍👧\n\n", "- item %d\n", "\n| a%d | b |\n|---|---|\n| 1 | 2 |\n\n", "\n```go\nfunc f%d() {}\n```\n", "# heading %d\n\n", "\x1b[2J%d\u202e bad\n"}
	switch random.IntN(10) {
	case 0:
		m.running, m.said, m.end = false, m.said+1, fmt.Sprintf("note %d", m.number)
		talk.say(messages.Text{Chunk: "end"}, messages.TurnEnded{Outcome: messages.Completed, Text: "x"}, messages.Notice{Text: m.end})
	case 1:
		id := fmt.Sprint(m.number)
		m.end = fmt.Sprintf("say%d", m.number)
		talk.say(messages.ToolStarted{Call: id, Name: m.end}, messages.ToolEnded{Call: id, Name: m.end, Status: messages.OK, Text: "result\nof it"})
	default:
		for range 1 + random.IntN(4) {
			talk.say(messages.Text{Chunk: fmt.Sprintf(texts[random.IntN(len(texts))], m.number)})
		}
		m.end = fmt.Sprintf("last%d", m.number)
		talk.say(messages.Text{Chunk: "\n\n" + m.end})
	}
}

// look goes to the end of the conversation and compares.
func (m *tortured) look(p *person, from, width, height int, painted bool) {
	p.t.Helper()
	p.press("\x1b[1;5F") // Ctrl-End
	row := height - 1
	if height >= 18 {
		row-- // a rule stands below the input
	}
	typed := func(f frame) bool {
		if m.typed != "" {
			return f.rows[row] == "› "+m.typed
		}
		rest, ok := strings.CutPrefix(f.rows[row], "›")
		return ok && (rest == "" || strings.HasPrefix(rest, " Ask anything · @") || strings.HasPrefix(rest, " words for its next step"))
	}
	deadline := time.Now().Add(actorstest.Patience)
	for {
		shown := p.until("the end", func(f frame) bool {
			return len(f.rows) == height && (m.end == "" || strings.Contains(f.String(), m.end)) && typed(f)
		})
		display := newDisplay(width, height)
		display.write(p.wire.written()[from:])
		wrong := ""
		switch {
		case display.String() != shown.String():
			wrong = "the terminal shows\n" + display.String() + "\nnot\n" + shown.String()
		case painted && display.bare() != "":
			wrong = "no ground at " + display.bare() + " of\n" + display.String()
		default:
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatal(wrong)
		}
		time.Sleep(time.Millisecond) // a frame is on its way
	}
}
