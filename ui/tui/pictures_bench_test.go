//go:build unix

package tui_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/tui"
)

// BenchmarkScreenKeyWhilePictures measures a key while large, detailed pictures arrive, are
// prepared and are drawn.
func BenchmarkScreenKeyWhilePictures(b *testing.B) {
	for _, protocol := range protocols {
		b.Run(protocol, func(b *testing.B) {
			talk, line := measure(b, 100, func(c *tui.Config) { c.Images = tui.Images{Protocol: protocol} })
			random, noise := rand.New(rand.NewPCG(1, 1)), image.NewRGBA(image.Rect(0, 0, 1500, 1000))
			for i := range noise.Pix {
				noise.Pix[i] = uint8(random.Uint32()) | uint8(i%4/3*255)
			}
			var took []time.Duration
			for i := range 10 {
				noise.Pix[0] = uint8(i) // another picture each time
				talk.say(messages.TurnStarted{Prompt: "look", Images: []messages.Picture{{Type: "image/png", Name: fmt.Sprint(i), Data: encoded(b, noise), Width: 1500, Height: 1000}}})
				took = append(took, pressKeys(line, 20)...)
			}
			b.ReportMetric(percentile(took, 50), "ms-median")
			b.ReportMetric(percentile(took, 99), "ms-p99")
			b.ReportMetric(float64(line.written())/10, "bytes/picture")
		})
	}
}
