package language

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/language/languagetest"
)

// ground returns a project with these files and a test server.
func ground(t *testing.T, played languagetest.Played, files map[string]string) Ground {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(top, name), text)
	}
	return Ground{Environ: played.Environ, Top: top}
}

// Outside a conversation, the user lists the servers and requests a report on a file.
func TestAServerIsAskedOnce(t *testing.T) {
	played := languagetest.New(t, "well")
	on := ground(t, played, map[string]string{"a.txt": "fine\nbad one\n", "b.txt": "fine\n", "c.none": "x"})
	all, err := Examine(t.Context(), played.Own, on, time.Now, filepath.Join(on.Top, "a.txt"))
	if err != nil || len(all) != 1 || all[0].Server != "played" || !strings.Contains(all[0].Findings.Text(), "line: bad one") || !strings.Contains(all[0].Findings.Text(), "a.txt") {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err = Examine(t.Context(), played.Own, on, time.Now, filepath.Join(on.Top, "b.txt")); err != nil || len(all) != 1 || all[0].Findings.Text() != "" {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err = Examine(t.Context(), played.Own, on, time.Now, filepath.Join(on.Top, "gone.txt")); err == nil {
		t.Error("a file that is not there was examined")
	}
	_, err = Examine(t.Context(), played.Own, on, time.Now, filepath.Join(on.Top, "c.none"))
	if !errors.Is(err, tools.ErrNoLanguage) || !strings.HasSuffix(err.Error(), " for c.none: Marvin does not know one for this type of file") {
		t.Error(err)
	}
	gone := map[string]settings.Language{"gone": {Command: []string{"no-such-server"}, Files: []string{"*.none"}}, "empty": {Files: []string{"*.x"}}}
	if _, err = Examine(t.Context(), gone, on, time.Now, filepath.Join(on.Top, "c.none")); !errors.Is(err, tools.ErrNoLanguage) || !strings.Contains(err.Error(), " for c.none: one could be installed: ") {
		t.Error(err)
	}
	standing := map[string]ServerStatus{}
	for _, one := range Known(gone, on, time.Now) {
		standing[one.Server.Name] = one
	}
	for name, want := range map[string]string{"gone": "no-such-server", "empty": "Marvin does not know the language server empty, and config.yaml gives no command for it; add \"command:\" and \"files:\" to its entry under \"languages:\""} {
		if one := standing[name]; one.Why == nil || !strings.Contains(one.Why.Error(), want) || one.Program != "" {
			t.Errorf("%s: %+v", name, one)
		}
	}
	for _, one := range Known(played.Own, on, time.Now) {
		if one.Server.Name == "played" && (one.Why != nil || one.Program != played.Own["played"].Command[0]) {
			t.Errorf("%+v", one)
		}
	}
	dies := languagetest.New(t, "dies")
	on.Environ = dies.Environ
	if _, err = Examine(t.Context(), dies.Own, on, time.Now, filepath.Join(on.Top, "a.txt")); err == nil || !strings.Contains(err.Error(), "no licence was found") {
		t.Errorf("one that dies: %v", err)
	}
}

func TestFilesArePartedByTheirServers(t *testing.T) {
	played := languagetest.New(t, "well")
	on := ground(t, played, map[string]string{"a.txt": "", "sub/b.txt": "", "c.none": ""})
	set := &Set{Own: played.Own, Now: time.Now}
	file := func(name string) File { return File{Path: filepath.Join(on.Top, name)} }
	var told []string
	for _, part := range set.Parts([]File{file("a.txt"), file("c.none"), file("sub/b.txt"), file("../out.txt"), file("d.none")}, on) {
		var names []string
		for _, one := range part.Files {
			name, err := filepath.Rel(on.Top, one.Path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		told = append(told, fmt.Sprintf("%s %t: %s", part.Wish.Server.Name, part.Wish.Program != "", strings.Join(names, " ")))
	}
	if want := []string{"played true: a.txt sub/b.txt", " false: c.none d.none"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

func TestALateLookTellsWhatIsWrong(t *testing.T) {
	played := languagetest.New(t, "well")
	on := ground(t, played, map[string]string{"a.txt": "bad\n", "b.txt": "fine\n"})
	a, b, gone := filepath.Join(on.Top, "a.txt"), filepath.Join(on.Top, "b.txt"), filepath.Join(on.Top, "gone.txt")
	wishes, _ := (&Set{Own: played.Own, Now: time.Now}).ServersFor(a, on)
	if len(wishes) != 1 {
		t.Fatal(wishes)
	}
	session, err := Begin(t.Context(), wishes[0], on)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	if found, text := CheckLate(t.Context(), session, []string{b, gone}); text != "" || found.Text() != "" {
		t.Errorf("of what is right: %q", text)
	}
	_, text := CheckLate(t.Context(), session, []string{a, b})
	if !strings.HasPrefix(text, "🔎 played has checked the files as they are now. ") || !strings.Contains(text, "line: bad") || strings.Contains(text, "b.txt") {
		t.Errorf("of what is wrong: %q", text)
	}
	if err := os.WriteFile(a, []byte("fine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, text = CheckLate(t.Context(), session, []string{a, b}); text != "" {
		t.Errorf("of what was mended: %q", text)
	}
	if len(played.Started(t)) != 1 {
		t.Errorf("started %v", played.Started(t))
	}
	for name, want := range map[string]bool{"create_file": true, "append_file": true, "apply_patch": true, "write_note": false, "": false} {
		if Formatted(&tools.Tool{Name: name}) != want {
			t.Errorf("what %s writes is formatted: %t", name, !want)
		}
	}
}
