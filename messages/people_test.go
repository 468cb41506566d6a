package messages_test

import (
	"testing"

	"marvin/messages"
)

func TestErrorsDoNotAskToTellTheUser(t *testing.T) {
	for text, want := range map[string]string{
		"no yt-dlp\nTell the user to install it: apt install yt-dlp.": "no yt-dlp\nInstall it: apt install yt-dlp.",
		"Do without it. Tell the user: --approve auto runs it.":       "Do without it. --approve auto runs it.",
		"Ask the user to start Blender. Tell the user: élan":          "Start Blender. Élan",
		"x\nTell the user: marvin mcp tools x shows it":               "x\nmarvin mcp tools x shows it",
		"Tell the user: marvinade":                                    "Marvinade",
		"Tell the user to ":                                           "",
		"They tell the user.":                                         "They tell the user.",
		"Tell the user what is":                                       "Tell the user what is",
	} {
		if got := messages.ForPeople(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestOwnRefusalIsNotEchoed(t *testing.T) {
	for _, one := range []struct {
		status     messages.Status
		text, want string
	}{
		{messages.Denied, "Error: the user said no to this call.", ""},
		{messages.Denied, "Error: not executed. " + messages.RefusalPhrase + "use git clean", "you want instead: use git clean"},
		{messages.ToolError, "Error: no such file", "Error: no such file"},
	} {
		if got := messages.Summary(one.status, one.text); got != one.want {
			t.Errorf("%s %q is shown as %q, want %q", one.status, one.text, got, one.want)
		}
	}
}
