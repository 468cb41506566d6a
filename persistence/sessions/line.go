package sessions

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// decodeEntry decodes a line of a session. The result is the same as with encoding/json, but the
// body is scanned half as many times. The entry shares no memory with the line.
func decodeEntry(line []byte) (entry Entry, ok bool) {
	if !gjson.ValidBytes(line) {
		return entry, false
	}
	whole := gjson.ParseBytes(line)
	ok = whole.IsObject()
	number := func(value gjson.Result, to *int64) bool { return json.Unmarshal([]byte(value.Raw), to) == nil }
	whole.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "id":
			ok = number(value, &entry.ID)
		case "parent":
			ok = number(value, &entry.Parent)
		case "of":
			ok = number(value, &entry.Of)
		case "kind":
			ok, entry.Kind = value.Type == gjson.String || value.Type == gjson.Null, value.Str
		case "at":
			ok = json.Unmarshal([]byte(value.Raw), &entry.At) == nil
		case "about":
			ok = json.Unmarshal([]byte(value.Raw), &entry.About) == nil
		case "body":
			entry.Body = json.RawMessage(value.Raw)
		}
		return ok
	})
	return entry, ok
}
