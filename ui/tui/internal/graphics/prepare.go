package graphics

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"

	"github.com/mattn/go-sixel"
	"golang.org/x/image/draw"
)

// Image is a picture in the terminal's encoding.
type Image struct {
	Size Size
	id   uint32 // ID in kitty's protocol
	send []byte // the output that draws the picture or, in kitty's protocol, stores the picture
}

// mostSent is the maximum number of bytes sent for one picture. Key presses have to wait while a
// picture is sent.
const mostSent = 384 << 10

// Prepare decodes and encodes a picture. size is the result of [Fit]. id identifies the picture and
// must not be 0. The error explains why the picture cannot be drawn.
func Prepare(content []byte, protocol Protocol, size Size, cell Cell, id uint32) (*Image, error) {
	if size.Columns < 1 || size.Rows < 1 {
		return nil, errors.New("there is no room for it")
	}
	whole, err := decode(content)
	if err != nil {
		return nil, err
	}
	made := &Image{Size: size, id: id}
	shown := shrink(whole, reduceSize(whole.Bounds().Dx(), whole.Bounds().Dy(), cell, size))
	if protocol == Sixel {
		made.send, err = bySixel(shown)
		return made, err
	}
	canvas := image.NewRGBA(image.Rect(0, 0, size.Columns*cell.Width, size.Rows*cell.Height))
	draw.Draw(canvas, shown.Bounds(), shown, image.Point{}, draw.Src)
	file, err := asPNG(canvas)
	if err != nil {
		return nil, err
	}
	if made.send = byITerm(file, size); protocol == Kitty {
		made.send = byKitty(file, id)
	}
	return made, nil
}

// asPNG encodes a picture as PNG. While the file is too large, asPNG halves the width and height;
// the terminal scales the picture to the same number of cells.
func asPNG(shown *image.RGBA) ([]byte, error) {
	for {
		var file bytes.Buffer
		if err := png.Encode(&file, shown); err != nil {
			return nil, fmt.Errorf("write it as PNG: %w", err)
		}
		if file.Len() <= mostSent*3/4 || shown.Bounds().Dx() < 2 || shown.Bounds().Dy() < 2 {
			return file.Bytes(), nil
		}
		shown = resize(shown, shown.Bounds().Size().Div(2))
	}
}

// byITerm returns the sequence that draws a PNG file at the cursor. The sequence omits the file's
// name, because the name is not trusted.
func byITerm(file []byte, size Size) []byte {
	head := fmt.Sprintf("\x1b]1337;File=inline=1;size=%d;width=%d;height=%d;preserveAspectRatio=1;doNotMoveCursor=1:", len(file), size.Columns, size.Rows)
	return append(base64.StdEncoding.AppendEncode([]byte(head), file), '\a')
}

// chunk is the maximum number of base64 bytes in one sequence of kitty's protocol.
const chunk = 4096

// byKitty returns the sequences that store a PNG file in the terminal under an ID. They tell the
// terminal not to answer, because Marvin would read the answer as key presses.
func byKitty(file []byte, id uint32) []byte {
	text := base64.StdEncoding.AppendEncode(nil, file)
	head := fmt.Sprintf("a=t,f=100,i=%d,q=2,", id)
	var all []byte
	for len(text) > 0 {
		part, more := text[:min(chunk, len(text))], 0
		if text = text[len(part):]; len(text) > 0 {
			more = 1
		}
		all = fmt.Appendf(all, "\x1b_G%sm=%d;%s\x1b\\", head, more, part)
		head = "q=2,"
	}
	return all
}

// bySixel returns the sequence that draws a picture at the cursor. If the sequence is too long,
// bySixel tries fewer colors and then larger pixels.
func bySixel(shown *image.RGBA) ([]byte, error) {
	for _, with := range []struct{ colours, grain int }{{256, 1}, {64, 1}, {64, 2}, {32, 4}, {16, 8}, {8, 16}} {
		var sequence bytes.Buffer
		encoder := sixel.NewEncoder(&sequence)
		encoder.Colors, encoder.Transparent = with.colours, true
		if err := encoder.Encode(opaque(coarsen(shown, with.grain))); err != nil {
			return nil, fmt.Errorf("write it as sixels: %w", err)
		}
		if sequence.Len() <= mostSent {
			return sequence.Bytes(), nil
		}
	}
	return nil, errors.New("it has too much detail for sixels")
}

// coarsen enlarges the pixels of a picture but keeps the picture's size. It shrinks the picture by
// the given factor and scales the result up again.
func coarsen(shown *image.RGBA, grain int) *image.RGBA {
	size := shown.Bounds().Size()
	if grain == 1 || size.X < grain || size.Y < grain {
		return shown
	}
	large := image.NewRGBA(shown.Bounds())
	small := shrink(shown, size.Div(grain))
	draw.NearestNeighbor.Scale(large, large.Bounds(), small, small.Bounds(), draw.Src, nil)
	return large
}

// opaque removes partial transparency, which sixels do not support.
func opaque(shown *image.RGBA) *image.RGBA {
	solid := image.NewRGBA(shown.Bounds())
	for i := 0; i < len(shown.Pix); i += 4 {
		alpha := int(shown.Pix[i+3])
		if alpha < 128 {
			continue
		}
		for part := range 3 {
			solid.Pix[i+part] = uint8(min(int(shown.Pix[i+part])*255/alpha, 255))
		}
		solid.Pix[i+3] = 255
	}
	return solid
}
