package ui_test

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui"
)

func TestCallEventHasResult(t *testing.T) {
	for want, event := range map[string]messages.ToolEnded{
		"✓ read_file main.go: 3 lines":                                {Name: "read_file", Title: "read_file main.go", Summary: "3 lines"},
		"✓ run_command ls…: a…":                                       {Name: "run_command", Title: "ls\n-l", Summary: "a\nb"},
		"✓ get_time":                                                  {Name: "get_time"},
		"✓ say: " + strings.Repeat("ä", 100) + "…":                    {Name: "say", Title: "say", Summary: strings.Repeat("ä", 101)},
		"» run_command make: went to the background as job cmd-k3f9x": {Name: "run_command", Title: "run_command make", Status: messages.OK, Job: "cmd-k3f9x", Summary: "(no output yet)"},
	} {
		if got := ui.CallLine(event); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
