package sessionlog

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"marvin/messages"
)

// A picture that appears in several results is stored once. Each repetition is stored as a note and
// a [Repeat]. Older versions of Marvin see only the note.

// A Repeat refers to a picture that was stored on the same branch since the last compaction.
type Repeat struct {
	Message int    `json:"message"`
	Picture int    `json:"picture"`
	Hash    string `json:"hash"` // SHA-256 of the picture
	Note    string `json:"note,omitempty"`
}

// repeatedNote replaces a picture that is already stored.
const repeatedNote = "the same picture as before"

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// replaceRepeated replaces pictures whose hashes are known, and adds the other hashes to the map.
// It does not modify the given messages.
func replaceRepeated(all []messages.Message, known map[string]bool) (_ []messages.Message, repeats []Repeat) {
	for at, message := range all {
		for n, picture := range message.Result.Pictures {
			if len(picture.Data) == 0 {
				continue
			}
			hash := hashOf(picture.Data)
			if !known[hash] {
				known[hash] = true
				continue
			}
			if len(repeats) == 0 {
				all = slices.Clone(all)
			}
			if len(repeats) == 0 || repeats[len(repeats)-1].Message != at {
				all[at].Result.Pictures = slices.Clone(all[at].Result.Pictures)
			}
			repeats = append(repeats, Repeat{Message: at, Picture: n, Hash: hash, Note: picture.Note})
			all[at].Result.Pictures[n].Data, all[at].Result.Pictures[n].Note = nil, repeatedNote
		}
	}
	return all, repeats
}

// shown collects the pictures to which a [Repeat] can refer.
type shown struct {
	pictures [][]byte
	hashes   map[string][]byte // pictures by hash; filled only when a picture is repeated
	hashed   int               // pictures[:hashed] are in hashes
}

// restorePictures puts repeated pictures back into the messages, and remembers the other pictures.
func (s *shown) restorePictures(all []messages.Message, repeats []Repeat) {
	for _, message := range all {
		for _, picture := range message.Result.Pictures {
			if len(picture.Data) > 0 {
				s.pictures = append(s.pictures, picture.Data)
			}
		}
	}
	if len(repeats) == 0 {
		return
	}
	if s.hashes == nil {
		s.hashes = map[string][]byte{}
	}
	for ; s.hashed < len(s.pictures); s.hashed++ {
		s.hashes[hashOf(s.pictures[s.hashed])] = s.pictures[s.hashed]
	}
	for _, repeat := range repeats {
		if repeat.Message < 0 || repeat.Message >= len(all) || repeat.Picture < 0 || repeat.Picture >= len(all[repeat.Message].Result.Pictures) {
			continue
		}
		if data := s.hashes[repeat.Hash]; data != nil { // otherwise Note remains repeatedNote
			picture := &all[repeat.Message].Result.Pictures[repeat.Picture]
			picture.Data, picture.Note = data, repeat.Note
		}
	}
}
