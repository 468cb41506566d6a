package main

import (
	"strings"
	"time"

	"marvin/providers/modeltest"
)

// pieces are how the answer of the film comes, each with what is on the screen once it is there.
var pieces = []struct {
	lines int
	shown string
}{
	{1, "below their limit"}, {4, "tomatoes"}, {1, "beans"}, {1, "shiso"}, {1, "courgettes"}, {2, "standard library"},
	{4, "import csv"}, {1, "with open"}, {1, "for row"}, {1, `"limit"]):`}, {2, "2 messages"},
}

// story is the film: a question with its answer as it comes, a change of a file, and another theme.
// The model waits at each gate until the scene lets it go on.
func story() scene {
	gate := make(chan struct{})
	wait := modeltest.Pause(gate)
	goOn := func(*person) error {
		select {
		case gate <- struct{}{}:
		case <-time.After(patience): // what is waited for next is never seen then, which says more
		}
		return nil
	}
	const moment = 280 * time.Millisecond
	lines, answer := strings.SplitAfter(dryBeds, "\n"), []modeltest.Step(nil)
	comes := []step(nil)
	for _, piece := range pieces {
		answer = append(answer, wait, modeltest.Text(strings.Join(lines[:piece.lines], "")))
		lines = lines[piece.lines:]
		comes = append(comes, goOn, sees(piece.shown), shows(moment))
	}
	return scene{
		name: "story", title: "A conversation as it goes: a question and its answer, a change of a file, and the choice of another theme", rows: height,
		files: map[string]string{"beds.csv": garden["beds.csv"], "dry.py": dryScript},
		model: script(
			wait.Append(modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]any{"path": "beds.csv"}})).WithFaults(modeltest.Tokens(5200, 0, 24)),
			answer[0].Append(answer[1:]...).WithFaults(modeltest.Tokens(5330, 5120, 210)),
			wait.Append(modeltest.Calls(modeltest.Call{Name: "apply_patch", Args: map[string]any{
				"path": "dry.py", "old_str": `int(row["limit"])`, "new_str": `int(row["limit"]) + 5`,
			}})).WithFaults(modeltest.Tokens(5600, 5120, 60)),
			wait.Append(modeltest.Text("It warns five per cent earlier now.")).WithFaults(modeltest.Tokens(5700, 5600, 20)),
		),
		play: []step{
			types(start), sees("profile default"), shows(1500 * time.Millisecond),
			letters("Which beds are too dry? And how do I list them in Python?", 4), press("Enter"),
			sees("Esc cancels"), shows(2 * moment), goOn, sees("✓ read_file"), shows(2 * moment),
			all(comes...), shows(1800 * time.Millisecond),
			letters("Let dry.py warn five per cent earlier", 4), press("Enter"),
			sees("Esc cancels"), shows(2 * moment), goOn, sees("✓ apply_patch"), shows(2 * moment),
			goOn, sees("4 messages"), press("C-o"), sees("+ 5:"), shows(2500 * time.Millisecond), press("C-o"),
			press("/", "t", "h"), sees("choose the colors"), shows(3 * moment),
			press("e", "m", "e", "Enter"), sees("type to search", "catppuccin-mocha"), shows(3 * moment),
			press("n", "o", "r", "d"), sees("search: nord"), shows(4 * moment), press("Enter"), sees("Ask anything"), shows(6 * moment),
		},
	}
}
