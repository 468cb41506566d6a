package sessionlog

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"marvin/messages"
)

// A picture that several results show is written once. In the place of the others stands a
// word, which is all that a Marvin sees that knows nothing of this, and where in the entry
// which picture belongs.

// Repeat is a picture of a result that is already in an earlier entry of this branch, after the
// last compaction.
type Repeat struct {
	Message int    `json:"message"`
	Picture int    `json:"picture"`
	Hash    string `json:"hash"` // SHA-256 of the picture
	Note    string `json:"note,omitempty"`
}

// seenBefore replaces a picture that is already stored.
const seenBefore = "the same picture as before"

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// once takes those pictures out of messages that were written before, and notes the others.
// The messages that it is given stay as they are.
func once(all []messages.Message, written map[string]bool) (_ []messages.Message, repeats []Repeat) {
	for at, message := range all {
		for n, picture := range message.Result.Pictures {
			if len(picture.Data) == 0 {
				continue
			}
			hash := hashOf(picture.Data)
			if !written[hash] {
				written[hash] = true
				continue
			}
			if len(repeats) == 0 {
				all = slices.Clone(all)
			}
			if len(repeats) == 0 || repeats[len(repeats)-1].Message != at {
				all[at].Result.Pictures = slices.Clone(all[at].Result.Pictures)
			}
			repeats = append(repeats, Repeat{Message: at, Picture: n, Hash: hash, Note: picture.Note})
			all[at].Result.Pictures[n].Data, all[at].Result.Pictures[n].Note = nil, seenBefore
		}
	}
	return all, repeats
}

// shown are the pictures of the results that were read, for those that repeat them.
type shown struct {
	pictures [][]byte
	hashes   map[string][]byte // of the first ones; they are only hashed once one is repeated
	hashed   int
}

// whole puts the pictures back that are written elsewhere, and notes those that are here.
func (s *shown) whole(all []messages.Message, repeats []Repeat) {
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
		if data := s.hashes[repeat.Hash]; data != nil { // else the word stays
			picture := &all[repeat.Message].Result.Pictures[repeat.Picture]
			picture.Data, picture.Note = data, repeat.Note
		}
	}
}
