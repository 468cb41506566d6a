package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // registers the GIF decoder
	"image/jpeg"
	_ "image/png" // registers the PNG decoder
	"net/http"
	"strings"

	_ "golang.org/x/image/webp" // only the size is read

	"marvin/messages"
)

const (
	// longest is the maximum length of a picture's longer side, in pixels. Services shrink larger
	// pictures but charge for the original.
	longest = 1568
	// largest is the maximum size, in bytes, of a file that is sent unchanged. The strictest
	// service limits the base64 text to 5 MB.
	largest = 3 << 20
	// mostPixels is the maximum number of pixels in a picture that Read decodes. The header of a
	// one-kilobyte file can declare 400 million pixels.
	mostPixels = 40_000_000
	quality    = 85
)

// Read converts the content of a file to a picture. The error says why the picture cannot be shown.
func Read(name string, content []byte) (messages.Picture, error) {
	kind := http.DetectContentType(content)
	shown := messages.Picture{Type: kind, Data: content, Name: name}
	size, _, err := image.DecodeConfig(bytes.NewReader(content))
	if kind == "image/webp" {
		// Read does not decode WebP pictures, because a frame can exceed the size in the header.
		// Without decoding, Read cannot shrink a picture.
		if len(content) > largest {
			return messages.Picture{}, fmt.Errorf("the WebP picture has %d bytes, which is too large to be shown", len(content))
		}
		shown.Width, shown.Height = size.Width, size.Height // 0 if unknown
		return shown, nil
	}
	switch {
	case err != nil:
		return messages.Picture{}, fmt.Errorf("%s cannot be read as a picture", strings.TrimPrefix(kind, "image/"))
	case size.Width < 1 || size.Height < 1 || size.Width > mostPixels/size.Height:
		return messages.Picture{}, fmt.Errorf("a picture of %d×%d pixels cannot be shown", size.Width, size.Height)
	}
	shown.Width, shown.Height = size.Width, size.Height
	if max(size.Width, size.Height) <= longest && len(content) <= largest {
		if _, _, err := image.Decode(bytes.NewReader(content)); err != nil {
			return messages.Picture{}, fmt.Errorf("the file is damaged: %w", err) // services reject the whole conversation because of one damaged picture
		}
		return shown, nil
	}
	whole, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return messages.Picture{}, fmt.Errorf("the file is damaged: %w", err)
	}
	var out bytes.Buffer
	small := shrink(whole, longest)
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: quality}); err != nil {
		return messages.Picture{}, err
	}
	bounds := small.Bounds()
	return messages.Picture{Type: "image/jpeg", Data: out.Bytes(), Name: name, Width: bounds.Dx(), Height: bounds.Dy()}, nil
}

// shrink scales a picture down by averaging pixels. It blends transparent pixels with white.
func shrink(from image.Image, side int) *image.RGBA {
	bounds := from.Bounds()
	width, height := bounds.Dx(), bounds.Dy()
	if long := max(width, height); long > side {
		width, height = max(1, width*side/long), max(1, height*side/long)
	}
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		top, bottom := bounds.Min.Y+y*bounds.Dy()/height, bounds.Min.Y+(y+1)*bounds.Dy()/height
		for x := range width {
			left, right := bounds.Min.X+x*bounds.Dx()/width, bounds.Min.X+(x+1)*bounds.Dx()/width
			to.SetRGBA(x, y, mean(from, image.Rect(left, top, max(right, left+1), max(bottom, top+1))))
		}
	}
	return to
}

func mean(from image.Image, area image.Rectangle) color.RGBA {
	var red, green, blue, alpha, n uint64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, a := from.At(x, y).RGBA()
			red, green, blue, alpha, n = red+uint64(r), green+uint64(g), blue+uint64(b), alpha+uint64(a), n+1
		}
	}
	white := 0xffff - alpha/n
	part := func(sum uint64) uint8 { return uint8(min(sum/n+white, 0xffff) >> 8) }
	return color.RGBA{R: part(red), G: part(green), B: part(blue), A: 0xff}
}
