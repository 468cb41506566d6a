package stream

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"marvin/providers"
)

// Encode returns text as a JSON string. Invalid UTF-8 becomes U+FFFD.
func Encode(text string) []byte {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic("stream: " + err.Error()) // a string can always be encoded
	}
	return encoded
}

// WriteTool writes a tool as members of a JSON object. field is the name of the member that
// contains the schema. emptySchema is written for a tool without a schema.
func WriteTool(out *bytes.Buffer, tool providers.ToolSpec, field, emptySchema string) {
	fmt.Fprintf(out, `"name":%s`, Encode(tool.Name))
	if tool.Doc != "" {
		fmt.Fprintf(out, `,"description":%s`, Encode(tool.Doc))
	}
	fmt.Fprintf(out, `,"%s":%s`, field, cmp.Or(string(tool.Schema), emptySchema))
}
