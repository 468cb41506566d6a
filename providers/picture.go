package providers

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"marvin/messages"
)

// InWords describes a picture in text, for example for a model that cannot see pictures.
func InWords(picture messages.Picture) string {
	size := ""
	if picture.Width > 0 {
		size = fmt.Sprintf(", %d×%d", picture.Width, picture.Height)
	}
	return fmt.Sprintf("[Picture %s (%s%s): %s]", cmp.Or(picture.Name, "without a name"), picture.Type, size, cmp.Or(picture.Note, "you cannot see it"))
}

// SeesPictures reports whether to send pictures to the model. If the model's ability is unknown,
// the result is true, and the server decides.
func (a About) SeesPictures() bool { return a.Sees == nil || *a.Sees }

// PicturesBehind moves the pictures in tool results into a user message after the results. Some
// protocols accept pictures only from the user. If vision is false, descriptions replace all
// pictures.
func PicturesBehind(history []messages.Message, vision bool) []messages.Message {
	var all []messages.Message
	var shown []messages.Picture
	show := func() {
		if len(shown) > 0 {
			all = append(all, messages.Message{Role: messages.User, Text: "[Marvin] The pictures in the results above.", Pictures: shown})
			shown = nil
		}
	}
	for _, message := range history {
		if message.Role != messages.Tool {
			show()
		}
		pictures := message.Result.Pictures
		message.Result.Pictures = nil
		for _, picture := range pictures {
			if !vision || len(picture.Data) == 0 {
				message.Result.Text += "\n" + InWords(picture)
			} else {
				shown = append(shown, picture)
			}
		}
		if len(message.Pictures) > 0 {
			kept := message.Pictures[:0:0]
			for _, picture := range message.Pictures {
				if vision && len(picture.Data) > 0 {
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

func pictured(all []messages.Message) bool {
	return slices.ContainsFunc(all, func(message messages.Message) bool {
		return len(message.Pictures)+len(message.Result.Pictures) > 0
	})
}

// pictureWords occur in the errors with which servers refuse pictures. Examples are "No endpoints
// found that support image input" from OpenRouter, "image input is not supported" with status 500
// from llama.cpp, "is not a multimodal model" from vLLM, and "content must be a string" from
// servers that accept only text. OpenAI and Anthropic use such words, too.
var pictureWords = []string{"image", "vision", "multimodal", "content type", "content must be a string"}

// RefusesPictures reports whether a server refused a question because of its pictures.
func RefusesPictures(err error, question Question) bool {
	refused, ok := errors.AsType[*StatusError](err)
	if !ok || !pictured(question.Messages) {
		return false
	}
	switch refused.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		message := strings.ToLower(refused.Message)
		return slices.ContainsFunc(pictureWords, func(word string) bool { return strings.Contains(message, word) })
	}
	return false
}

// UnseenNotice returns a notice that the model refuses pictures and gets only a description of
// them.
func UnseenNotice(model string, err error) string {
	why := ""
	if refused, ok := errors.AsType[*StatusError](err); ok {
		why = " (" + Clean(refused.Message, "") + ")"
	}
	return fmt.Sprintf("%s does not accept pictures%s, so it gets only a description of them. With /model, choose a model that can see pictures, or set \"sees: false\" for the current model in config.yaml, so that the model of the role \"vision\" answers prompts that contain pictures.", model, why)
}
