package markup

import (
	"strings"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html/charset"
)

// Markdown is HTML as Markdown, with links, tables and code blocks. Nothing is escaped:
// it is for reading, and \_ in every name would be in the way. What cannot be converted
// comes as [Text].
func Markdown(source string) string {
	convert := converter.NewConverter(
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()),
		converter.WithEscapeMode(converter.EscapeModeDisabled),
	)
	markdown, err := convert.ConvertString(source)
	if err != nil {
		return Text(source)
	}
	return strings.TrimSpace(markdown)
}

// Decode makes UTF-8 of a page, by its byte order mark, its Content-Type, or what it
// says in a meta element. Bytes that mean nothing become �.
func Decode(body []byte, contentType string) string {
	found, name, certain := charset.DetermineEncoding(body, contentType)
	guessed := !certain && name == "windows-1252" // from the first 1024 bytes
	if name != "utf-8" && !(guessed && utf8.Valid(body)) {
		if decoded, err := found.NewDecoder().Bytes(body); err == nil {
			body = decoded
		}
	}
	return strings.ToValidUTF8(string(body), "�")
}
