package gitcmd

import (
	"slices"
	"testing"
)

// What the overrides do to a real git is tested with the tools, in tools/git.

func TestSilenceFindsProgramsUnderAnyName(t *testing.T) {
	var config []configured
	for _, key := range []string{
		"core.bare", "filter.lfs.clean", "filter.lfs.smudge", "filter.a.b=C d.process", "hook.lint.command", "hook.lint.event", "filter.x", "user.name",
	} {
		config = append(config, configured{scope: "local", key: key})
	}
	settings, filters := silence(config)
	if want := []string{"a.b=C d", "lfs"}; !slices.Equal(filters, want) {
		t.Errorf("filters %q, want %q", filters, want)
	}
	for _, want := range []setting{
		{"filter.lfs.clean", ""},
		{"filter.lfs.smudge", ""},
		{"filter.lfs.process", ""},
		{"filter.lfs.required", "false"},
		{"filter.a.b=C d.process", ""},
		{"filter.a.b=C d.clean", ""},
		{"hook.lint.enabled", "false"},
	} {
		if !slices.Contains(settings, want) {
			t.Errorf("%v is missing in %v", want, settings)
		}
	}
	if len(settings) != 9 {
		t.Errorf("%d settings: %v", len(settings), settings)
	}
}

func TestLiteralPathspecs(t *testing.T) {
	if got := Literal(":(top)x", "*"); !slices.Equal(got, []string{":(literal):(top)x", ":(literal)*"}) {
		t.Errorf("got %q", got)
	}
}
