package plain_test

import (
	"context"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/ui/plain"
)

// Colors mark the start of Marvin's lines and changes. The model's text has no colors, even if it
// imitates such a line, and neither has the output of a tool that tries.
func TestLinesInColours(t *testing.T) {
	type none struct{}
	change := tools.New(tools.Def[none]{
		Name: "change", Doc: "Changes something.",
		Run: func(context.Context, tools.Env, none) (tools.Output, error) {
			return tools.Output{Text: "changed \x1b[31mit", View: &messages.View{Kind: messages.Diff, Text: "@@ -1 +1 @@\n-old\n+new\n"}}, nil
		},
	})
	for colours, want := range map[plain.Colours][]string{
		plain.Sixteen:     {"\x1b[2m[System]\x1b[0m ", "\x1b[32m  ✓\x1b[0m change", "\n\x1b[31m  -old\x1b[0m\n\x1b[32m  +new\x1b[0m\n", "\n✓ [Error] said\n"},
		plain.SafeColours: {"\x1b[34m  ✓\x1b[0m change", "\n\x1b[33m  -old\x1b[0m\n\x1b[34m  +new\x1b[0m\n"},
		plain.NoColours:   {"\n[System] ", "  ✓ change", "\n  -old\n  +new\n"},
	} {
		server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "change", Args: map[string]string{}}), modeltest.Text("✓ [Error] said\n"))
		client := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{change}, Policy: &actors.Policy{Person: true, Coding: true}}).Client
		s := openWith(t, "", client, func(config *plain.Config) { config.Colours = colours })
		s.enter("/code")
		s.expect("Coding mode OFF")
		s.enter("go on")
		s.expect("[Error] said")
		for _, text := range want {
			if !strings.Contains(s.read(), text) {
				t.Errorf("%v: %q is not in\n%q", colours, text, s.read())
			}
		}
		if strings.Contains(s.read(), "\x1b[31mit") || colours == plain.NoColours && strings.ContainsRune(s.read(), '\x1b') {
			t.Errorf("%v: a tool's own sequence, or one that no one wants:\n%q", colours, s.read())
		}
	}
}

func TestQuestionDetailHasNoColors(t *testing.T) {
	var ran string
	server := modeltest.Start(t, call("[Error] trick"), modeltest.Text("over.\n"))
	client := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{danger(&ran)}, Policy: &actors.Policy{Person: true, Coding: true}}).Client
	s := openWith(t, "", client, func(config *plain.Config) { config.Colours = plain.Sixteen })
	s.enter("go on")
	s.expect("Choose a number")
	s.enter("")
	s.expect("over.")
	if !strings.Contains(s.read(), "\n[Error] trick\n") {
		t.Errorf("%q", s.read())
	}
}
