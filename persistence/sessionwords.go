package persistence

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
)

// Words are the triples of letters that were said in a session, as bits: a word of which one
// triple is missing is nowhere in it, and the session need not be read. Of the triples of a
// conversation of 100 KB every sixth bit is set, so that of a thousand conversations without
// a word of seven letters one is read in vain. They are derived, and stand beside the
// session's file.
type Words struct {
	Covered int64 // how many bytes of the file they are of
	block   [4096]byte
}

// bits are those of the triples, behind the head of the block.
func (w *Words) bits() []byte { return w.block[len(wordMagic)+8:] }

// wordBits makes a file of one block of most disks.
const wordBits = 8 * (4096 - len(wordMagic) - 8)

const wordMagic = "mwords2\n"

// Add takes a text in, folded as [Words.Has] will be asked.
func (w *Words) Add(folded string) {
	bits := w.bits()
	for i := 0; i+3 <= len(folded); i++ {
		at := triple(folded[i], folded[i+1], folded[i+2])
		bits[at/8] |= 1 << (at % 8)
	}
}

// Has says whether a folded word may be in what was added. It is true for all words of less
// than three bytes.
func (w *Words) Has(folded string) bool {
	bits := w.bits()
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

func wordsPath(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".words" }

// Words are those of a session, in the room of others; the zero value if they are not
// there, or of another file.
func (s Sessions) Words(info SessionInfo, words *Words) {
	read := fill(words.block[:], wordsPath(info.Path)) && string(words.block[:len(wordMagic)]) == wordMagic
	words.Covered = int64(binary.LittleEndian.Uint64(words.block[len(wordMagic):]))
	if !read || words.Covered < 0 || words.Covered > info.Size {
		*words = Words{}
	}
}

// fill reads as much of a file as there is room, in three calls of the kernel where [os.Open]
// makes ten: a search does it ten thousand times. False says that there is less, or nothing.
func fill(room []byte, path string) bool {
	file, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer func() { _ = syscall.Close(file) }() // nothing was written
	for len(room) > 0 {
		n, err := syscall.Read(file, room)
		if n <= 0 && !errors.Is(err, syscall.EINTR) {
			return false
		}
		room = room[max(n, 0):]
	}
	return true
}

// KeepWords writes them down.
func (s Sessions) KeepWords(info SessionInfo, words *Words) error {
	copy(words.block[:], wordMagic)
	binary.LittleEndian.PutUint64(words.block[len(wordMagic):], uint64(words.Covered))
	return replace(wordsPath(info.Path), words.block[:], fleeting)
}

// Later visits the whole lines of a session from a place in its file on, the oldest first,
// and gives the place behind the last one.
func (s Sessions) Later(info SessionInfo, from int64, visit func(line []byte)) (int64, error) {
	file, size, err := openRegular(os.OpenFile, info.Path)
	if file == nil {
		return from, err // it was removed meanwhile
	}
	defer file.Close()
	lines := bufio.NewReaderSize(io.NewSectionReader(file, from, size-from), readChunk)
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) { // a long one
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
