// Command screenshots makes the pictures of the documentation from the real program:
// it builds Marvin, plays a person at a terminal (tmux) in front of a scripted model,
// and writes what stands on the screen as SVG. Nothing in a picture is drawn by hand,
// and two runs give the same bytes, so that a changed picture is a changed program.
//
//	go run ./cmd/marvin/testdata/screenshots docs/images [SCENE...]
//
// The film is an SVG as well: each row of it once for each time that it changes (cast.go).
//
// Decided against: a recorder of terminal sessions (a GIF cannot be searched, compared
// or read aloud; vhs also needs a browser, ttyd and ffmpeg), freeze, which draws one frame where
// the film has rows that move, and rendering to PNG here (needs a browser and its fonts).
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: screenshots DIRECTORY [SCENE...]")
		os.Exit(2)
	}
	if err := shoot(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

// shoot makes the pictures of the named scenes, or of all.
func shoot(directory string, names []string) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	place, err := os.MkdirTemp("", "mp") // short: it holds the path of a socket
	if err != nil {
		return err
	}
	defer os.RemoveAll(place)
	if place, err = filepath.EvalSymlinks(place); err != nil {
		return err
	}
	programs := filepath.Join(place, "marvin")
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(programs, "marvin"), "./cmd/marvin")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build Marvin: %w\n%s", err, out)
	}
	for i, scene := range scenes {
		if len(names) > 0 && !slices.Contains(names, scene.name) {
			continue
		}
		path := filepath.Join(directory, scene.name+".svg")
		picture, err := scene.shoot(filepath.Join(place, fmt.Sprint(i)), programs)
		if err != nil {
			return fmt.Errorf("%s: %w", scene.name, err)
		}
		if err := os.WriteFile(path, []byte(picture), 0o644); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}
