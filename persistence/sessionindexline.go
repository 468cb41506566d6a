package persistence

import (
	"time"

	"github.com/tidwall/gjson"
)

// decodeInfo reads a line of the index as encoding/json does, in a quarter of the time: of
// ten thousand conversations that is most of a list. False says that it cannot be read.
func decodeInfo(line []byte) (info SessionInfo, ok bool) {
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
