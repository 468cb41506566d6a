package graphics_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"marvin/ui/tui/internal/graphics"
	"marvin/ui/tui/internal/graphicstest"
)

var cell = graphics.Cell{Width: 8, Height: 16}

// halves returns a picture whose left and right halves have different colors.
func halves(width, height int, left, right color.Color) *image.RGBA {
	shown := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			if shown.Set(x, y, left); x >= width/2 {
				shown.Set(x, y, right)
			}
		}
	}
	return shown
}

func asPNG(t testing.TB, shown image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, shown); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var (
	red   = color.RGBA{200, 20, 40, 255}
	green = color.RGBA{20, 180, 60, 255}
)

// files returns a picture in the formats that Go writes. The GIF has a second frame, which is all
// blue.
func files(t *testing.T, shown image.Image) map[string][]byte {
	var jpegs, gifs bytes.Buffer
	if err := jpeg.Encode(&jpegs, shown, nil); err != nil {
		t.Fatal(err)
	}
	second := image.NewPaletted(shown.Bounds(), color.Palette{color.RGBA{0, 0, 255, 255}})
	first := image.NewPaletted(shown.Bounds(), color.Palette{red, green})
	for y := range shown.Bounds().Dy() {
		for x := range shown.Bounds().Dx() {
			first.Set(x, y, shown.At(x, y))
		}
	}
	if err := gif.EncodeAll(&gifs, &gif.GIF{Image: []*image.Paletted{first, second}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"png": asPNG(t, shown), "jpeg": jpegs.Bytes(), "gif": gifs.Bytes()}
}

func near(a, b color.Color, off int) bool {
	x, y := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	far := func(a, b uint8) bool { return max(int(a)-int(b), int(b)-int(a)) > off }
	return !far(x.R, y.R) && !far(x.G, y.G) && !far(x.B, y.B)
}

// Each format is drawn with each protocol, in the right size and with the right colors at each
// place.
func TestAPictureIsDrawnByEachProtocol(t *testing.T) {
	for format, content := range files(t, halves(640, 320, red, green)) {
		for _, protocol := range []graphics.Protocol{graphics.Kitty, graphics.ITerm, graphics.Sixel} {
			size := graphics.Fit(640, 320, cell, graphics.Size{Columns: 40, Rows: 13})
			if size != (graphics.Size{Columns: 40, Rows: 10}) {
				t.Fatalf("the room is %v", size)
			}
			made, err := graphics.Prepare(content, protocol, size, cell, 77)
			if err != nil {
				t.Fatalf("%s by %s: %v", format, protocol, err)
			}
			terminal := graphicstest.New(80, 24, cell.Width, cell.Height)
			terminal.Write("\x1b[?1049h")
			layer := graphics.Layer{Protocol: protocol}
			layer.SetNext([]graphics.Place{{Key: 1, Image: made, X: 2, Y: 3}}, nothing)
			terminal.Write(string(layer.Draw()))
			shown := terminal.Pictures()
			if len(terminal.Wrong) > 0 || len(shown) != 1 || shown[0].Area != image.Rect(2, 3, 42, 13) {
				t.Fatalf("%s by %s: wrong %v, shown %v", format, protocol, terminal.Wrong, shown)
			}
			bounds := shown[0].Image.Bounds()
			if bounds.Dx() != 320 || bounds.Dy() != 160 {
				t.Errorf("%s by %s has %v", format, protocol, bounds)
			}
			left, right := shown[0].Image.At(40, 80), shown[0].Image.At(280, 80)
			if !near(left, red, 8) || !near(right, green, 8) {
				t.Errorf("%s by %s: %v beside %v", format, protocol, left, right)
			}
		}
	}
}

func nothing(image.Rectangle) bool { return false }

// Transparent parts are not painted, and a picture is never enlarged.
func TestASmallPictureWithHolesKeepsThem(t *testing.T) {
	size := graphics.Fit(10, 10, cell, graphics.Size{Columns: 40, Rows: 13})
	if size != (graphics.Size{Columns: 2, Rows: 1}) {
		t.Fatalf("the room is %v", size)
	}
	for _, protocol := range []graphics.Protocol{graphics.Kitty, graphics.ITerm, graphics.Sixel} {
		made, err := graphics.Prepare(asPNG(t, halves(10, 10, red, color.Transparent)), protocol, size, cell, 77)
		if err != nil {
			t.Fatal(err)
		}
		terminal := graphicstest.New(80, 24, cell.Width, cell.Height)
		terminal.Write("\x1b[?1049h")
		layer := graphics.Layer{Protocol: protocol}
		layer.SetNext([]graphics.Place{{Key: 1, Image: made, X: 2, Y: 3}}, nothing)
		terminal.Write(string(layer.Draw()))
		shown := terminal.Pictures()
		if len(shown) != 1 || len(terminal.Wrong) > 0 {
			t.Fatalf("%s: %v, wrong %v", protocol, shown, terminal.Wrong)
		}
		if _, _, _, alpha := shown[0].Image.At(8, 5).RGBA(); alpha != 0 || !near(shown[0].Image.At(2, 5), red, 3) {
			t.Errorf("%s paints %v and %v", protocol, shown[0].Image.At(2, 5), shown[0].Image.At(8, 5))
		}
	}
}

func TestLargePictureIsReduced(t *testing.T) {
	random, noise := rand.New(rand.NewPCG(1, 1)), image.NewRGBA(image.Rect(0, 0, 1600, 800))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32() | 0x80)
		if i%4 == 3 {
			noise.Pix[i] = 255
		}
	}
	content, large := asPNG(t, noise), graphics.Cell{Width: 20, Height: 40}
	size := graphics.Fit(1600, 800, large, graphics.Size{Columns: 100, Rows: 20})
	for _, protocol := range []graphics.Protocol{graphics.Kitty, graphics.ITerm, graphics.Sixel} {
		made, err := graphics.Prepare(content, protocol, size, large, 77)
		if err != nil {
			t.Fatalf("%s: %v", protocol, err)
		}
		terminal := graphicstest.New(120, 60, large.Width, large.Height)
		terminal.Write("\x1b[?1049h")
		layer := graphics.Layer{Protocol: protocol}
		layer.SetNext([]graphics.Place{{Key: 1, Image: made}}, nothing)
		out := layer.Draw()
		if terminal.Write(string(out)); len(out) > 400<<10 || len(terminal.Pictures()) != 1 || len(terminal.Wrong) > 0 {
			t.Errorf("%s sends %d bytes, wrong %v", protocol, len(out), terminal.Wrong)
		}
		if mean := graphicstest.Mean(terminal.Pictures()[0].Image); !near(mean, color.RGBA{191, 191, 191, 255}, 12) {
			t.Errorf("%s has a mean of %v", protocol, mean)
		}
	}
}

// sized returns a PNG that claims this size.
func sized(content []byte, width, height uint32) []byte {
	content = bytes.Clone(content)
	binary.BigEndian.PutUint32(content[16:], width)
	binary.BigEndian.PutUint32(content[20:], height)
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	return content
}

// riff returns a WebP file with these chunks.
func riff(chunks ...string) []byte {
	body := "WEBP"
	for _, chunk := range chunks {
		body += chunk[:4] + string(binary.LittleEndian.AppendUint32(nil, uint32(len(chunk)-4))) + chunk[4:]
	}
	return []byte("RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body)
}

// webp returns a lossless WebP of one color. Each of its five codes has a single symbol, so that a
// pixel takes no bits
// (developers.google.com/speed/webp/docs/webp_lossless_bitstream_specification).
func webp(width, height int, colour color.RGBA) []byte {
	var bits []byte
	n := 0
	put := func(value, count int) {
		for i := range count {
			if n%8 == 0 {
				bits = append(bits, 0)
			}
			bits[n/8] |= byte(value>>i&1) << (n % 8)
			n++
		}
	}
	put(0x2f, 8)
	put(width-1, 14)
	put(height-1, 14)
	put(0, 1+3+1+1+1) // alpha, version, no transform, no cache of colours, one group of codes
	for _, symbol := range []uint8{colour.G, colour.R, colour.B, 255, 0} {
		put(0b101, 3) // simple, one symbol, of 8 bits
		put(int(symbol), 8)
	}
	return riff("VP8L" + string(bits) + strings.Repeat("\x00", len(bits)%2))
}

func TestWebPIsDrawn(t *testing.T) {
	made, err := graphics.Prepare(webp(400, 160, red), graphics.ITerm, graphics.Size{Columns: 50, Rows: 10}, cell, 1)
	if err != nil {
		t.Fatal(err)
	}
	terminal := graphicstest.New(80, 24, cell.Width, cell.Height)
	terminal.Write("\x1b[?1049h")
	layer := graphics.Layer{Protocol: graphics.ITerm}
	layer.SetNext([]graphics.Place{{Key: 1, Image: made}}, nothing)
	terminal.Write(string(layer.Draw()))
	if shown := terminal.Pictures(); len(shown) != 1 || !near(graphicstest.Mean(shown[0].Image), red, 1) || len(terminal.Wrong) > 0 {
		t.Errorf("shown %v, wrong %v", shown, terminal.Wrong)
	}
}

// Files that claim billions of pixels, are truncated, or are not pictures are refused with a
// message, and take no memory.
func TestHostilePicturesAreWords(t *testing.T) {
	whole := asPNG(t, halves(300, 300, red, green))
	frame := "VP8 \x30\x01\x00\x9d\x01\x2a\xff\x3f\xff\x3f" + strings.Repeat("\x00", 40) // 16383×16383
	hostile := map[string][]byte{
		"50,000×50,000":      sized(whole, 50_000, 50_000),
		"4 billion wide":     sized(whole, 1<<31-1, 1<<31-1),
		"one row":            sized(whole, 1<<30, 1),
		"GIF":                []byte("GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02L\x01\x00;"),
		"cut off":            whole[:200],
		"text":               []byte("this is no picture \x1b[2J"),
		"nothing":            nil,
		"too many bytes":     append(whole, make([]byte, 9<<20)...),
		"WebP":               riff(frame),
		"WebP with two":      riff("VP8X\x00\x00\x00\x00\x07\x00\x00\x07\x00\x00", frame), // 8×8, says its header
		"WebP without frame": riff("VP8X\x00\x00\x00\x00\x07\x00\x00\x07\x00\x00"),
	}
	for name, content := range hostile {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			made, err := graphics.Prepare(content, graphics.Kitty, graphics.Size{Columns: 10, Rows: 5}, cell, 1)
			runtime.ReadMemStats(&after)
			if err == nil || made != nil || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("it is drawn, or %v", err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
				t.Errorf("it took %d bytes", took)
			}
		})
	}
}

// The terminal stores a limited number of pictures and the cache a limited number of bytes. At the
// end the terminal stores none.
func TestPicturesAreGivenUp(t *testing.T) {
	terminal := graphicstest.New(80, 24, cell.Width, cell.Height)
	terminal.Write("\x1b[?1049h")
	layer, cache := graphics.Layer{Protocol: graphics.Kitty}, graphics.Cache{}
	first := graphics.Key{}
	for i := range 100 {
		content := asPNG(t, halves(200+i, 100, red, green))
		key := graphics.Key{Sum: graphics.SumOf(content), Size: graphics.Size{Columns: 20, Rows: 5}, Cell: cell}
		made, err := graphics.Prepare(content, graphics.Kitty, key.Size, cell, key.ID())
		if err != nil {
			t.Fatal(err)
		}
		cache.Put(key, made)
		if cache.Get(key) != made {
			t.Fatal("what was put is not there")
		}
		if i == 0 {
			first = key
		}
		layer.SetNext([]graphics.Place{{Key: uint32(i + 1), Image: made, X: 1, Y: 1}}, nothing)
		terminal.Write(string(layer.Draw()))
		if len(terminal.Pictures()) != 1 || terminal.Known() > 24 || len(terminal.Wrong) > 0 {
			t.Fatalf("after %d there are %d on the screen, %d kept, wrong %v", i+1, len(terminal.Pictures()), terminal.Known(), terminal.Wrong)
		}
	}
	if cache.Get(first) == nil {
		t.Error("100 small pictures are too many for the cache")
	}
	made, err := graphics.Prepare(asPNG(t, noise()), graphics.Kitty, graphics.Size{Columns: 100, Rows: 20}, cell, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 80 {
		cache.Put(graphics.Key{Size: graphics.Size{Columns: i}}, made)
	}
	if cache.Get(first) != nil {
		t.Error("the cache gives nothing up")
	}
	terminal.Write(string(layer.Leave()))
	if len(terminal.Pictures()) != 0 || terminal.Known() != 0 {
		t.Errorf("%d are left, %d kept", len(terminal.Pictures()), terminal.Known())
	}
}

func noise() image.Image {
	random, shown := rand.New(rand.NewPCG(1, 1)), image.NewRGBA(image.Rect(0, 0, 300, 300))
	for i := range shown.Pix {
		shown.Pix[i] = uint8(random.Uint32()) | uint8(i%4/3*255)
	}
	return shown
}

func FuzzPrepare(f *testing.F) {
	f.Add(asPNG(f, halves(30, 30, red, green)))
	f.Add(riff("VP8X\x00\x00\x00\x00\x07\x00\x00\x07\x00\x00", "VP8 \x30\x01\x00\x9d\x01\x2a\xff\x3f\xff\x3f"))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02L\x01\x00;"))
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, protocol := range []graphics.Protocol{graphics.Kitty, graphics.ITerm, graphics.Sixel} {
			size := graphics.Size{Columns: 10, Rows: 5}
			made, err := graphics.Prepare(content, protocol, size, cell, 1)
			if err != nil {
				continue
			}
			terminal := graphicstest.New(80, 24, cell.Width, cell.Height)
			terminal.Write("\x1b[?1049h")
			layer := graphics.Layer{Protocol: protocol}
			layer.SetNext([]graphics.Place{{Key: 1, Image: made}}, nothing)
			if terminal.Write(string(layer.Draw())); len(terminal.Wrong) > 0 {
				t.Errorf("%s: %v", protocol, terminal.Wrong)
			}
		}
	})
}
