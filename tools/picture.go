package tools

import (
	"marvin/messages"
	"marvin/tools/internal/picture"
)

// Picture converts a file's content to a picture, and shrinks the picture if necessary. path is the
// file's absolute path, or "". Picture returns an error if the picture cannot be shown. With such a
// picture, services would refuse the whole conversation.
func Picture(name, path string, content []byte) (messages.Picture, error) {
	shown, err := picture.Read(name, content)
	shown.Path = path
	return shown, err
}
