package sessions

import (
	"encoding/json"
	"time"

	"github.com/tidwall/gjson"
)

// decodeInfo decodes a line of the index like encoding/json, in a quarter of the time: with ten
// thousand conversations decoding is most of the work for a list. ok is false for an unreadable
// line.
func decodeInfo(line []byte) (info Info, ok bool) {
	if !gjson.ValidBytes(line) {
		return info, false
	}
	ok = true
	moment := func(value gjson.Result) time.Time {
		at, err := time.Parse(time.RFC3339Nano, value.Str)
		ok = ok && err == nil
		return at
	}
	gjson.ParseBytes(line).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "marvin_session":
			info.Format = int(value.Int())
		case "id":
			info.ID = value.Str
		case "created":
			info.Created = moment(value)
		case "dir":
			info.Dir = value.Str
		case "profile":
			info.Profile = value.Str
		case "forked":
			info.Forked = &ForkedAt{Session: value.Get("session").Str, Entry: value.Get("entry").Int()}
		case "imported":
			info.Imported = value.Str
		case "name":
			info.Name = value.Str
		case "title":
			info.Title = value.Str
		case "first":
			info.First = value.Str
		case "last":
			info.Last = value.Str
		case "model":
			info.Model = value.Str
		case "branch":
			info.Branch = value.Str
		case "terminal":
			info.Terminal = value.Str
		case "turns":
			info.Turns = int(value.Int())
		case "cost":
			info.Cost = value.Num
		case "updated":
			info.Updated = moment(value)
		case "size":
			info.Size = value.Int()
		}
		return true
	})
	return info, ok && info.ID != ""
}

// decodeEntry decodes a line of a session like encoding/json, but scans the body half as often and
// decodes it on demand. ok is false for an invalid line. The caller may change the line afterwards.
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
