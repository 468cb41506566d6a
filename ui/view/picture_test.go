package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

// A long conversation keeps a limited number of bytes of pictures. The oldest become text, and a
// new conversation drops all.
func TestALongConversationGivesItsPicturesUp(t *testing.T) {
	var v View
	file := make([]byte, 3<<20)
	for i := range 20 {
		v.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "look", Images: []messages.Picture{{Type: "image/png", Name: fmt.Sprintf("%d.png", i), Data: file, Width: 100, Height: 100}}}})
	}
	kept := 0
	for _, block := range v.Blocks {
		for _, picture := range block.pictures() {
			kept += len(picture.Data)
		}
	}
	if kept > pictureBytes || kept < 3*len(file) {
		t.Errorf("it keeps %d bytes", kept)
	}
	window := Window{Room: func(int, int) int { return 4 }}
	window.Show(v.Blocks, 60, 200, time.Time{})
	places := Pictures(&window)
	if len(places) != kept/len(file) || !places[0].Whole() || places[len(places)-1].Picture.Name != "19.png" {
		t.Errorf("%d places for %d pictures", len(places), kept/len(file))
	}
	v.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "left out", Images: []messages.Picture{{Type: "image/png", Name: "gone.png"}}}})
	if last := v.Blocks[len(v.Blocks)-1]; len(last.pictures()) > 0 {
		t.Error("a picture without its file is below the prompt")
	}
	v.Apply(messages.Envelope{Event: messages.Cleared{}})
	if window.Show(v.Blocks, 60, 200, time.Time{}); len(v.pictures) > 0 || len(Pictures(&window)) > 0 {
		t.Error("what was cleared is kept")
	}
}

// A place describes the visible part of a picture. A picture that cannot be drawn is a row with the
// reason.
func TestAPlaceIsAPartOfAPicture(t *testing.T) {
	var v View
	png := messages.Picture{Type: "image/png", Name: "a\x1b[2J.png", Data: make([]byte, 20_000), Width: 640, Height: 480}
	v.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "look", Images: []messages.Picture{png, png, {Note: "left out"}}}})
	window := Window{Room: func(width, height int) int { return width / 100 }}
	rows := window.Show(v.Blocks, 60, 9, time.Time{})
	places := Pictures(&window)
	if len(rows) != 9 || len(places) != 2 || places[0].Whole() || places[0].Rows != 3 || places[0].From != 3 || places[0].Row != 0 || !places[1].Whole() || places[1].Row != 3 {
		t.Errorf("%d rows, %+v", len(rows), places)
	}
	if label := places[0].Picture.Label(); !strings.HasSuffix(label, ".png · png · 640×480 · 20 KB") || strings.Contains(label, "\x1b") {
		t.Errorf("its label is %q", label)
	}
	places[0].Picture.Failed = "it is damaged"
	text := ""
	for _, row := range window.Show(v.Blocks, 90, 20, time.Time{}) {
		text += row.String() + "\n"
	}
	if !strings.Contains(text, "20 KB is not drawn: it is damaged\n") || len(Pictures(&window)) != 1 {
		t.Errorf("%d places in\n%s", len(Pictures(&window)), text)
	}
}

// Pictures are numbered in their order, including those of tools. The newest are kept, up to a
// number and a total size.
func TestPicturesAreNumberedAndBounded(t *testing.T) {
	picture := func(size int) messages.Picture {
		return messages.Picture{Name: "p.png", Type: "image/png", Data: make([]byte, size)}
	}
	kept := func(sizes ...int) (text string) {
		v := &View{}
		for _, size := range sizes {
			v.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "x", Images: []messages.Picture{picture(0), picture(size)}}})
		}
		for _, block := range v.Blocks {
			for _, one := range block.pictures() {
				if len(one.Data) > 0 {
					text += fmt.Sprint(" ", one.Number)
				}
			}
		}
		return text
	}
	const mega = 1 << 20
	for want, sizes := range map[string][]int{"": nil, " 1 2 3": {1, 1, 1}, " 1 2": {12 * mega, 12 * mega}, " 2": {12 * mega, 12*mega + 1}, " 2 3": {mega, 12 * mega, 12 * mega}, " 3": {1, 12 * mega, 24 * mega}} {
		if got := kept(sizes...); got != want {
			t.Errorf("of %v are kept%s, want%s", sizes, got, want)
		}
	}
	many := make([]int, 66)
	for i := range many {
		many[i] = 1
	}
	if got := strings.Fields(kept(many...)); len(got) != 64 || got[0] != "3" || got[63] != "66" {
		t.Errorf("of 66 are kept %v", got)
	}
}
