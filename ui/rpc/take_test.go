package rpc_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/messages/jsonlines"
)

func TestRefusalHasRequestID(t *testing.T) {
	w, _ := serve(t, echo, nil)
	dir, number := t.TempDir(), 0
	for _, bad := range []struct{ line, id, want string }{
		{`nonsense`, "", "the line is not a request"},
		{`{"type":"prompt"`, "", "the line is not a request"},
		{`["prompt"]`, "", "the line is not a request"},
		{"\x00\xff", "", "the line is not a request"},
		{`{}`, "", `"type" is missing; it is one of prompt, `},
		{`{"id":"a","type":"promt","op":{"text":"x"}}`, "a", `type "promt" is unknown; it must be one of prompt, `},
		{`{"id":"b","type":"prompt","op":{"text":7}}`, "b", "the field \"op\" of prompt"},
		{`{"id":"c","type":"answer","op":{"ask":"c1","choice":"sure"}}`, "c", "must be one of yes, always, no"},
		{`{"id":"d","v":2,"type":"quit"}`, "d", "this Marvin speaks 1"},
		{`{"id":"e","v":2,"type":"line","op":{"text":"quit"}}`, "e", "this Marvin speaks 1"},
		{`{"id":"f","v":1,"type":"line","op":{"text":" "}}`, "f", `the field "op" of line: "text" is missing`},
		{`{"id":"f","type":"line","op":{"text":" "}}`, "f", `the field "op" of line: "text" is missing`},
		{`{"id":"g","type":"line"}`, "g", `the field "op" of line: "text" is missing`},
		{`{"id":"h","type":"set_dir","op":{"path":"` + dir + `/none"}}`, "h", "no such file"},
		{`{"id":"i","type":"set_dir","op":{"path":"/dev/null"}}`, "i", "/dev/null is a file, not a directory"},
		{`{"id":"j","type":"set_profile","op":{"name":"nobody"}}`, "j", `there is no profile "nobody"`},
		{`{"type":"prompt","op":{"text":"` + strings.Repeat("x", jsonlines.Limit) + `"}}`, "", "the line is 8 MB long"},
	} {
		w.send("", bad.line) // blank lines count but do nothing
		number += 2
		read := w.next()
		for read.Type == "opened" {
			read = w.next()
		}
		if read.Type != "error" || read.Version != messages.WireVersion || read.Seq != 0 || read.Line != number || read.ID != bad.id || !strings.Contains(read.Error, bad.want) {
			t.Errorf("%.80q: %+v, want line %d and %q", bad.line, read, number, bad.want)
		}
	}
	w.send(fmt.Sprintf(`{"type":"set_dir","op":{"path":%q}}`, dir), `{"type":"prompt","op":{"text":"unharmed"}}`)
	if now := w.until("mode_changed").Event; now.Dir != dir {
		t.Errorf("%+v", now)
	}
	if ended := w.until("turn_ended").Event; ended.Text != "you said unharmed" {
		t.Errorf("afterwards: %+v", ended)
	}
}
