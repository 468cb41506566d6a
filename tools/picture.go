package tools

import (
	"marvin/messages"
	"marvin/tools/internal/picture"
)

// Picture makes a picture of the content of a file, smaller where services would refuse it
// as it is. Path is where it was read, absolute, or "". The error says why it cannot be
// shown: a damaged one would make a service refuse the whole conversation.
func Picture(name, path string, content []byte) (messages.Picture, error) {
	shown, err := picture.Read(name, content)
	shown.Path = path
	return shown, err
}
