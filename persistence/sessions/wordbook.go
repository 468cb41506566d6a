package sessions

import (
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/persistence/internal/store"
)

// WordBook stores the [Words] of all sessions in one file, which consists of blocks. If a session
// has several blocks, the last one counts. A missing or damaged file only slows a search. A
// WordBook is safe for concurrent use. Close it after use.
//
// Reading the words of ten thousand sessions takes 20 ms of CPU time. With one file per session it
// took 150 ms, and half a second with a cold cache.
type WordBook struct {
	sessions Store
	file     *os.File // nil if there was no file
	places   map[wordKey]wordPlace
	blocks   int // complete blocks in the file

	mu    sync.Mutex
	fresh []byte   // blocks that are not written yet
	of    []string // the session path for each unwritten block
}

// wordKey identifies a session's file by project and id.
type wordKey [16]byte

// wordPlace describes the block of one session in index.words.
type wordPlace struct {
	covered int64
	block   int32
	may     bool // the session may contain all words of the search
}

func keyOf(path string) wordKey {
	dir, name := filepath.Split(path)
	var room [128]byte // an array on the stack, because a search makes one key per session
	sum := sha256.Sum256(append(append(append(room[:0], filepath.Base(dir)...), '/'), name...))
	return wordKey(sum[:16])
}

func (s Store) wordsPath() string { return filepath.Join(s.dir, "index.words") }

// oldWords returns the path at which an earlier version of Marvin stored the words of one session.
func oldWords(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".words" }

// WordsFor reads the words of all sessions, and marks the sessions that can contain all given
// words. The given words must be folded. An unreadable file is ignored.
func WordsFor(s Store, folded []string) *WordBook {
	book := &WordBook{sessions: s, places: map[wordKey]wordPlace{}}
	if s.dir == "" {
		return book
	}
	file, _, err := store.OpenRegular(os.OpenFile, s.wordsPath())
	if file == nil || err != nil {
		return book
	}
	book.file = file
	book.blocks = eachBlock(file, func(at int, key wordKey, covered int64, block []byte) {
		may := !slices.ContainsFunc(folded, func(word string) bool { return !hasWord(block[wordHead:], word) })
		book.places[key] = wordPlace{covered, int32(at), may}
	})
	return book
}

// eachBlock calls visit for the complete blocks of a file and returns their number. It ignores a
// partial block at the end.
func eachBlock(file io.ReaderAt, visit func(at int, key wordKey, covered int64, block []byte)) (count int) {
	rooms := readRooms.Get().(*readRoom)
	defer rooms.release()
	rooms.room = slices.Grow(rooms.room[:0], readChunk)[:readChunk]
	for {
		n, err := file.ReadAt(rooms.room, int64(count)*wordBlock)
		for block := range slices.Chunk(rooms.room[:n-n%wordBlock], wordBlock) {
			if key, covered, ok := unseal(block); ok {
				visit(count, key, covered, block)
			}
			count++
		}
		if err != nil || n < len(rooms.room) {
			return count
		}
	}
}

// MayContain reports whether the first n bytes of a session might contain all words passed to
// [WordsFor]. If no words of the session are stored, n is 0.
func (b *WordBook) MayContain(info Info) (may bool, n int64) {
	place, ok := b.places[keyOf(info.Path)]
	if !ok || place.covered < 0 || place.covered > info.Size { // the file was replaced
		return false, 0
	}
	return place.may, place.covered
}

// Words returns the stored words of a session. The result is empty if no stored words match the
// session's file.
func (b *WordBook) Words(info Info) *Words {
	words, key := new(Words), keyOf(info.Path)
	place, ok := b.places[key]
	if !ok || b.file == nil {
		return words
	}
	_, err := b.file.ReadAt(words.block[:], int64(place.block)*wordBlock)
	found, covered, whole := unseal(words.block[:])
	if words.Covered = covered; err != nil || !whole || found != key || covered < 0 || covered > info.Size {
		return new(Words)
	}
	return words
}

// wordBatch is the size in bytes at which [WordBook.Keep] writes its buffer. The buffer saves many
// writes when index.words is missing and a search stores the words of all sessions.
const wordBatch = 64 * wordBlock

// Keep buffers the words of a session. The buffer is written to the file when it reaches wordBatch
// bytes, and by [WordBook.Close].
func (b *WordBook) Keep(info Info, words *Words) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fresh, b.of = append(b.fresh, words.seal(keyOf(info.Path))...), append(b.of, info.Path)
	if len(b.fresh) >= wordBatch {
		b.write()
	}
}

// write appends the collected blocks to the file. If an error occurs, the next search computes the
// blocks again.
func (b *WordBook) write() {
	_ = addBlocks(b.sessions, b.of, b.fresh)
	b.blocks += len(b.of)
	b.fresh, b.of = b.fresh[:0], b.of[:0]
}

// Close writes the remaining blocks. It packs the file if most of its blocks are outdated.
func (b *WordBook) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.fresh) > 0 {
		b.write()
	}
	var err error
	if b.blocks > 100+2*len(b.places) {
		err = changeWords(b.sessions, 0, func(file *os.File) error { return packBlocks(file, func(wordKey) bool { return true }) })
	}
	if b.file != nil {
		err = errors.Join(err, b.file.Close())
	}
	return err
}

// wordPatience is the maximum time to wait for the lock of the file. It is short, because Marvin
// waits for this lock when a conversation ends.
const wordPatience = 50 * time.Millisecond

// KeepWords writes the words of one session without reading those of other sessions.
func KeepWords(s Store, info Info, words *Words) error {
	return addBlocks(s, []string{info.Path}, words.seal(keyOf(info.Path)))
}

// addBlocks appends one block per session path to index.words. It omits the blocks of deleted
// sessions.
func addBlocks(s Store, paths []string, blocks []byte) error {
	return changeWords(s, wordPatience, func(file *os.File) error {
		var kept []byte
		for i, path := range paths {
			if _, err := os.Lstat(path); err == nil {
				kept = append(kept, blocks[i*wordBlock:(i+1)*wordBlock]...)
			}
			if err := store.RemoveIfThere(oldWords(path)); err != nil {
				return err
			}
		}
		info, err := file.Stat()
		if err != nil {
			return err
		}
		// Overwrite a partial block at the end of the file.
		_, err = file.WriteAt(kept, info.Size()/wordBlock*wordBlock)
		return err
	})
}

// changeWords locks the file and passes it to the given function. Readers need no lock, because
// they ignore a half-written block.
func changeWords(s Store, wait time.Duration, change func(*os.File) error) error {
	path, unlock, err := s.home.LockFile(s.wordsPath(), wait)
	if err != nil {
		return err
	}
	file, err := store.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = errors.Join(store.MakePrivate(file), change(file), file.Close())
	}
	return errors.Join(err, unlock())
}

// packBlocks keeps only the last block of each session for which the given function returns true.
// While packBlocks runs, the last block of such a session stays valid.
func packBlocks(file *os.File, counts func(wordKey) bool) error {
	last := map[wordKey]int{}
	eachBlock(file, func(at int, key wordKey, _ int64, _ []byte) { last[key] = at })
	var places []int
	for key, at := range last {
		if counts(key) {
			places = append(places, at)
		}
	}
	slices.Sort(places)
	block := make([]byte, wordBlock)
	for to, from := range places {
		if to == from {
			continue
		}
		if _, err := file.ReadAt(block, int64(from)*wordBlock); err != nil {
			return err
		}
		if _, err := file.WriteAt(block, int64(to)*wordBlock); err != nil {
			return err
		}
	}
	return file.Truncate(int64(len(places)) * wordBlock)
}

func forgetWords(s Store, all []Info) error {
	if info, err := os.Lstat(s.wordsPath()); err != nil || info.Size() == 0 {
		return nil // there are none
	}
	there := make(map[wordKey]bool, len(all))
	for _, info := range all {
		there[keyOf(info.Path)] = true
	}
	return changeWords(s, indexPatience, func(file *os.File) error {
		return packBlocks(file, func(key wordKey) bool { return there[key] })
	})
}
