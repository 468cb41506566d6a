package sessionlog

import (
	"strings"

	"github.com/tidwall/gjson"

	"marvin/messages"
	"marvin/persistence/sessions"
)

// What was said is known of each session by its triples of letters, so that a search
// reads only the sessions that may have its words.

// worthKeeping is how much may be new in a session without its words being written again: to
// read so much costs less than to write it, in bytes.
const worthKeeping = 16 << 10

// worthReading bounds what the end of a conversation reads of it, in bytes: a search reads more.
const worthReading = 4 << 20

// later adds messages newer than the index, and updates the index if there are many.
func later(sessions sessions.Store, info sessions.Info, words *sessions.Words, keep func()) error {
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

// noteWords writes the words of a session down that has grown enough from a size on, so that
// the first search after it need not read it. It does not look at those that are written: the
// file with the words of ten thousand sessions has 40 MB.
func noteWords(store sessions.Store, info sessions.Info, before int64) {
	if info.Size-before < worthKeeping || info.Size > worthReading {
		return
	}
	words := new(sessions.Words)
	_ = later(store, info, words, func() { _ = sessions.KeepWords(store, info, words) }) // else the next search does
}

// addSaid adds the text of prompts and answers in a line of a session.
func addSaid(words *sessions.Words, line []byte) {
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
