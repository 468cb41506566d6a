package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/settings"
)

// written creates a home with a config.yaml.
func written(t *testing.T, text string) (*store.Home, func() string) {
	t.Helper()
	dir := t.TempDir()
	home := store.Open(dir, time.Now)
	if err := os.MkdirAll(home.State, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home.State, "config.yaml")
	if text != "" {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home, func() string {
		data, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(data)
	}
}

// Only one value changes. Comments, quotes and every other line stay unchanged.
func TestASettingIsWrittenInItsPlace(t *testing.T) {
	for _, c := range []struct{ before, key, value, after string }{
		{"", "theme", "nord", "theme: nord\n"},
		{"# mine\ntheme: 'dark' # at night\nnotify: bell\n", "theme", "nord", "# mine\ntheme: nord # at night\nnotify: bell\n"},
		{"notify: bell", "theme", "nord", "notify: bell\ntheme: nord\n"},
		{"", "context.warn", "150000", "context:\n  warn: 150000\n"},
		{"context:\n    # soon\n    warn: 1000 # low\ntheme: dark\n", "context.warn", "150_000", "context:\n    # soon\n    warn: 150000 # low\ntheme: dark\n"},
		{"context:\n    warn: 100000\ntheme: dark\n", "context.manual", "true", "context:\n    manual: true\n    warn: 100000\ntheme: dark\n"},
		{"context: {warn: 100000, compact: 120000}\n", "context.compact", "130000", "context: {warn: 100000, compact: 130000}\n"},
		{"", "pass_env", "A, B_*", "pass_env: [A, \"B_*\"]\n"},
		{"colours: full\n", "colours", "16", "colours: \"16\"\n"},
		{"approve: ask\n", "approve", "EDITS", "approve: edits\n"},
		{"theme: dark\r\neffort: high\r\n", "theme", "nord", "theme: nord\r\neffort: high\r\n"},
		{"theme: dark  \neffort: high \n", "effort", "low", "theme: dark  \neffort: low \n"},
		{"context:\r\n  warn: 1000 \r\n  manual: true\r\n", "context.warn", "2000", "context:\r\n  warn: 2000 \r\n  manual: true\r\n"},
	} {
		home, text := written(t, c.before)
		if err := (settings.File{Home: home}).Set(c.key, c.value); err != nil {
			t.Errorf("%q: %s %s: %v", c.before, c.key, c.value, err)
		} else if got := text(); got != c.after {
			t.Errorf("%q: %s %s: %q, not %q", c.before, c.key, c.value, got, c.after)
		}
		if _, err := settings.Read(home); err != nil {
			t.Errorf("%q: %v", c.after, err)
		}
	}
}

func TestASettingIsTakenAway(t *testing.T) {
	for _, c := range []struct{ before, key, after string }{
		{"theme: dark # x\nnotify: bell\n", "theme", "notify: bell\n"},
		{"context:\n  warn: 100000\n  manual: true\nnotify: bell\n", "context.warn", "context:\n  manual: true\nnotify: bell\n"},
		{"notify: bell\ncontext:\n  warn: 100000\n", "context.warn", "notify: bell\n"},
		{"pass_env:\n  - A\n  - B\nnotify: bell\n", "pass_env", "notify: bell\n"},
		{"notify: bell\n", "theme", "notify: bell\n"},
		{"theme: dark\r\nnotify: bell\r\n", "theme", "notify: bell\r\n"},
	} {
		home, text := written(t, c.before)
		if err := (settings.File{Home: home}).Unset(c.key); err != nil {
			t.Errorf("%q: %s: %v", c.before, c.key, err)
		} else if got := text(); got != c.after {
			t.Errorf("%q: %s: %q, not %q", c.before, c.key, got, c.after)
		}
	}
}

func TestASettingThatCannotBeWrittenChangesNothing(t *testing.T) {
	for _, c := range []struct{ before, key, value, says string }{
		{"theme: dark\n", "teme", "nord", `did you mean "theme"?`},
		{"theme: dark\n", "sandbox", "of", "off, workspace, strict"},
		{"theme: dark\n", "theme", "../../etc", "not the name of a theme"},
		{"theme: dark\n", "theme", "a\nsandbox: off", "one line"},
		{"theme: dark\n", "context.warn", "12", "is too small or not a number"},
		{"theme: dark\n", "permissions", "x", "several lines"},
		{"theme: dark\n", "mcp", "x", "several lines"},
		{"theme: [dark]\n", "notify", "bell", "not the name of a theme"},
		{"context: {warn: 100000}\n", "context.manual", "true", "with an editor"},
		{"theme: &a dark\nnotify: bell\n", "theme", "nord", "with an editor"},
		{"theme: dark\n---\nnotify: bell\n", "theme", "nord", "several documents"},
		{"---\n---\ntheme: dark\n", "theme", "nord", "several documents"},
		{"theme: |\n  dark\n\x00", "theme", "nord", "UTF-8"},
		{"a: [\n", "theme", "nord", "nothing was changed"},
	} {
		home, text := written(t, c.before)
		err := (settings.File{Home: home}).Set(c.key, c.value)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %s %q: %v, which does not say %q", c.before, c.key, c.value, err, c.says)
		}
		if got := text(); got != c.before {
			t.Errorf("%q: %s %q changed the file: %q", c.before, c.key, c.value, got)
		}
	}
}

func TestWrittenSettingsHaveTheirLines(t *testing.T) {
	home, _ := written(t, "# first\ntheme: \"nord\"\n\ncontext:\n  manual: true\npass_env: [A, B]\nmcp:\n  a: {command: [x]}\n  b: {command: [y]}\n")
	got, err := (settings.File{Home: home}).Written()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]settings.Written{
		"theme": {Value: "nord", Line: 2}, "context.manual": {Value: "true", Line: 5}, "pass_env": {Value: "A, B", Line: 6}, "mcp": {Value: "2 entries", Line: 7},
	} {
		if got[key] != want {
			t.Errorf("%s is %+v, not %+v", key, got[key], want)
		}
	}
	if len(got) != 4 {
		t.Errorf("%v", got)
	}
}
