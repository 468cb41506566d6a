package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/persistence/disktest"
	"marvin/ui/command"
	"marvin/ui/slash"
)

// atHome is a program whose person has a home, and nothing that answers.
func atHome(t *testing.T, set map[string]string) (*parts, *strings.Builder) {
	t.Helper()
	home, said := t.TempDir(), &strings.Builder{}
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }
	world := World{Home: home, Dir: home, Now: now, Stderr: said, Environ: []string{"PATH=" + bin + ":/bin:/usr/bin", "GROQ_API_KEY=gsk_very_secret_key_0123456789"}, Getenv: func(name string) string { return set[name] }}
	return &parts{world: world, config: actors.Config{Home: persistence.Open(home, now)}, profile: "default"}, said
}

// The clipboard is reached by the programs that fit where the person is, in this order.
func TestTheProgramsOfTheClipboard(t *testing.T) {
	always := []string{"pbcopy", "clip.exe", "termux-clipboard-set"}
	for _, row := range []struct {
		set          string
		takes, gives []string
	}{
		{"", nil, nil},
		{"WAYLAND_DISPLAY", []string{"wl-copy"}, []string{"wl-paste --no-newline --type image/png"}},
		{"DISPLAY", []string{"xclip -selection clipboard", "xsel --clipboard --input"}, []string{"xclip -selection clipboard -target image/png -out"}},
		{"TMUX", []string{"tmux load-buffer -w -"}, nil},
		{"WAYLAND_DISPLAY DISPLAY TMUX", []string{"wl-copy", "xclip -selection clipboard", "xsel --clipboard --input", "tmux load-buffer -w -"}, []string{"wl-paste --no-newline --type image/png", "xclip -selection clipboard -target image/png -out"}},
	} {
		set := map[string]string{}
		for name := range strings.FieldsSeq(row.set) {
			set[name] = "x"
		}
		p, _ := atHome(t, set)
		lines := func(programs [][]string) (all []string) {
			for _, one := range programs {
				all = append(all, strings.Join(one, " "))
			}
			return all
		}
		if got := lines(clipboards(p)); !slices.Equal(got, append(row.takes, always...)) {
			t.Errorf("%s: %q take text", row.set, got)
		}
		if got := lines(pasters(p.world)); !slices.Equal(got, append(row.gives, "pngpaste -")) {
			t.Errorf("%s: %q give pictures", row.set, got)
		}
	}
}

// Text goes to the first program that takes it; where none does, what each
// said is told with what may be done.
func TestTextGoesToTheFirstProgramThatTakesIt(t *testing.T) {
	p, _ := atHome(t, map[string]string{"DISPLAY": ":1"})
	const none = "no clipboard program took it; install wl-clipboard or xclip, or write it to a file with /export FILE.md"
	write := func(name, does string) {
		t.Helper()
		if err := disktest.WriteProgram(filepath.Join(p.world.Home, "bin", name), []byte("#!/bin/sh\n"+does+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.world.Environ[0] = "PATH=" + filepath.Join(p.world.Home, "bin")
	if way, err := copyText(p, "x"); way != "" || err == nil || err.Error() != none {
		t.Errorf("%q, %v", way, err)
	}
	if _, err := pasted(t.Context(), p.world); err == nil || err.Error() != "no program that gives the picture of the clipboard is here; install wl-clipboard, xclip or pngpaste, or name the file in the prompt" {
		t.Errorf("%v", err)
	}
	write("xclip", "exit 3")
	if way, err := copyText(p, "x"); way != "" || err == nil || err.Error() != none+"\nxclip: exit status 3" {
		t.Errorf("%q, %v", way, err)
	}
	write("xsel", "{ echo \"$@\"; read -r line; echo \"$line\"; } > "+p.world.Home+"/taken")
	if way, err := copyText(p, "grüße"); way != "xsel" || err != nil {
		t.Errorf("%q, %v", way, err)
	}
	if taken, err := os.ReadFile(filepath.Join(p.world.Home, "taken")); err != nil || string(taken) != "--clipboard --input\ngrüße\n" {
		t.Errorf("%q, %v", taken, err)
	}
	var taken strings.Builder
	first := firstBytes{out: &taken, left: 3}
	for _, piece := range []string{"ab", "c"} {
		if n, err := first.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("%q: %d, %v", piece, n, err)
		}
	}
	if n, err := first.Write([]byte("d")); n != 0 || err == nil || taken.String() != "abc" {
		t.Errorf("%d, %v, %q", n, err, taken.String())
	}
}

// Paths are completed as a person begins them: hidden ones behind their dot, directories with
// a slash, from the home, the conversation or the start.
func TestPathsThatAreCompleted(t *testing.T) {
	p, _ := atHome(t, nil)
	dir := t.TempDir()
	for _, name := range []string{"a.go", "ab.go", ".hidden", "docs/x", "docs/deep/y"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755), os.WriteFile(filepath.Join(dir, name), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("docs", filepath.Join(dir, "link")), os.Symlink("nowhere", filepath.Join(dir, "loose")), os.Mkdir(filepath.Join(p.world.Home, "many"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for i := range mostCompletions + 1 {
		if err := os.WriteFile(filepath.Join(p.world.Home, "many", fmt.Sprintf("f%03d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := func(kind slash.Kind, dir, prefix string) string {
		var all []string
		for _, one := range complete(p, kind, dir, prefix) {
			all = append(all, one.Item)
		}
		return strings.Join(all, " ")
	}
	for _, row := range [][3]string{
		{dir, "", "a.go ab.go docs/ link/ loose"},
		{dir, "a", "a.go ab.go"},
		{dir, ".", ".hidden"},
		{dir, "docs/", "docs/deep/ docs/x"},
		{dir, "docs/d", "docs/deep/"},
		{dir, "none/", ""},
		{dir, dir + "/do", dir + "/docs/"},
		{dir, "~/bi", "~/bin/"},
		{"", "bi", "bin/"},
		{dir, "z", ""},
	} {
		if got := list(slash.KindPath, row[0], row[1]); got != row[2] {
			t.Errorf("%q: %s, want %s", row[1], got, row[2])
		}
	}
	if got := list(slash.KindFolder, dir, ""); got != "docs/ link/" {
		t.Error(got)
	}
	if got := complete(p, slash.KindPath, "", "many/"); len(got) != mostCompletions || got[199].Item != "many/f199" {
		t.Errorf("%d are listed", len(got))
	}
	if got := list(slash.KindProfile, dir, "de"); got != "default" && got != "" {
		t.Error(got)
	}
	if got := list(slash.KindMode, dir, "a"); got != "ask auto all" && !strings.HasPrefix(got, "a") {
		t.Error(got)
	}
	if got := list(slash.KindLevel, dir, ""); got != strings.Join(command.Levels(), " ") {
		t.Error(got)
	}
	if found := filesNamed(&p.found, p, p.world.Home, "a"); found != nil {
		t.Errorf("all of the home is read: %q", found)
	}
	if found := filesNamed(&p.found, p, "/", "a"); found != nil {
		t.Errorf("all there is is read: %q", found)
	}
}

// What a person typed is remembered by profile, without keys; where nothing was, what the chat
// log has.
func TestWhatAPersonTypedBefore(t *testing.T) {
	p, said := atHome(t, nil)
	talk := chat.Of(p.config.Home.Profile("default"))
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
	if got := mentioned(p); !slices.Equal(got, []string{"b", "main.go", "docs/a.md"}) {
		t.Errorf("%q were mentioned", got)
	}
	if got := inputsOf(p, "other"); len(got) != 0 || said.Len() > 0 {
		t.Errorf("%q, %s", got, said)
	}
}

// What comes behind a line of the log is told, also where that line is gone, until nobody
// wants it any more.
func TestTheLogIsFollowed(t *testing.T) {
	p, _ := atHome(t, nil)
	log := persistence.NewLog(p.config.Home)
	if lastOf(nil) != nil || lastOf([][]byte{[]byte("x")}) != nil || string(lastOf([][]byte{[]byte("a\n"), []byte("b\n"), nil})) != "b\n" {
		t.Error("the last line is another one")
	}
	if _, err := log.Write([]byte("one\ntwo\n\nthree\n")); err != nil {
		t.Fatal(err)
	}
	for last, want := range map[string]string{"two": "three\n", "gone": "one\ntwo\nthree\n", "": "one\ntwo\nthree\n"} {
		ctx, stop := context.WithCancel(t.Context())
		var told strings.Builder
		err := follow(ctx, log, []byte(last), func(line []byte) {
			if told.Write(line); string(line) == "three\n" {
				stop()
			}
		})
		if err != nil || told.String() != want {
			t.Errorf("behind %q: %q, %v", last, told.String(), err)
		}
	}
}

// Warnings of the start are said again on a full screen, which takes so many lines and no more;
// what nobody saw comes to standard error in the end.
func TestWhatGoesBesideAFullScreen(t *testing.T) {
	var out strings.Builder
	beside := &aside{out: &out}
	fmt.Fprint(beside, "warning: odd\n")
	fmt.Fprint(beside, "only now\n")
	sayOf(World{Stderr: beside}, "a conversation goes on")
	lines := beside.begin()
	beside.repeat()
	beside.repeat()
	if first, second := <-lines, <-lines; first != "warning: odd" || second != "a conversation goes on" || len(lines) != 0 {
		t.Errorf("%q, %q, %d more", first, second, len(lines))
	}
	for i := range asideLines + 5 {
		if n, err := fmt.Fprintf(beside, "line %d\n\n", i); err != nil || n < 8 {
			t.Errorf("%d, %v", n, err)
		}
	}
	if len(lines) != asideLines {
		t.Errorf("%d lines wait", len(lines))
	}
	beside.end()
	fmt.Fprint(beside, "behind it\n")
	if text := out.String(); !strings.HasPrefix(text, "warning: odd\nonly now\na conversation goes on\nline 0\nline 1\n") || !strings.HasSuffix(text, "\nline 63\nbehind it\n") {
		t.Errorf("%q", text)
	}
}
