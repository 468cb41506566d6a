package tui_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/tui"
	"marvin/ui/tui/internal/graphicstest"
)

var protocols = []string{"kitty", "iterm", "sixel"}

// painted returns a picture of one color.
func painted(t testing.TB, name string, width, height int, colour color.Color) messages.Picture {
	t.Helper()
	shown := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(shown, shown.Bounds(), image.NewUniform(colour), image.Point{}, draw.Src)
	return messages.Picture{Type: "image/png", Name: name, Data: encoded(t, shown), Width: width, Height: height}
}

func encoded(t testing.TB, shown image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, shown); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// asked returns the start of a turn with pictures.
func asked(prompt string, pictures ...messages.Picture) messages.TurnStarted {
	return messages.TurnStarted{Prompt: prompt, Pictures: messages.Labels(pictures), Images: pictures}
}

// gallery is a user at a terminal that draws pictures.
type gallery struct {
	*person
	talk  *scripted
	shown *graphicstest.Terminal
	read  int // bytes of the wire that it has
}

func openGallery(t *testing.T, width, height int, images tui.Images) *gallery {
	t.Helper()
	talk := newScripted()
	g := &gallery{sitWith(t, talk, width, height, func(c *tui.Config) { c.Images = images }), talk, graphicstest.New(width, height, 8, 16), 0}
	talk.say(opened)
	g.sees("test-model")
	return g
}

// terminal returns a simulated terminal that has received all bytes.
func (g *gallery) terminal() *graphicstest.Terminal {
	written := g.wire.written()
	g.shown.Write(written[g.read:])
	g.read = len(written)
	return g.shown
}

// draws waits until the terminal meets a condition, and checks that it has no errors to report.
func (g *gallery) draws(what string, ok func(*graphicstest.Terminal) bool) *graphicstest.Terminal {
	g.t.Helper()
	deadline := time.Now().Add(actorstest.Patience)
	for {
		terminal := g.terminal()
		if len(terminal.Wrong) > 0 {
			g.t.Fatalf("before %s: %v", what, terminal.Wrong)
		}
		if ok(terminal) && len(terminal.LeftoverCells()) == 0 {
			return terminal
		}
		if time.Now().After(deadline) {
			g.screen.mutex.Lock()
			defer g.screen.mutex.Unlock()
			g.t.Fatalf("never %s: pictures %v, remains %v in\n%s", what, terminal.Pictures(), terminal.LeftoverCells(), g.screen.last)
		}
		time.Sleep(time.Millisecond)
	}
}

func pictureCount(n int) func(*graphicstest.Terminal) bool {
	return func(terminal *graphicstest.Terminal) bool { return len(terminal.Pictures()) == n }
}

var (
	red  = color.NRGBA{200, 20, 40, 255}
	blue = color.NRGBA{30, 40, 210, 255}
)

func alike(a, b color.NRGBA) bool {
	return max(a.R, b.R)-min(a.R, b.R) < 8 && max(a.G, b.G)-min(a.G, b.G) < 8 && max(a.B, b.B)-min(a.B, b.B) < 8
}

func TestPicturesAreDrawnWhereTheTerminalCan(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			g := openGallery(t, 90, 40, tui.Images{Protocol: protocol})
			g.talk.say(
				asked("what is this?", painted(t, "shot.png", 640, 320, red)),
				messages.ToolStarted{Call: "1", Name: "read_file", Title: "read_file b.png"},
				messages.ToolEnded{Call: "1", Name: "read_file", Status: messages.OK, Text: "[b.png]", Images: []messages.Picture{painted(t, "b.png", 80, 64, blue)}},
				messages.Text{Chunk: "It is red."},
			)
			shown := g.draws("both pictures", pictureCount(2)).Pictures()
			frame := g.sees("[picture 1: shot.png 640x320]", "read_file b.png", "It is red.")
			if shown[0].Area.Dx() != 52 || shown[0].Area.Dy() != 13 || shown[1].Area.Dx() != 10 || shown[1].Area.Dy() != 4 {
				t.Errorf("their rooms are %v and %v", shown[0].Area, shown[1].Area)
			}
			if one, other := graphicstest.Mean(shown[0].Image), graphicstest.Mean(shown[1].Image); !alike(one, red) || !alike(other, blue) {
				t.Errorf("their colours are %v and %v", one, other)
			}
			for _, picture := range shown {
				for y := picture.Area.Min.Y; y < picture.Area.Max.Y; y++ {
					if frame.rows[y] != "" {
						t.Errorf("the text %q is under a picture", frame.rows[y])
					}
				}
			}
		})
	}
}

// A picture that is partly outside the window is a line of text, and is drawn again when it is
// completely visible. Scrolling leaves no parts of it.
func TestAPictureHalfOutOfSightIsText(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			g := openGallery(t, 70, 24, tui.Images{Protocol: protocol})
			g.talk.say(asked("look", painted(t, "shot.png", 640, 320, red)), messages.Text{Chunk: strings.Repeat("some words\n\n", 30) + "the end"})
			g.sees("the end")
			g.draws("no picture", pictureCount(0))
			g.press("\x1b[1;5H") // Ctrl-Home
			whole := g.draws("the picture", pictureCount(1)).Pictures()[0].Area
			for range whole.Min.Y {
				g.press("Shift-Down")
			}
			g.sees("shot.png · png · 640×320")
			g.draws("half of it, as text", pictureCount(0))
			for range whole.Min.Y {
				g.press("Shift-Up")
			}
			back := g.draws("the picture where it was", func(terminal *graphicstest.Terminal) bool {
				shown := terminal.Pictures()
				return len(shown) == 1 && shown[0].Area == whole
			})
			if protocol == "kitty" && back.Sent > 20_000 {
				t.Errorf("%d bytes were sent for a picture that the terminal has", back.Sent)
			}
		})
	}
}

// The terminal does not move rows while a picture is on it, because terminals differ in what they
// do with the picture.
func TestAPictureMovesWithItsText(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			g := openGallery(t, 70, 40, tui.Images{Protocol: protocol})
			g.talk.say(asked("look", painted(t, "shot.png", 640, 320, red)))
			for i := range 14 {
				g.talk.say(messages.Text{Chunk: fmt.Sprintf("\n- item %d", i)})
			}
			g.sees("item 13")
			top := g.draws("the picture", pictureCount(1)).Pictures()[0].Area.Min.Y
			for i := 14; i < 21; i++ {
				g.talk.say(messages.Text{Chunk: fmt.Sprintf("\n- item %d", i)})
				g.sees(fmt.Sprintf("item %d", i))
			}
			g.draws("the picture further up", func(terminal *graphicstest.Terminal) bool {
				shown := terminal.Pictures()
				return len(shown) == 1 && shown[0].Area.Min.Y < top
			})
		})
	}
}

func TestPicturesLeaveNothingBehind(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			g := openGallery(t, 100, 50, tui.Images{Protocol: protocol})
			g.wire.become(70, 30)
			g.until("another size", func(f frame) bool { return len(f.rows) == 30 })
			g.talk.say(asked("look", painted(t, "shot.png", 640, 320, red)), messages.Text{Chunk: "Red."})
			g.draws("the picture", pictureCount(1))
			g.press("\x1bOP") // F1
			g.sees("any other key closes this")
			g.draws("the keys alone", pictureCount(0))
			g.press("Esc")
			g.draws("the picture again", pictureCount(1))
			g.talk.say(messages.Asked{Ask: "q", Tool: "run_command", Title: "run_command rm", Detail: "rm x", Choices: []messages.Choice{messages.Yes, messages.No}})
			g.sees("run_command rm")
			g.talk.say(messages.Answered{Ask: "q", Choice: messages.No})
			g.draws("the picture behind a question", pictureCount(1))
			g.press("\x0c") // Ctrl-L
			g.draws("the picture after the screen was cleared", pictureCount(1))
			g.wire.become(100, 50)
			g.until("a larger size", func(f frame) bool { return len(f.rows) == 50 })
			g.draws("a larger picture", func(terminal *graphicstest.Terminal) bool {
				shown := terminal.Pictures()
				return len(shown) == 1 && shown[0].Area.Dy() == 16
			})
			g.talk.say(messages.TurnEnded{Outcome: messages.Completed}, messages.Cleared{})
			g.seesNo("Red.")
			g.draws("an empty screen", pictureCount(0))
			g.talk.say(asked("again", painted(t, "shot.png", 640, 320, red)))
			g.draws("the picture after /clear", pictureCount(1))
			g.press("Ctrl-Q")
			if err := g.left(); err != nil {
				t.Fatal(err)
			}
			if terminal := g.terminal(); len(terminal.Pictures()) > 0 || terminal.Known() > 0 || len(terminal.Wrong) > 0 {
				t.Errorf("%v are left, %d kept, wrong %v", terminal.Pictures(), terminal.Known(), terminal.Wrong)
			}
		})
	}
}

// A terminal that draws no pictures, or does not report the cell size that sixels need, shows text
// and receives no byte of a picture.
func TestWithoutPicturesThereIsText(t *testing.T) {
	for name, images := range map[string]tui.Images{"off": {}, "asked, without an answer": {Protocol: "sixel", Ask: true}} {
		t.Run(name, func(t *testing.T) {
			g := openGallery(t, 70, 30, images)
			g.talk.say(asked("look", painted(t, "shot.png", 640, 320, red)), messages.Text{Chunk: "Red."})
			rows := g.sees("[picture 1: shot.png 640x320]", "Red.").rows
			label := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "[picture 1: shot.png 640x320]") })
			if label < 0 || rows[label+2] != "● Red." {
				t.Errorf("there is room for a picture:\n%s", strings.Join(rows, "\n"))
			}
			if terminal := g.terminal(); terminal.Sent > 0 {
				t.Errorf("it got %d bytes of pictures", terminal.Sent)
			}
		})
	}
}

// A terminal is asked for its features (DA1), and replies at any time, perhaps in two pieces.
// Attribute 4 means sixels. The replies are those of XTerm and mlterm
// (github.com/dankamongmen/notcurses, issue 2257), of VS Code (ESC [ ? 62 ; 4 ; 9 ; 22 c), and of
// an XTerm without sixels, whose 42 is a character set.
func TestTheTerminalSaysThatItDrawsSixels(t *testing.T) {
	for said, draws := range map[string]bool{"\x1b[?62;4;9;22c": true, "\x1b[?64;1;2;|4c": true, "\x1b[?64;1;2;6;42c": false} {
		g := openGallery(t, 70, 30, tui.Images{Protocol: "sixel", Ask: true})
		if !strings.Contains(g.wire.written(), "\x1b[c") {
			t.Fatal("it is not asked")
		}
		for piece := range strings.SplitSeq(said, "|") {
			g.wire.chunks <- []byte(piece)
		}
		g.press("x")
		frame := g.until("the x", func(f frame) bool { return strings.Contains(f.String(), "› x") })
		if strings.Contains(frame.String(), "62") || strings.Contains(frame.String(), "64") {
			t.Errorf("the answer was typed:\n%s", frame)
		}
		g.talk.say(asked("look", painted(t, "shot.png", 640, 320, red)))
		if draws {
			g.draws("the picture", pictureCount(1))
			continue
		}
		g.sees("shot.png")
		if terminal := g.terminal(); terminal.Sent > 0 {
			t.Errorf("it draws where the answer is %q", said)
		}
	}
}

// A picture of a billion pixels, a damaged picture, and a picture whose name contains terminal
// sequences are lines of text.
func TestHostilePicturesAreLinesOfText(t *testing.T) {
	huge := painted(t, "huge.png", 60, 60, red)
	huge.Data = bytes.Clone(huge.Data)
	binary.BigEndian.PutUint32(huge.Data[16:], 50_000)
	binary.BigEndian.PutUint32(huge.Data[20:], 50_000)
	binary.BigEndian.PutUint32(huge.Data[29:], crc32.ChecksumIEEE(huge.Data[12:29]))
	half := painted(t, "half.png", 300, 300, red)
	half.Data = half.Data[:len(half.Data)/2]
	named := painted(t, "a\x1b[2J\x1b]52;c;eHg=\a\nb\u202e.png", 60, 60, blue)
	for _, protocol := range protocols {
		g := openGallery(t, 110, 30, tui.Images{Protocol: protocol})
		g.talk.say(asked("look", huge, half, named), messages.Text{Chunk: "Done."})
		g.sees("huge.png · png · 60×60", "is not drawn: it has 50000×50000 pixels", "half.png", "is not drawn: it is damaged", "Done.")
		g.draws("the one that can be", pictureCount(1))
		if out := g.wire.written(); strings.Contains(out, "\x1b]52") {
			t.Error("a name commands the terminal")
		}
	}
}

// A long conversation shows each of its pictures, one screen at a time, and a terminal with kitty's
// protocol stores only a few of them.
func TestTwentyPicturesInALongConversation(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			g := openGallery(t, 70, 24, tui.Images{Protocol: protocol})
			colour := func(i int) color.NRGBA { return color.NRGBA{uint8(10 * i), uint8(250 - 12*i), uint8(100 + 7*i), 255} }
			for i := range 20 {
				g.talk.say(asked(fmt.Sprintf("prompt %d", i), painted(t, fmt.Sprintf("%d.png", i), 400, 112, colour(i))),
					messages.Text{Chunk: "An answer.\n\n" + strings.Repeat("a line\n\n", 8)}, messages.TurnEnded{Outcome: messages.Completed, Text: "x"})
			}
			g.sees("40 messages")
			for i := 19; i >= 0; i-- {
				g.press("Alt-p") // to the prompt before
				g.sees(fmt.Sprintf("prompt %d", i))
				g.draws(fmt.Sprintf("picture %d", i), func(terminal *graphicstest.Terminal) bool {
					return slices.ContainsFunc(terminal.Pictures(), func(shown graphicstest.Picture) bool {
						return alike(graphicstest.Mean(shown.Image), colour(i))
					})
				})
			}
			if terminal := g.terminal(); terminal.Known() > 24 {
				t.Errorf("the terminal keeps %d", terminal.Known())
			}
		})
	}
}
