package sessionlog

import (
	"strings"

	"github.com/tidwall/gjson"

	"marvin/messages"
	"marvin/persistence/sessions"
)

// The index stores the trigrams of each session, so that a search reads only sessions that may
// contain its words.

// worthKeeping is by how many bytes a session must grow before it is indexed again. Reading fewer
// bytes costs a search less than writing the index.
const worthKeeping = 16 << 10

// worthReading is the maximum size, in bytes, of a session that is indexed when its conversation
// ends. Larger sessions are indexed by the next search.
const worthReading = 4 << 20

// addNewer adds messages newer than the index, and updates the index if there are many.
func addNewer(sessions sessions.Store, info sessions.Info, words *sessions.Words, keep func()) error {
	before := words.Covered
	end, err := sessions.VisitFrom(info, before, func(line []byte) { addSaid(words, line) })
	if err != nil {
		return err
	}
	words.Covered = end
	if end-before >= worthKeeping {
		keep()
	}
	return nil
}

// noteWords indexes a session that has grown enough, so that the next search need not read the
// session. The earlier size of the session is in the parameter before. The existing index is not
// read, because it takes 40 MB for ten thousand sessions.
func noteWords(store sessions.Store, info sessions.Info, before int64) {
	if info.Size-before < worthKeeping || info.Size > worthReading {
		return
	}
	words := new(sessions.Words)
	_ = addNewer(store, info, words, func() { _ = sessions.KeepWords(store, info, words) }) // after an error the next search indexes it
}

// addSaid adds the prompts and answers in a line to the words.
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
