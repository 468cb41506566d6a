package graphics

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Sum is the hash of a file's content.
type Sum [sha256.Size]byte

// SumOf returns the hash of content. Hashing 3 MB takes 10 ms, so SumOf must be called outside the
// screen's loop.
func SumOf(content []byte) Sum { return sha256.Sum256(content) }

// Key identifies a picture that was prepared for one size.
type Key struct {
	Sum  Sum
	Size Size
	Cell Cell
}

// ID returns a nonzero 31-bit hash of the key. Two keys are very unlikely to have the same ID.
func (k Key) ID() uint32 {
	text := append(k.Sum[:], byte(k.Size.Columns), byte(k.Size.Rows), byte(k.Cell.Width), byte(k.Cell.Height))
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint32(sum[:])&0x7fffffff | 1
}

// mostCached is the maximum size of the cache in bytes.
const mostCached = 4 << 20

// Cache is an LRU cache of prepared pictures. Only the screen's loop uses the cache.
type Cache struct {
	entries []entry // least recently used first
	bytes   int
}

type entry struct {
	key  Key
	made *Image
}

// Get returns the prepared picture for key, or nil.
func (c *Cache) Get(key Key) *Image {
	at := slices.IndexFunc(c.entries, func(one entry) bool { return one.key == key })
	if at < 0 {
		return nil
	}
	found := c.entries[at]
	c.entries = append(slices.Delete(c.entries, at, at+1), found)
	return found.made
}

// Put stores a picture, and drops the least recently used ones if the cache is too large.
func (c *Cache) Put(key Key, made *Image) {
	c.entries, c.bytes = append(c.entries, entry{key, made}), c.bytes+len(made.send)
	for len(c.entries) > 1 && c.bytes > mostCached {
		c.bytes -= len(c.entries[0].made.send)
		c.entries = slices.Delete(c.entries, 0, 1)
	}
}
