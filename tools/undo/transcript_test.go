package undo_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/undo"
)

func TestUndoTool(t *testing.T) {
	p := begin(t)
	ask := func(args string, apply bool) (string, error) {
		var wish undo.Request
		if args != "" {
			if err := json.Unmarshal([]byte(args), &wish); err != nil {
				return "", err
			}
		}
		plan, err := undo.Make(p.journal, p.env, wish)
		if err != nil {
			return "", err
		}
		text := fmt.Sprintf("%s (empty %t)\n%s", plan.Title(), plan.Empty(), plan.Detail())
		if view := plan.Diff(); view != nil && !apply {
			text += "\n" + view.Text
		}
		if apply {
			if err := plan.Apply(t.Context(), p.journal, p.env); err != nil {
				return text, err
			}
			text = plan.Report() + "\nchanged: " + strings.Join(plan.Changed(), " ")
		}
		return text, nil
	}
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (text string, err error) {
		first, rest, _ := strings.Cut(args, " ")
		path := filepath.Join(p.env.Dir, first)
		switch name {
		case "turn":
			p.turn++
		case "somebody":
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(rest), 0o644))
		case "chmod":
			err = os.Chmod(path, 0o600)
		case "drop":
			err = os.RemoveAll(path)
		case "link":
			err = os.Symlink(rest, path)
		case "move":
			err = os.Rename(path, filepath.Join(p.env.Dir, rest))
		case "again":
			p.again()
		case "plan", "take":
			text, err = ask(args, name == "take")
		case "tree":
			all := p.tree()
			var lines []string
			for _, name := range slices.Sorted(maps.Keys(all)) {
				kind, content, _ := strings.Cut(all[name], " ") // modes are the mask's
				lines = append(lines, fmt.Sprintf("%s %s %q", name, kind[:1], content))
			}
			text = strings.Join(lines, "\n")
		default:
			var values map[string]any
			if err = json.Unmarshal([]byte(args), &values); err == nil {
				err = p.call(name, values)
			}
		}
		if err != nil {
			err = errors.New(strings.ReplaceAll(err.Error(), p.env.Dir, "ROOT"))
		}
		return strings.ReplaceAll(text, p.env.Dir, "ROOT"), err
	})
}
