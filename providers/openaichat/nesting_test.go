package openaichat

import "testing"

// Arguments in pieces are complete at their last bracket, wherever they are divided.
func TestWhenArgumentsAreWhole(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, " ": false, "{": false, "{}": true, " {}": true, "{} ": true, "[1]": true, "[[]": false, "{[}]": true,
		`{"a":"}"}`: true, `{"a":"}`: false, `{"a":"\"}`: false, `{"a":"\\"}`: true, `{"a":"\\`: false, `"text"`: true, `"te`: false,
		"null": false, "1": false, "x{}": false, "}": false, "{}}": false, "{}{": false, "{}{}": true, "\n[\n]": true,
	} {
		for cut := 0; cut <= len(text); cut++ {
			var n nesting
			n.read([]byte(text[:cut]))
			n.read([]byte(text[cut:]))
			if n.closed() != want {
				t.Errorf("%q, cut behind %d: whole %v", text, cut, !want)
			}
		}
	}
}
