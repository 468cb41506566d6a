package prompt_test

import (
	"strings"
	"testing"

	"marvin/actors/internal/prompt"
)

func TestAFrameTellsOnlyWhatChanged(t *testing.T) {
	parts := full()
	frame := prompt.Begin(parts)
	if frame.System != prompt.Build(parts) {
		t.Fatal("the frame is not the system text")
	}
	parts.History = append(parts.History, prompt.Line{Speaker: "You", Text: "what was said meanwhile"})
	parts.Hidden = 7
	if _, told := frame.Change(parts); told != "" {
		t.Errorf("nothing changed, and yet: %q", told)
	}
	parts.Date, parts.Dir = "2026-11-21", "/home/u/other"
	changed, told := frame.Change(parts)
	for _, want := range []string{"Today is 2026-11-21.", "Working directory: /home/u/other", "instead of what was said"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is missing in %q", want, told)
		}
	}
	if strings.Contains(told, "dietary") || strings.Contains(told, "the spec") || changed.System != frame.System {
		t.Errorf("it tells what did not change: %q", told)
	}
	if _, again := changed.Change(parts); again != "" {
		t.Errorf("it is told twice: %q", again)
	}
}

func TestAFrameTellsWhatIsGone(t *testing.T) {
	parts := full()
	frame := prompt.Begin(parts)
	parts.Jobs, parts.Coding, parts.Documents = nil, false, parts.Documents[1:]
	changed, told := frame.Change(parts)
	if !strings.HasSuffix(told, "This holds no longer: coding mode, the working directory, project document .marvin/spec.md.") {
		t.Errorf("told %q", told)
	}
	if again := changed.Again(parts); strings.Contains(again.System, "the spec") || !strings.Contains(again.System, "You: find pizza") {
		t.Errorf("made anew it is %q", again.System)
	}
}
