package messages_test

import (
	"testing"

	"marvin/messages"
)

func TestFindingT18NobodyIsToldToTellTheUser(t *testing.T) {
	for text, want := range map[string]string{
		"no yt-dlp\nTell the user to install it: apt install yt-dlp.": "no yt-dlp\nInstall it: apt install yt-dlp.",
		"Do without it. Tell the user: --approve auto runs it.":       "Do without it. --approve auto runs it.",
		"Ask the user to start Blender. Tell the user: élan":          "Start Blender. Élan",
		"Tell the user to ":     "",
		"They tell the user.":   "They tell the user.",
		"Tell the user what is": "Tell the user what is",
	} {
		if got := messages.ForPeople(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
