package tools

import (
	"marvin/messages"
	"marvin/tools/internal/picture"
)

// Picture makes a picture from the content of a file. It shrinks a picture that is too large for
// the services. The argument path is the absolute path of the file, or "". An error says why the
// picture cannot be shown: a damaged picture would make a service refuse the whole conversation.
func Picture(name, path string, content []byte) (messages.Picture, error) {
	shown, err := picture.Read(name, content)
	shown.Path = path
	return shown, err
}
