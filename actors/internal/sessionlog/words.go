package sessionlog

import (
	"strings"

	"github.com/tidwall/gjson"

	"marvin/messages"
	"marvin/persistence"
)

// What was said is known beside a session by its triples of letters, so that a search
// reads only the sessions that may have its words.

// worthKeeping is how much may be new in a session without being written beside it: to
// read so much costs less than to write it, in bytes.
const worthKeeping = 16 << 10

// wordsOf gives those of a session, with what was said since they were written. They are
// written again where that is much.
func wordsOf(sessions persistence.Sessions, info persistence.SessionInfo, words *persistence.Words) error {
	sessions.Words(info, words)
	if words.Covered >= info.Size { // guard: what was said since is searched too
		return nil
	}
	before := words.Covered
	end, err := sessions.Later(info, before, func(line []byte) { addSaid(words, line) })
	if err != nil {
		return err
	}
	words.Covered = end
	if end-before >= worthKeeping {
		_ = sessions.KeepWords(info, words) // else the next search does
	}
	return nil
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
