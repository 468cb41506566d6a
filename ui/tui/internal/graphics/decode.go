package graphics

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // registers a decoder, which returns the first frame
	_ "image/jpeg" // registers a decoder
	_ "image/png"  // registers a decoder
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/riff"
	_ "golang.org/x/image/webp" // registers a decoder
)

// These limits protect against malicious files: a file of one kilobyte can claim to contain
// billions of pixels. Marvin's own pictures are at most 1568 pixels wide and high, and at most 3
// MiB in size.
const (
	mostBytes  = 8 << 20
	mostPixels = 4 << 20
)

func decode(content []byte) (image.Image, error) {
	if len(content) > mostBytes {
		return nil, fmt.Errorf("it has %d bytes, more than the limit of %d", len(content), mostBytes)
	}
	size, kind, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, errors.New("it is not a PNG, JPEG, GIF or WebP")
	}
	if err := fits(size); err != nil {
		return nil, err
	}
	if kind == "webp" {
		if err := frameFits(content); err != nil {
			return nil, err
		}
	}
	read, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return read, nil
}

func fits(size image.Config) error {
	if size.Width < 1 || size.Height < 1 {
		return errors.New("it has no pixels")
	}
	if size.Width > mostPixels/size.Height {
		return fmt.Errorf("it has %d×%d pixels, too many to be drawn", size.Width, size.Height)
	}
	return nil
}

// frameFits returns an error if a WebP picture is too large or damaged. It reads the size from the
// frame, because the decoder uses that size even if the file's header contains a different one.
func frameFits(content []byte) error {
	_, chunks, err := riff.NewReader(bytes.NewReader(content))
	for err == nil {
		var id riff.FourCC
		var size uint32
		var data io.Reader
		if id, size, data, err = chunks.Next(); err != nil {
			break
		}
		if name := string(id[:]); name != "VP8 " && name != "VP8L" {
			continue
		}
		head := make([]byte, min(size, 32))
		n, _ := io.ReadFull(data, head) // DecodeConfig rejects an incomplete frame
		alone := append([]byte("RIFF\xff\xff\x00\x00WEBP"+string(id[:])+"\xe0\xff\x00\x00"), head[:n]...)
		frame, _, err := image.DecodeConfig(bytes.NewReader(alone))
		if err != nil {
			return fmt.Errorf("it is damaged: %w", err)
		}
		return fits(frame)
	}
	return errors.New("it is damaged: it contains no frame")
}

// reduceSize scales the size of a picture down to the limit, and returns the new size in pixels. It
// keeps the proportions, and never enlarges the picture.
func reduceSize(width, height int, cell Cell, limit Size) image.Point {
	wide, high := limit.Columns*cell.Width, limit.Rows*cell.Height
	shown := image.Pt(width, height)
	if shown.X > wide {
		shown = image.Pt(wide, max(height*wide/width, 1))
	}
	if shown.Y > high {
		shown = image.Pt(max(width*high/height, 1), high)
	}
	return shown
}

// shrink scales a picture down. It first halves the picture repeatedly, so that every pixel
// contributes to the result. The halved pictures need at most a third of the original's memory.
func shrink(from image.Image, to image.Point) *image.RGBA {
	for from.Bounds().Dx() >= 2*to.X && from.Bounds().Dy() >= 2*to.Y {
		from = resize(from, image.Pt(from.Bounds().Dx()/2, from.Bounds().Dy()/2))
	}
	return resize(from, to)
}

func resize(from image.Image, to image.Point) *image.RGBA {
	shown := image.NewRGBA(image.Rectangle{Max: to})
	draw.ApproxBiLinear.Scale(shown, shown.Bounds(), from, from.Bounds(), draw.Src, nil)
	return shown
}
