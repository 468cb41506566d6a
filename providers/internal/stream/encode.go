package stream

import "encoding/json"

// Encode returns a JSON string. Bytes that are not UTF-8 become U+FFFD.
func Encode(text string) []byte {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic("stream: " + err.Error()) // a string can always be encoded
	}
	return encoded
}
