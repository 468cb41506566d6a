package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"testing"
)

func drawn(t *testing.T, width, height int) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width / 2 {
		for y := range height {
			picture.Set(x, y, color.RGBA{R: 255, A: 255})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A small picture is sent unchanged, a large one reduced, on a white background.
func TestPicturesAreScaled(t *testing.T) {
	small := drawn(t, 31, 17)
	if got, err := Read("a.png", small); err != nil || !bytes.Equal(got.Data, small) || got.Width != 31 || got.Type != "image/png" {
		t.Errorf("%v, %s, %d×%d", err, got.Type, got.Width, got.Height)
	}
	got, err := Read("b.png", drawn(t, 4000, 1000))
	if err != nil || got.Width != 1568 || got.Height != 392 || got.Type != "image/jpeg" {
		t.Fatalf("%v, %s, %d×%d", err, got.Type, got.Width, got.Height)
	}
	shown, _, err := image.Decode(bytes.NewReader(got.Data))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, _, _ := shown.At(100, 100).RGBA(); r < 0xf000 || g > 0x1000 {
		t.Errorf("red became %x %x", r, g)
	}
	if r, g, b, _ := shown.At(1500, 100).RGBA(); min(r, g, b) < 0xf000 {
		t.Errorf("nothing became %x %x %x", r, g, b)
	}
}

// A file of a kilobyte that claims 400 million pixels is not decoded, and a truncated file is
// refused.
func TestHostilePicturesAreRefused(t *testing.T) {
	bomb := drawn(t, 2, 2)
	binary.BigEndian.PutUint32(bomb[16:], 20_000)
	binary.BigEndian.PutUint32(bomb[20:], 20_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	for name, content := range map[string][]byte{"bomb": bomb, "half": drawn(t, 300, 300)[:200], "none": []byte("GIF89a")} {
		if got, err := Read(name, content); err == nil {
			t.Errorf("%s is shown: %d×%d", name, got.Width, got.Height)
		}
	}
}

// A WebP is sent unchanged, with the size in its header. A large one is refused: it is not decoded,
// because its frame may be larger than its header says.
func TestWebPIsSentAsItIs(t *testing.T) {
	webp := []byte("RIFF\x24\x00\x00\x00WEBPVP8L\x18\x00\x00\x00\x2f\x1e\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	if got, err := Read("a.webp", webp); err != nil || got.Width != 31 || got.Height != 17 || !bytes.Equal(got.Data, webp) {
		t.Errorf("%v, %d×%d", err, got.Width, got.Height)
	}
	if got, err := Read("b.webp", append(webp, make([]byte, largest)...)); err == nil {
		t.Errorf("%d bytes are sent", len(got.Data))
	}
}
