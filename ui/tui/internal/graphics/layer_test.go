package graphics_test

import (
	"image"
	"testing"

	"marvin/ui/tui/internal/graphics"
)

// If a frame writes into a picture that is drawn into cells, the picture is drawn again. Kitty's
// pictures stay above the text. Unwanted pictures are removed.
func TestAPictureThatAFrameWritesIntoIsDrawnAgain(t *testing.T) {
	never := func(image.Rectangle) bool { return false }
	always := func(image.Rectangle) bool { return true }
	for _, protocol := range []graphics.Protocol{graphics.Kitty, graphics.Sixel, graphics.ITerm} {
		made, err := graphics.Prepare(asPNG(t, halves(64, 32, red, green)), protocol, graphics.Size{Columns: 8, Rows: 2}, cell, 77)
		if err != nil {
			t.Fatal(err)
		}
		place := graphics.Place{Key: 1, Image: made, X: 2, Y: 3}
		layer := graphics.Layer{Protocol: protocol}
		if stale := layer.SetNext([]graphics.Place{place}, never); len(stale) > 0 || len(layer.Draw()) == 0 {
			t.Errorf("%v: it is not drawn, %v is stale", protocol, stale)
		}
		if stale := layer.SetNext([]graphics.Place{place}, never); len(stale) > 0 || len(layer.Draw()) > 0 {
			t.Errorf("%v: it is drawn again, %v is stale", protocol, stale)
		}
		kept := protocol == graphics.Kitty
		if stale := layer.SetNext([]graphics.Place{place}, always); (len(stale) == 0) != kept || (len(layer.Draw()) == 0) != kept {
			t.Errorf("%v: written into, %v is stale", protocol, stale)
		}
		stale := layer.SetNext(nil, never)
		if gone := layer.Draw(); (len(stale) == 1) == kept || (len(gone) > 0) != kept || layer.HasAny() {
			t.Errorf("%v: taken away by %q, %v is stale", protocol, gone, stale)
		}
	}
}
