package tools

import (
	"marvin/messages"
	"marvin/tools/internal/picture"
)

// Picture makes a picture from a file's content, and shrinks the picture if necessary. path is the
// file's absolute path, or "". A picture that cannot be shown is an error, because services would
// refuse the whole conversation.
func Picture(name, path string, content []byte) (messages.Picture, error) {
	shown, err := picture.Read(name, content)
	shown.Path = path
	return shown, err
}
