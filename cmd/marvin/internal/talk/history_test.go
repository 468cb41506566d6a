package talk

import (
	"slices"
	"testing"

	"marvin/cmd/marvin/internal/app/apptest"
	"marvin/cmd/marvin/internal/host"
	"marvin/persistence/chat"
)

func TestPromptHistory(t *testing.T) {
	p, said := apptest.AtHome(t, nil)
	talk := chat.New(p.Config.Home.Profile("default"))
	if err := talk.Append(chat.Entry{Role: "you", Text: "asked"}, chat.Entry{Role: "marvin", Text: "answered"}); err != nil {
		t.Fatal(err)
	}
	if got := inputsOf(p, "default"); !slices.Equal(got, []string{"asked"}) {
		t.Errorf("%q", got)
	}
	addInput(p, "default", "look at @main.go and @docs/a.md")
	addInput(p, "default", "the key is gsk_very_secret_key_0123456789")
	addInput(p, "default", "then @b @ c@d")
	if got := inputsOf(p, "default"); !slices.Equal(got, []string{"look at @main.go and @docs/a.md", "then @b @ c@d"}) {
		t.Errorf("%q", got)
	}
	if got := host.Mentioned(p); !slices.Equal(got, []string{"b", "main.go", "docs/a.md"}) {
		t.Errorf("%q were mentioned", got)
	}
	if got := inputsOf(p, "other"); len(got) != 0 || said.Len() > 0 {
		t.Errorf("%q, %s", got, said)
	}
}
