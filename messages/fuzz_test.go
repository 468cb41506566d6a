package messages_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"marvin/messages"
)

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"v":1,"id":"q1","type":"prompt","op":{"text":"hello"}}`))
	f.Add([]byte(`{"type":"answer","op":{"ask":"a","choice":"yes"}}`))
	f.Add([]byte(`{"type":"set_dir","op":{"path":"/\u0000"}}`))
	f.Add([]byte(`{"type":"cancel","op":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var request, again messages.Request
		if json.Unmarshal(data, &request) != nil {
			return
		}
		line, err := json.Marshal(request)
		if err != nil {
			t.Fatalf("%+v: %v", request, err)
		}
		if err := json.Unmarshal(line, &again); err != nil || !reflect.DeepEqual(request, again) {
			t.Errorf("%s became %s: %v", data, line, err)
		}
	})
}
