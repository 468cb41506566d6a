package graphicstest

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strconv"
	"strings"

	gosixel "github.com/mattn/go-sixel"
)

// transmission accumulates the picture data of consecutive kitty commands.
type transmission struct {
	id   string
	text strings.Builder
}

// keys contains the valid keys for each action of a kitty command.
var keys = map[string]string{"t": "afiqm", "p": "aipcrCq", "d": "adipq", "": "qm"}

// kitty executes a command of kitty's graphics protocol.
func (t *Terminal) kitty(body string) {
	t.Sent += len(body)
	head, payload, _ := strings.Cut(body, ";")
	has := map[string]string{}
	for pair := range strings.SplitSeq(head, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || value == "" || has[key] != "" {
			t.wrong("the pair %q in %.60q", pair, head)
		}
		has[key] = value
	}
	for key := range has {
		if !strings.Contains(keys[has["a"]], key) || len(key) != 1 {
			t.wrong("the key %q in %.60q", key, head)
		}
	}
	if has["q"] != "2" {
		t.wrong("this makes the terminal send a reply, which would arrive as keystrokes: %.60q", head)
	}
	if t.arriving != nil && has["a"] != "" {
		t.wrong("%.60q in the middle of a picture", head)
	}
	switch has["a"] {
	case "t", "":
		t.transmitted(has, payload)
	case "p":
		t.place(has)
	case "d":
		t.deleted(has)
	}
}

func (t *Terminal) transmitted(has map[string]string, payload string) {
	if has["a"] == "t" {
		if has["f"] != "100" {
			t.wrong("format %q is no PNG", has["f"])
		}
		t.arriving = &transmission{id: has["i"]}
	}
	if t.arriving == nil || len(payload) > 4096 || has["m"] == "1" && len(payload)%4 != 0 {
		t.wrong("a piece of %d bytes", len(payload))
		return
	}
	t.arriving.text.WriteString(payload)
	if has["m"] == "1" {
		return
	}
	if shown := t.file(t.arriving.text.String()); shown != nil {
		t.known[t.arriving.id] = shown
	}
	t.arriving = nil
}

// file decodes a base64-encoded PNG file.
func (t *Terminal) file(text string) image.Image {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.wrong("base64: %v", err)
		return nil
	}
	shown, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.wrong("PNG: %v", err)
	}
	return shown
}

func (t *Terminal) place(has map[string]string) {
	columns, rows := number(has["c"]), number(has["r"])
	if has["C"] != "1" || columns < 1 || rows < 1 || number(has["p"]) < 1 || t.known[has["i"]] == nil {
		t.wrong("placed as %v", has)
		return
	}
	area := image.Rect(t.x, t.y, t.x+columns, t.y+rows)
	t.inside(area)
	t.placed[placement{has["i"], has["p"]}] = Picture{area, t.known[has["i"]]}
}

func (t *Terminal) deleted(has map[string]string) {
	switch {
	case has["d"] == "i" && has["p"] != "":
		delete(t.placed, placement{has["i"], has["p"]})
	case has["d"] == "I" && has["p"] == "":
		for one := range t.placed {
			if one.id == has["i"] {
				delete(t.placed, one)
			}
		}
		delete(t.known, has["i"])
	default:
		t.wrong("deleted as %v", has)
	}
}

// iterm executes an image command of iTerm2's protocol.
func (t *Terminal) iterm(body string) {
	t.Sent += len(body)
	head, payload, _ := strings.Cut(body, ":")
	has := map[string]string{}
	for pair := range strings.SplitSeq(head, ";") {
		key, value, _ := strings.Cut(pair, "=")
		has[key] = value
		if !slices.Contains([]string{"inline", "size", "width", "height", "preserveAspectRatio", "doNotMoveCursor"}, key) {
			t.wrong("the key %q of iTerm2's", key)
		}
	}
	shown := t.file(payload)
	if content, _ := base64.StdEncoding.DecodeString(payload); has["inline"] != "1" || has["size"] != strconv.Itoa(len(content)) {
		t.wrong("a file of %d bytes as %q", len(content), head)
	}
	if columns, rows := number(has["width"]), number(has["height"]); shown != nil && columns > 0 && rows > 0 {
		t.draw(shown, columns, rows)
		return
	}
	t.wrong("a picture as %q", head)
}

// sixel decodes a sixel picture and draws it.
func (t *Terminal) sixel(body string) {
	t.Sent += len(body)
	head, _, ok := strings.Cut(body, "q")
	if !ok || strings.Trim(head, "0123456789;") != "" {
		t.wrong("a device control string that begins with %.20q", body)
		return
	}
	if parts := strings.Split(head, ";"); len(parts) < 2 || parts[1] != "1" {
		t.wrong("the background is painted: %q", head)
	}
	var shown image.Image
	if err := gosixel.NewDecoder(strings.NewReader("\x1bP" + body + "\x1b\\")).Decode(&shown); err != nil {
		t.wrong("sixels: %v", err)
		return
	}
	size := shown.Bounds()
	t.draw(shown, (size.Dx()+t.CellWidth-1)/t.CellWidth, (size.Dy()+t.CellHeight-1)/t.CellHeight)
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// Mean returns the mean color of a picture's opaque pixels.
func Mean(shown image.Image) color.NRGBA {
	var red, green, blue, n int
	bounds := shown.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if one := color.NRGBAModel.Convert(shown.At(x, y)).(color.NRGBA); one.A > 127 {
				red, green, blue, n = red+int(one.R), green+int(one.G), blue+int(one.B), n+1
			}
		}
	}
	n = max(n, 1)
	return color.NRGBA{uint8(red / n), uint8(green / n), uint8(blue / n), 255}
}

// stringSequence interprets a sequence that ends with a string terminator, and returns the rest of
// the output. ok is false if the sequence is incomplete.
func (t *Terminal) stringSequence(out string) (rest string, ok bool) {
	kind := out[1]
	end, size := strings.Index(out[2:], "\x1b\\"), 2
	if bell := strings.IndexByte(out[2:], '\a'); kind == ']' && bell >= 0 && (end < 0 || bell < end) {
		end, size = bell, 1
	}
	if end < 0 {
		return "", false
	}
	body := out[2 : 2+end]
	if at := strings.IndexFunc(body, func(char rune) bool { return char < ' ' }); at >= 0 {
		t.wrong("a control character in %.40q", body)
	}
	switch {
	case kind == '_' && strings.HasPrefix(body, "G"):
		t.kitty(body[1:])
	case kind == ']' && strings.HasPrefix(body, "1337;File="):
		t.iterm(strings.TrimPrefix(body, "1337;File="))
	case kind == 'P':
		t.sixel(body)
	}
	return out[2+end+size:], true
}
