package gitcmd

import (
	"slices"
	"testing"
)

// tools/git tests the overrides against a real git.

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

func TestAProgramThatSignsForTheProjectIsNoticed(t *testing.T) {
	for _, row := range []struct {
		scope, key string
		project    bool
	}{
		{"local", "gpg.program", true},
		{"worktree", "gpg.ssh.program", true},
		{"local", "gpg.ssh.defaultkeycommand", true},
		{"global", "gpg.program", false},
		{"system", "gpg.x509.program", false},
		{"command", "gpg.program", false},
		{"local", "gpg.format", false},
		{"local", "diff.tool.program", false},
		{"worktree", "core.defaultkeycommand", false},
		{"local", "user.signingkey", false},
	} {
		repository := &Repository{config: []configured{{"global", "user.name", "x"}, {row.scope, row.key, "/bin/x"}}}
		if got := repository.signsByProject(); got != row.project {
			t.Errorf("%s %s: %v", row.scope, row.key, got)
		}
	}
}

func TestLiteralPathspecs(t *testing.T) {
	if got := Literal(":(top)x", "*"); !slices.Equal(got, []string{":(literal):(top)x", ":(literal)*"}) {
		t.Errorf("got %q", got)
	}
}
