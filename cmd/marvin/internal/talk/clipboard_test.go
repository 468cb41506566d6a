package talk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app/apptest"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/persistence/disktest"
)

// The clipboard is accessed by programs that fit the user's desktop, in this order.
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
		p, _ := apptest.AtHome(t, set)
		lines := func(programs [][]string) (all []string) {
			for _, one := range programs {
				all = append(all, strings.Join(one, " "))
			}
			return all
		}
		if got := lines(pictures.Clipboards(p.World)); !slices.Equal(got, append(row.takes, always...)) {
			t.Errorf("%s: %q take text", row.set, got)
		}
		if got := lines(pictures.Pasters(p.World)); !slices.Equal(got, append(row.gives, "pngpaste -")) {
			t.Errorf("%s: %q give pictures", row.set, got)
		}
	}
}

func TestTextGoesToTheFirstProgramThatTakesIt(t *testing.T) {
	p, _ := apptest.AtHome(t, map[string]string{"DISPLAY": ":1"})
	const none = "no clipboard program works here; install wl-clipboard or xclip, or write the conversation to a file with /export FILE.md"
	write := func(name, does string) {
		t.Helper()
		if err := disktest.WriteProgram(filepath.Join(p.World.Home, "bin", name), []byte("#!/bin/sh\n"+does+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.World.Environ[0] = "PATH=" + filepath.Join(p.World.Home, "bin")
	if way, err := pictures.CopyText(p.World, "x"); way != "" || err == nil || err.Error() != none {
		t.Errorf("%q, %v", way, err)
	}
	if _, err := pictures.FromClipboard(t.Context(), p.World); err == nil || err.Error() != "no program here reads pictures from the clipboard; install wl-clipboard, xclip or pngpaste, or name the file in the prompt" {
		t.Errorf("%v", err)
	}
	write("xclip", "exit 3")
	if way, err := pictures.CopyText(p.World, "x"); way != "" || err == nil || err.Error() != none+"\nxclip: exit status 3" {
		t.Errorf("%q, %v", way, err)
	}
	write("xsel", "{ echo \"$@\"; read -r line; echo \"$line\"; } > "+p.World.Home+"/taken")
	if way, err := pictures.CopyText(p.World, "grüße"); way != "xsel" || err != nil {
		t.Errorf("%q, %v", way, err)
	}
	if taken, err := os.ReadFile(filepath.Join(p.World.Home, "taken")); err != nil || string(taken) != "--clipboard --input\ngrüße\n" {
		t.Errorf("%q, %v", taken, err)
	}
	var taken strings.Builder
	first := pictures.FirstBytes{Out: &taken, Left: 3}
	for _, piece := range []string{"ab", "c"} {
		if n, err := first.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("%q: %d, %v", piece, n, err)
		}
	}
	if n, err := first.Write([]byte("d")); n != 0 || err == nil || taken.String() != "abc" {
		t.Errorf("%d, %v, %q", n, err, taken.String())
	}
}
