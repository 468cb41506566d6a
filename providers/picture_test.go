package providers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
)

func TestPicturesStandBehindTheirRound(t *testing.T) {
	there := messages.Picture{Type: "image/png", Name: "a.png", Data: []byte("x"), Width: 3, Height: 2}
	gone := messages.Picture{Type: "image/jpeg", Note: "it was removed"}
	history := []messages.Message{
		{Role: messages.User, Text: "look", Pictures: []messages.Picture{there, gone}},
		{Role: messages.Assistant, Text: "I call"},
		{Role: messages.Tool, Result: messages.ToolResult{Text: "one", Pictures: []messages.Picture{there}}},
		{Role: messages.Tool, Result: messages.ToolResult{Text: "two", Pictures: []messages.Picture{gone, there}}},
		{Role: messages.Assistant, Text: "seen"},
		{Role: messages.Tool, Result: messages.ToolResult{Text: "three", Pictures: []messages.Picture{there}}},
	}
	const words, away = "[Picture a.png (image/png, 3×2): you cannot see it]", "[Picture without a name (image/jpeg): it was removed]"
	told := func(all []messages.Message) (said []string) {
		for _, message := range all {
			said = append(said, fmt.Sprintf("%s %s %d", message.Role, strings.ReplaceAll(message.Text+message.Result.Text, "\n", "/"), len(message.Pictures)+10*len(message.Result.Pictures)))
		}
		return said
	}
	before := told(history)
	const behind = "user [Marvin] The pictures in the results above. "
	for sees, want := range map[bool][]string{
		true:  {"user look/" + away + " 1", "assistant I call 0", "tool one 0", "tool two/" + away + " 0", behind + "2", "assistant seen 0", "tool three 0", behind + "1"},
		false: {"user look/" + words + "/" + away + " 0", "assistant I call 0", "tool one/" + words + " 0", "tool two/" + away + "/" + words + " 0", "assistant seen 0", "tool three/" + words + " 0"},
	} {
		if got := told(PicturesBehind(history, sees)); !slices.Equal(got, want) {
			t.Errorf("it sees %v: %q, want %q", sees, got, want)
		}
	}
	if after := told(history); !slices.Equal(after, before) {
		t.Errorf("the history is now %q", after)
	}
}
