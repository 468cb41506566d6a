package graphics

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Sum is the content of a file, in short.
type Sum [sha256.Size]byte

// SumOf is that of a content. It takes 10 ms for 3 MB: it belongs beside the loop.
func SumOf(content []byte) Sum { return sha256.Sum256(content) }

// Key is a picture in one size.
type Key struct {
	Sum  Sum
	Size Size
	Cell Cell
}

// ID is a number for a picture that no other has, as far as 31 bits go.
func (k Key) ID() uint32 {
	text := append(k.Sum[:], byte(k.Size.Columns), byte(k.Size.Rows), byte(k.Cell.Width), byte(k.Cell.Height))
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint32(sum[:])&0x7fffffff | 1
}

// mostCached is how many bytes of pictures are kept that were made.
const mostCached = 4 << 20

// Cache keeps pictures that were made, those that were wanted last. It belongs to the loop
// of the screen.
type Cache struct {
	entries []entry // the one that was wanted last at the end
	bytes   int
}

type entry struct {
	key  Key
	made *Image
}

// Get returns a prepared picture; may be nil.
func (c *Cache) Get(key Key) *Image {
	at := slices.IndexFunc(c.entries, func(one entry) bool { return one.key == key })
	if at < 0 {
		return nil
	}
	found := c.entries[at]
	c.entries = append(slices.Delete(c.entries, at, at+1), found)
	return found.made
}

// Put keeps a picture.
func (c *Cache) Put(key Key, made *Image) {
	c.entries, c.bytes = append(c.entries, entry{key, made}), c.bytes+len(made.send)
	for len(c.entries) > 1 && c.bytes > mostCached {
		c.bytes -= len(c.entries[0].made.send)
		c.entries = slices.Delete(c.entries, 0, 1)
	}
}
