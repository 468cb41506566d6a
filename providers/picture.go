package providers

import (
	"cmp"
	"fmt"
	"strings"

	"marvin/messages"
)

// InWords stands for a picture where a model does not see, or where it was left out.
func InWords(picture messages.Picture) string {
	size := ""
	if picture.Width > 0 {
		size = fmt.Sprintf(", %d×%d", picture.Width, picture.Height)
	}
	return fmt.Sprintf("[Picture %s (%s%s): %s]", cmp.Or(picture.Name, "without a name"), picture.Type, size, cmp.Or(picture.Note, "you cannot see it"))
}

// Looks says whether pictures are sent to a model: where nothing is known of it, they are,
// and a refusal tells.
func (a About) Looks() bool { return a.Sees == nil || *a.Sees }

// PicturesBehind is a conversation for a wire that takes pictures from the person alone:
// those of results stand behind the round, as something that is shown. Where the model
// does not see they become words.
func PicturesBehind(history []messages.Message, sees bool) []messages.Message {
	var all []messages.Message
	var shown []messages.Picture
	show := func() {
		if len(shown) > 0 {
			all = append(all, messages.Message{Role: messages.User, Text: "[Marvin] The pictures of the results above.", Pictures: shown})
			shown = nil
		}
	}
	for _, message := range history {
		if message.Role != messages.Tool {
			show()
		}
		if pictures := message.Result.Pictures; len(pictures) > 0 {
			message.Result.Pictures = nil
			for _, picture := range pictures {
				if !sees || len(picture.Data) == 0 { // guard: pictures are for who sees
					message.Result.Text += "\n" + InWords(picture)
				} else {
					shown = append(shown, picture)
				}
			}
		}
		if len(message.Pictures) > 0 {
			kept := message.Pictures[:0:0]
			for _, picture := range message.Pictures {
				if sees && len(picture.Data) > 0 {
					kept = append(kept, picture)
				} else {
					message.Text = strings.TrimSpace(message.Text + "\n" + InWords(picture))
				}
			}
			message.Pictures = kept
		}
		all = append(all, message)
	}
	show()
	return all
}
