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
)

// transmission is a partially received picture of kitty's protocol.
type transmission struct {
	id   string
	text strings.Builder
}

// keys are a command's valid keys, by its action.
var keys = map[string]string{"t": "afiqm", "p": "aipcrCq", "d": "adipq", "": "qm"}

// kitty takes a command of kitty's protocol.
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
		t.wrong("an answer is wanted, which would be keys: %.60q", head)
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

// file is a PNG in base64.
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

// iterm takes a picture of iTerm2's protocol.
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

// sixel takes a picture of sixels.
func (t *Terminal) sixel(body string) {
	t.Sent += len(body)
	head, data, ok := strings.Cut(body, "q")
	if !ok || strings.Trim(head, "0123456789;") != "" {
		t.wrong("a device control string that begins with %.20q", body)
		return
	}
	if parts := strings.Split(head, ";"); len(parts) < 2 || parts[1] != "1" {
		t.wrong("the ground is painted: %q", head)
	}
	shown, problem := sixels(data)
	if problem != "" {
		t.wrong("sixels: %s", problem)
		return
	}
	size := shown.Bounds()
	t.draw(shown, (size.Dx()+t.CellWidth-1)/t.CellWidth, (size.Dy()+t.CellHeight-1)/t.CellHeight)
}

// sixels reads the data of a picture, whose size it must say first.
func sixels(data string) (shown *image.NRGBA, problem string) {
	list, data := numbers(strings.TrimPrefix(data, `"`))
	if len(list) != 4 || list[0] != 1 || list[1] != 1 || list[2] < 1 || list[3] < 1 || list[2]*list[3] > 1<<24 {
		return nil, "no raster attributes"
	}
	shown = image.NewNRGBA(image.Rect(0, 0, list[2], list[3]))
	palette, colour, x, y, repeat := map[int]color.NRGBA{}, -1, 0, 0, 1
	for data != "" {
		char := data[0]
		data = data[1:]
		switch {
		case char == '#':
			list, data = numbers(data)
			if colour = list[0]; len(list) == 5 && list[1] == 2 && max(list[2], list[3], list[4]) <= 100 && colour < 256 {
				palette[colour] = color.NRGBA{percent(list[2]), percent(list[3]), percent(list[4]), 255}
			} else if len(list) != 1 {
				return nil, "a colour"
			}
		case char == '!':
			list, data = numbers(data)
			if repeat = list[0]; len(list) != 1 || repeat < 1 || data == "" || data[0] < '?' || data[0] > '~' {
				return nil, "a repeat"
			}
		case char == '$':
			x = 0
		case char == '-':
			x, y = 0, y+6
		case char >= '?' && char <= '~':
			paint, ok := palette[colour]
			if !ok {
				return nil, "a colour that was not said"
			}
			for ; repeat > 0; repeat-- {
				for bit := range 6 {
					if (char-'?')>>bit&1 == 0 {
						continue
					}
					if !image.Pt(x, y+bit).In(shown.Bounds()) {
						return nil, "a pixel outside of the picture"
					}
					shown.SetNRGBA(x, y+bit, paint)
				}
				x++
			}
			repeat = 1
		default:
			return nil, "the character " + strconv.QuoteRune(rune(char))
		}
	}
	return shown, ""
}

func percent(n int) uint8 { return uint8((n*255 + 50) / 100) }

// numbers are those at the beginning of a text, with semicolons between them.
func numbers(text string) (list []int, rest string) {
	end := strings.IndexFunc(text, func(char rune) bool { return char != ';' && (char < '0' || char > '9') })
	if end < 0 {
		end = len(text)
	}
	for part := range strings.SplitSeq(text[:end], ";") {
		list = append(list, number(part))
	}
	return list, text[end:]
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// Mean is the mean color of the painted part of a picture.
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

// long takes a string that has an end of its own.
func (t *Terminal) long(out string) (rest string, ok bool) {
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
