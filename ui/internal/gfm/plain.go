package gfm

import (
	"strings"

	"github.com/yuin/goldmark/util"

	"marvin/ui/termsafe"
)

// Plain resolves backslash escapes, and character references such as "&amp;". It then drops control
// characters, which a model can write as character references.
func Plain(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	var plain strings.Builder
	for text != "" {
		at := strings.IndexAny(text, `\&`)
		if at < 0 {
			break
		}
		plain.WriteString(text[:at])
		text = text[at:]
		if text[0] == '\\' {
			if len(text) > 1 && util.IsPunct(text[1]) {
				text = text[1:]
			}
			plain.WriteByte(text[0])
			text = text[1:]
			continue
		}
		end := strings.IndexByte(text, ';') + 1
		if end < 1 || end > 32 {
			end = 1
		}
		name := util.ResolveEntityNames(util.ResolveNumericReferences([]byte(text[:end])))
		plain.Write(name)
		text = text[end:]
	}
	plain.WriteString(text)
	return strings.ReplaceAll(termsafe.String(plain.String()), "\n", " ")
}
