package tools

import (
	"marvin/messages"
	"marvin/tools/internal/picture"
)

// Picture makes a picture from a file's content. It shrinks a picture that is too large for the
// services. path is the file's absolute path, or "". The error says why the picture cannot be
// shown. For example, a damaged picture would make a service refuse the whole conversation.
func Picture(name, path string, content []byte) (messages.Picture, error) {
	shown, err := picture.Read(name, content)
	shown.Path = path
	return shown, err
}
