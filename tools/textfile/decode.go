package textfile

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"marvin/persistence/plaintext"
	"marvin/tools/internal/text"
)

// ErrBinary means that the content is not text.
var ErrBinary = errors.New("not text")

// Decode converts a file's content to UTF-8 and removes a byte order mark. It recognizes UTF-16
// with and without a mark, but UTF-32 only with a mark. It treats any other text that is not valid
// UTF-8 as Windows-1252. If the content is not text, the error wraps [ErrBinary] and describes the
// content.
func Decode(data []byte) (string, error) {
	marked := len(data)
	if data = plaintext.Decode(data); len(data) != marked && bytes.IndexByte(data, 0) < 0 && utf8.Valid(data) {
		return string(data), nil
	}
	if what := text.Foreign(data); what != "" && (bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data)) {
		return "", fmt.Errorf("%w: %s", ErrBinary, what)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", fmt.Errorf("%w: it has NUL bytes", ErrBinary)
	}
	if utf8.Valid(data) {
		return string(data), nil
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrBinary, err)
	}
	return string(decoded), nil
}
