package responses

import (
	"encoding/json"
	"reflect"
	"testing"
)

// usual are events from the reference of OpenAI's streaming events.
var usual = []string{
	`{"type":"response.output_text.delta","item_id":"msg_123","output_index":0,"content_index":0,"delta":"In","sequence_number":1,"logprobs":[],"obfuscation":"x7Yq"}`,
	`{"type":"response.reasoning_summary_text.delta","item_id":"rs_123","output_index":0,"summary_index":0,"delta":"**Responding to a greeting**\n\nThe user just said, \"Hello!\"","sequence_number":1}`,
	`{"type":"response.function_call_arguments.delta","item_id":"fc_123","output_index":2,"delta":"{ \"arg\":","sequence_number":1}`,
	`{"type":"response.refusal.delta","item_id":"msg_123","output_index":0,"content_index":0,"delta":"I cannot","sequence_number":1}`,
	`{"type":"response.output_text.done","item_id":"msg_123","output_index":0,"content_index":0,"text":"In the shimmering forest","sequence_number":1,"logprobs":[]}`,
	`{"type":"error","code":"ERR_SOMETHING","message":"Something went wrong","param":null,"sequence_number":1}`,
}

func TestTheUsualEventNeedsNoReflection(t *testing.T) {
	var s scanner
	for _, data := range usual {
		if !s.event([]byte(data), &event{}) {
			t.Errorf("it is left to encoding/json: %s", data)
		}
	}
}

// unusual is left to encoding/json.
var unusual = []string{
	`{"type":"response.created","response":{"model":"m"}}`, `{"type":"response.output_item.done","output_index":0,"item":{"type":"message"}}`, `{"type":"error","error":{"code":"x"}}`,
	`{"type":"response.output_text.delta","delta":"a","logprobs":[{"token":"a"}]}`, `{"type":"response.output_text.delta","delta":{"a":1}}`, `{"type":"response.output_text.delta","output_index":-1}`,
	`{"type":"response.output_text.delta","delta":"\u00fc"}`, `{"Delta":"a"}`, `{"type":"response.output_text.delta","delta":"a"`, `[]`, ``,
}

func TestUnusualJSONFallsBackToEncodingJSON(t *testing.T) {
	var s scanner
	for _, data := range unusual {
		if s.event([]byte(data), &event{}) {
			t.Errorf("it was scanned: %s", data)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, data := range append(usual, unusual...) {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s scanner
		for _, data := range [][]byte{[]byte(usual[0]), data, []byte(usual[1])} {
			read, ok := s.decode(data)
			var want event
			err := json.Unmarshal(data, &want)
			if ok != (err == nil) || !reflect.DeepEqual(*read, want) {
				t.Errorf("%q: scanned %+v, %v; read %+v, %v", data, *read, ok, want, err)
			}
		}
	})
}
