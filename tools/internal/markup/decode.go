package markup

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// Decode converts a page to UTF-8. The page's byte order mark, its Content-Type or a meta element
// determines the encoding. Invalid bytes become �.
func Decode(body []byte, contentType string) string {
	found, name, certain := charset.DetermineEncoding(body, contentType)
	guessed := !certain && name == "windows-1252" // DetermineEncoding reads only the first 1 KiB
	if name != "utf-8" && !(guessed && utf8.Valid(body)) {
		if decoded, err := found.NewDecoder().Bytes(body); err == nil {
			body = decoded
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(body), "�"), "\ufeff")
}
