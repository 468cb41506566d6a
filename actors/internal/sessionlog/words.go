package sessionlog

import (
	"strings"

	"github.com/tidwall/gjson"

	"marvin/messages"
	"marvin/persistence/sessions"
)

// The index stores the trigrams of each session. A search reads only sessions that can contain all
// words of the query.

// worthKeeping is the number of bytes by which a session must grow before its index is written
// again. Smaller additions are cheaper to read during a search than to index.
const worthKeeping = 16 << 10

// worthReading is the maximum size, in bytes, of a session that is indexed when its conversation
// ends. Larger sessions are indexed by the next search.
const worthReading = 4 << 20

// addNewer indexes the messages after the first words.Covered bytes of the session. If the session
// has grown by at least worthKeeping bytes, addNewer calls save.
func addNewer(sessions sessions.Store, info sessions.Info, words *sessions.Words, save func()) error {
	before := words.Covered
	end, err := sessions.VisitFrom(info, before, func(line []byte) { addSaid(words, line) })
	if err != nil {
		return err
	}
	words.Covered = end
	if end-before >= worthKeeping {
		save()
	}
	return nil
}

// noteWords indexes a session for the next search. It skips sessions that are larger than
// worthReading or have grown by less than worthKeeping. It does not read the existing index, whose
// size is 40 MB for ten thousand sessions.
func noteWords(store sessions.Store, info sessions.Info, oldSize int64) {
	if info.Size-oldSize < worthKeeping || info.Size > worthReading {
		return
	}
	words := new(sessions.Words)
	// After an error, the next search indexes the session.
	_ = addNewer(store, info, words, func() { _ = sessions.KeepWords(store, info, words) })
}

// addSaid indexes the prompts and answers in one line of a session file. Tool results are not
// indexed.
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
