package theme

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// RGB is a color, 0xRRGGBB.
type RGB uint32

// Dark reports whether light text is readable on a background of this color.
func (c RGB) Dark() bool { return c.luminance() < 0.18 }

// parse parses a color such as "#88c0d0" or "#8cd". The "#" is optional.
func parse(text string) (RGB, error) {
	digits := strings.TrimPrefix(text, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	value, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 6 {
		return 0, fmt.Errorf("%q is not a color; write a color such as #88c0d0", text)
	}
	return RGB(value), nil
}

func (c RGB) parts() [3]float64 {
	return [3]float64{float64(c >> 16 & 255), float64(c >> 8 & 255), float64(c & 255)}
}

// luminance returns the relative luminance of a color, from 0 to 1, as defined by WCAG 2.
func (c RGB) luminance() float64 {
	sum := 0.0
	for i, part := range c.parts() {
		part /= 255
		if part <= 0.04045 {
			part /= 12.92
		} else {
			part = math.Pow((part+0.055)/1.055, 2.4)
		}
		sum += part * [3]float64{0.2126, 0.7152, 0.0722}[i]
	}
	return sum
}

// Contrast returns the contrast ratio between two colors, from 1 to 21, as defined by WCAG 2.
func Contrast(a, b RGB) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// mix blends two colors. A share of 0 gives the first color; a share of 1 gives the second.
func mix(a, b RGB, share float64) RGB {
	from, to, mixed := a.parts(), b.parts(), RGB(0)
	for i := range from {
		mixed = mixed<<8 | RGB(math.Round(from[i]+(to[i]-from[i])*share))
	}
	return mixed
}

// readable brings a color closer to white on dark backgrounds, or closer to black on light
// backgrounds. It stops when the contrast with each background is at least the minimum.
func readable(colour RGB, minimum float64, grounds ...RGB) RGB {
	away := RGB(0xffffff)
	if grounds[0].luminance() > 0.18 {
		away = 0
	}
	moved := colour
	tooNear := func(ground RGB) bool { return Contrast(moved, ground) < minimum }
	for step := 1; step <= 50 && slices.ContainsFunc(grounds, tooNear); step++ {
		moved = mix(colour, away, float64(step)/50)
	}
	return moved
}
