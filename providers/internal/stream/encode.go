package stream

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"marvin/providers"
)

// Encode returns a JSON string. Bytes that are not UTF-8 become U+FFFD.
func Encode(text string) []byte {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic("stream: " + err.Error()) // a string can always be encoded
	}
	return encoded
}

// WriteTool writes a tool as members of a JSON object. The argument "field" is the name of the
// member for the schema. The argument "none" replaces an empty schema.
func WriteTool(out *bytes.Buffer, tool providers.ToolSpec, field, none string) {
	fmt.Fprintf(out, `"name":%s`, Encode(tool.Name))
	if tool.Doc != "" {
		fmt.Fprintf(out, `,"description":%s`, Encode(tool.Doc))
	}
	fmt.Fprintf(out, `,"%s":%s`, field, cmp.Or(string(tool.Schema), none))
}
