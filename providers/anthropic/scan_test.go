package anthropic

import (
	"encoding/json"
	"reflect"
	"testing"
)

// usual are events from platform.claude.com/docs/en/build-with-claude/streaming.
var usual = []string{
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ello frien"}}`,
	`{"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "I need to find the \"GCD\""}}`,
	`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"location\": \"San Fra"}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk"}}`,
	`{"type":"content_block_stop","index":0}`,
	`{"type":"ping"}`,
	`{"type":"message_stop"}`,
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
	`{"type":"message_start","message":{"model":"m"}}`, `{"type":"error","error":{"type":"overloaded_error"}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"text"}}`,
	`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}`, `{"type":"content_block_delta","index":"0"}`, `{"type":"content_block_delta","delta":null}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\u00fc"}}`, `{"Type":"ping"}`, `{"error":null}`, `{"type":"content_block_delta"`,
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
