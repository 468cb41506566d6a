package prompt_test

import (
	"encoding/json"
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
	parts.Hidden = 7
	if _, told := frame.Change(parts); told != "" {
		t.Errorf("nothing changed, and yet: %q", told)
	}
	parts.Date, parts.Dir = "2026-11-21", "/home/u/other"
	changed, told := frame.Change(parts)
	for _, want := range []string{"Today is 2026-11-21.", "Working directory: /home/u/other", "replaces its earlier version"} {
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

func TestFramesAreTheSameByWhatTheModelKnows(t *testing.T) {
	begun := prompt.Begin(full())
	more, less, other := full(), full(), full()
	more.Planning = true
	less.Documents = less.Documents[1:]
	other.Dir = "/home/u/other"
	if !begun.Same(prompt.Begin(full())) || !begun.Same(begun) {
		t.Error("it is not the same as itself")
	}
	for name, parts := range map[string]prompt.Parts{"more": more, "less": less, "other": other} {
		if changed, _ := begun.Change(parts); begun.Same(changed) || changed.Same(begun) {
			t.Errorf("%s: told later it is the same", name)
		}
		if begun.Same(prompt.Begin(parts)) {
			t.Errorf("%s: begun so it is the same", name)
		}
	}
}

func TestAFrameTellsWhatIsGone(t *testing.T) {
	parts := full()
	frame := prompt.Begin(parts)
	parts.Jobs, parts.Coding, parts.Documents = nil, false, parts.Documents[1:]
	_, told := frame.Change(parts)
	if !strings.HasSuffix(told, "This no longer applies: coding mode, the working directory, project document .marvin/spec.md.") {
		t.Errorf("told %q", told)
	}
}

func TestAnOlderFrameKeepsWhatItBeganWith(t *testing.T) {
	var frame prompt.Frame
	kept := `{"system":"You are Marvin. You: find pizza","profile":"main","history":[{"Speaker":"You","Text":"find pizza"}],"known":[{"name":"earlier conversation","text":"You: find pizza"},{"name":"the profile","text":"Active profile: main"}]}`
	if err := json.Unmarshal([]byte(kept), &frame); err != nil {
		t.Fatal(err)
	}
	changed, told := frame.Change(prompt.Parts{Date: "2026-11-21", Profile: "main"})
	if changed.System != frame.System || strings.Contains(told, "no longer") || !strings.Contains(told, "2026-11-21") {
		t.Errorf("it is %q, and is told %q", changed.System, told)
	}
}
