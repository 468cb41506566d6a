package tui_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/tui"
	"marvin/ui/tui/internal/graphicstest"
)

// tortured is the expected content of the screen, computed without the program. It has the amount
// of printed text, the last lines, and the input.
type tortured struct {
	said, number int
	typed        string
	end          string // the last thing that was said
	running      bool
	pictures     bool // come with prompts and results
	terminal     *graphicstest.Terminal
	written      int // bytes that the terminal took so far
}

func TestTheScreenUnderTorture(t *testing.T) {
	steps := 1000
	if text := os.Getenv("TORTURE"); text != "" {
		var err error
		if steps, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, theme := range []string{"", "nord"} {
		t.Run("theme "+theme, func(t *testing.T) { torture(t, theme, "", steps/2) })
	}
	for _, protocol := range protocols {
		t.Run("pictures by "+protocol, func(t *testing.T) { torture(t, "nord", protocol, steps/4) })
	}
}

func torture(t *testing.T, theme, protocol string, steps int) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	talk := newScripted()
	width, height := 70, 20
	p := sitWith(t, talk, width, height, func(c *tui.Config) {
		c.Looks, c.Images = tui.Looks{Theme: theme, Colours: "256"}, tui.Images{Protocol: protocol}
	})
	talk.say(opened)
	p.sees("test-model")
	m, from := &tortured{pictures: protocol != "", terminal: graphicstest.New(200, 60, 8, 16)}, 0
	for step := range steps {
		switch random.IntN(12) {
		case 0:
			width, height = 44+random.IntN(150), 10+random.IntN(40)
			from = len(p.wire.written())
			p.wire.become(width, height)
			p.until("another size", func(f frame) bool { return len(f.rows) == height })
		case 1, 2:
			p.press([]string{"Shift-Up", "PgUp", "WheelUp", "WheelDown", "PgDn", "Shift-Down", "Ctrl-O", "Ctrl-T"}[random.IntN(8)])
			if random.IntN(4) == 0 { // a selection, which the next key ends
				p.press(drag(1+random.IntN(width), 1+random.IntN(height), 1+random.IntN(width), 1+random.IntN(height)), "Ctrl-U")
				m.typed = ""
			}
			if m.pictures && random.IntN(3) == 0 {
				p.press("\x1bOP", "Enter") // the keys, over all, and back
			}
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

// typing types or deletes a letter.
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

// saying adds text to the conversation.
func (m *tortured) saying(talk *scripted, random *rand.Rand) {
	m.number++
	if !m.running {
		m.running, m.said, m.end = true, m.said+1, fmt.Sprintf("prompt %d", m.number)
		talk.say(messages.TurnStarted{Prompt: m.end, Images: m.some(random)})
		m.saysMore(talk)
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
		talk.say(messages.ToolStarted{Call: id, Name: m.end}, messages.ToolEnded{Call: id, Name: m.end, Status: messages.OK, Text: "result\nof it", Images: m.some(random)})
		m.saysMore(talk)
	default:
		for range 1 + random.IntN(4) {
			talk.say(messages.Text{Chunk: fmt.Sprintf(texts[random.IntN(len(texts))], m.number)})
		}
		m.end = fmt.Sprintf("last%d", m.number)
		talk.say(messages.Text{Chunk: "\n\n" + m.end})
	}
}

// saysMore adds text below pictures, which may be higher than the window.
func (m *tortured) saysMore(talk *scripted) {
	if m.pictures {
		m.end = fmt.Sprintf("more%d", m.number)
		talk.say(messages.Text{Chunk: "\n\n" + m.end})
	}
}

// tortures are the colors of the pictures.
var tortures = []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}}

// some returns no pictures or a few.
func (m *tortured) some(random *rand.Rand) (pictures []messages.Picture) {
	for m.pictures && random.IntN(2) == 0 && len(pictures) < 3 {
		shown := image.NewPaletted(image.Rect(0, 0, 20+random.IntN(600), 20+random.IntN(300)), color.Palette{tortures[random.IntN(len(tortures))]})
		var out bytes.Buffer
		_ = png.Encode(&out, shown) // into memory
		pictures = append(pictures, messages.Picture{Type: "image/png", Data: out.Bytes(), Name: "p.png", Width: shown.Rect.Dx(), Height: shown.Rect.Dy()})
	}
	return pictures
}

// drawn describes the errors of the pictures on the screen. Each picture must be complete, must be
// one of the sent pictures, and must cover only cells without text.
func (m *tortured) drawn(p *person, shown frame) string {
	out := p.wire.written()
	m.terminal.Write(out[m.written:])
	m.written = len(out)
	switch remains := m.terminal.LeftoverCells(); {
	case len(m.terminal.Wrong) > 0:
		p.t.Fatal(m.terminal.Wrong)
	case len(remains) > 0:
		return fmt.Sprintf("a piece of a picture is left at %v of\n%s", remains[0], shown)
	}
	for _, picture := range m.terminal.Pictures() {
		for y := picture.Area.Min.Y; y < picture.Area.Max.Y; y++ {
			if y >= len(shown.rows) || shown.rows[y] != "" {
				return fmt.Sprintf("a picture at %v is over\n%s", picture.Area, shown)
			}
		}
		if mean := graphicstest.Mean(picture.Image); !slices.ContainsFunc(tortures, func(one color.NRGBA) bool { return alike(one, mean) }) {
			return fmt.Sprintf("a picture at %v has the colour %v", picture.Area, mean)
		}
	}
	return ""
}

// look scrolls to the end of the conversation and compares the screen with the expected content.
func (m *tortured) look(p *person, from, width, height int, painted bool) {
	p.t.Helper()
	p.press("\x1b[1;5F") // Ctrl-End
	row := height - 1
	if height >= 18 {
		row-- // the line below the input
	}
	typed := func(f frame) bool {
		if m.typed != "" {
			return f.rows[row] == "› "+m.typed
		}
		rest, ok := strings.CutPrefix(f.rows[row], "›")
		return ok && (rest == "" || strings.HasPrefix(rest, " Ask anything · @") || strings.HasPrefix(rest, " Enter adds this"))
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
			if wrong = m.drawn(p, shown); wrong == "" {
				return
			}
		}
		if time.Now().After(deadline) {
			p.t.Fatal(wrong)
		}
		time.Sleep(time.Millisecond) // a frame is on its way
	}
}
