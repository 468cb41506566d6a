package sessionlog

import (
	"strings"

	"github.com/tidwall/gjson"

	"marvin/messages"
	"marvin/persistence"
)

// What was said is known of each session by its triples of letters, so that a search
// reads only the sessions that may have its words.

// worthKeeping is how much may be new in a session without its words being written again: to
// read so much costs less than to write it, in bytes.
const worthKeeping = 16 << 10

// worthReading bounds what the end of a conversation reads of it, in bytes: a search reads more.
const worthReading = 16 << 20

// later takes in what was said in a session since its words were written, and has them
// written again where that is much.
func later(sessions persistence.Sessions, info persistence.SessionInfo, words *persistence.Words, keep func()) error {
	before := words.Covered
	end, err := sessions.Later(info, before, func(line []byte) { addSaid(words, line) })
	if err != nil {
		return err
	}
	words.Covered = end
	if end-before >= worthKeeping {
		keep()
	}
	return nil
}

// noteWords has what was said in a session since it had a size written, so that the first
// search after it need not read it.
func noteWords(sessions persistence.Sessions, info persistence.SessionInfo, before int64) {
	if grown := info.Size - before; grown < worthKeeping || grown > worthReading {
		return
	}
	book := persistence.WordsFor(sessions, nil)
	words := book.Words(info)
	if info.Size-words.Covered <= worthReading {
		_ = later(sessions, info, words, func() { book.Keep(info, words) }) // else the next search does
	}
	_ = book.Close()
}

// addSaid takes in what a line of a session has of a person and a model.
func addSaid(words *persistence.Words, line []byte) {
	if !says(line) {
		return
	}
	said := gjson.GetManyBytes(line, "body.messages", "body.text", "body.prompt")
	said[0].ForEach(func(_, message gjson.Result) bool {
		if messages.Role(message.Get("role").Str) != messages.Tool {
			words.Add(strings.ToLower(message.Get("text").Str))
		}
		return true
	})
	words.Add(strings.ToLower(said[1].Str))
	words.Add(strings.ToLower(said[2].Str))
}
