package sessions

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"

	"marvin/persistence/internal/store"
)

// Words is a bit set of the trigrams in a session's text. A session that lacks a trigram of a word
// does not contain the word and need not be read. A conversation of 100 KB sets about one bit in
// six. As a result, a seven-letter word needlessly selects one conversation in a thousand. Words
// are derived data, stored in a [WordBook].
type Words struct {
	Covered int64 // number of leading bytes of the session's file that the trigrams cover
	block   [wordBlock]byte
}

// A block has 4096 bytes, the page size of most disks. Its header consists of a magic number, a
// checksum, [Words.Covered] and the session's key. The checksum covers the rest of the block.
const (
	wordBlock = 4096
	wordMagic = "mwords3\n"
	wordHead  = len(wordMagic) + 4 + 8 + len(wordKey{})
	wordBits  = 8 * (wordBlock - wordHead)
)

func (w *Words) bits() []byte { return w.block[wordHead:] }

// Add adds the trigrams of a folded text. The caller must fold this text and the words for
// [Words.Has] in the same way, for example with strings.ToLower.
func (w *Words) Add(folded string) {
	bits := w.bits()
	for i := 0; i+3 <= len(folded); i++ {
		at := triple(folded[i], folded[i+1], folded[i+2])
		bits[at/8] |= 1 << (at % 8)
	}
}

// Has reports whether the session might contain a folded word. For words shorter than three bytes,
// the result is always true.
func (w *Words) Has(folded string) bool { return hasWord(w.bits(), folded) }

func hasWord(bits []byte, folded string) bool {
	for i := 0; i+3 <= len(folded); i++ {
		at := triple(folded[i], folded[i+1], folded[i+2])
		if bits[at/8]&(1<<(at%8)) == 0 {
			return false
		}
	}
	return true
}

func triple(a, b, c byte) uint32 {
	return (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 2654435761 >> 8 % uint32(wordBits)
}

// castagnoli returns the table for a checksum that most processors compute in hardware. Checking
// the blocks of ten thousand sessions takes 4 ms.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// seal writes the header of the block and returns the whole block.
func (w *Words) seal(key wordKey) []byte {
	copy(w.block[:], wordMagic)
	rest := w.block[len(wordMagic)+4:]
	binary.LittleEndian.PutUint64(rest, uint64(w.Covered))
	copy(rest[8:], key[:])
	binary.LittleEndian.PutUint32(w.block[len(wordMagic):], crc32.Checksum(rest, castagnoli()))
	return w.block[:]
}

// unseal decodes the header of a block. If the block is damaged or empty, ok is false.
func unseal(block []byte) (key wordKey, covered int64, ok bool) {
	if string(block[:len(wordMagic)]) != wordMagic {
		return key, 0, false
	}
	rest := block[len(wordMagic)+4:]
	if binary.LittleEndian.Uint32(block[len(wordMagic):]) != crc32.Checksum(rest, castagnoli()) {
		return key, 0, false
	}
	copy(key[:], rest[8:])
	return key, int64(binary.LittleEndian.Uint64(rest)), true
}

// VisitFrom calls visit for each complete line of a session, starting at the given offset. It
// returns the offset after the last of these lines.
func (s Store) VisitFrom(info Info, from int64, visit func(line []byte)) (int64, error) {
	file, size, err := store.OpenRegular(os.OpenFile, info.Path)
	if file == nil {
		return from, err // removed in the meantime
	}
	defer file.Close()
	lines := bufio.NewReaderSize(io.NewSectionReader(file, from, size-from), readChunk)
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) { // a long line
			var rest []byte
			line = bytes.Clone(line)
			rest, err = lines.ReadBytes('\n')
			line = append(line, rest...)
		}
		if errors.Is(err, io.EOF) {
			return from, nil
		}
		if err != nil {
			return from, err
		}
		from += int64(len(line))
		visit(line)
	}
}
