package undo

import (
	"fmt"

	"marvin/messages"
	"marvin/persistence/undolog"
	"marvin/tools"
)

// partTool is the tool name in the record of a partial undo. The record belongs to the turn that
// made the change, so a later undo of that turn covers the record.
const partTool = "/diff"

// Part returns a plan for undoing one part of a change. Part fails if the file's content has
// changed since the user looked at the change.
func Part(journal *undolog.Journal, env tools.Env, dir string, wish messages.TakeBack) (Plan, error) {
	all, err := Changes(journal, env, dir)
	if err != nil {
		return Plan{}, err
	}
	for _, one := range all {
		if one.Path == wish.Path {
			return one.part(wish)
		}
	}
	return Plan{}, fmt.Errorf("Nothing was undone, because this conversation has not changed %s, or the file is back in its original state. Look at the changes again", tools.Visible(wish.Path))
}

func (c *ChangedFile) part(wish messages.TakeBack) (Plan, error) {
	stays := func(why string) error {
		return fmt.Errorf("Nothing was changed in %s: %s", tools.Visible(c.Name), why)
	}
	switch {
	case c.Missing != "":
		return Plan{}, stays(c.Missing)
	case c.Refused != "":
		return Plan{}, stays(c.Refused)
	case wish.Seen != c.contentID():
		return Plan{}, stays("it has changed since you looked at it. Look again")
	case wish.Hunk < 1 || wish.Hunk > max(len(c.hunks), c.wholeAt()):
		return Plan{}, stays(fmt.Sprintf("it has no part %d", wish.Hunk))
	}
	plan := Plan{part: true, Turn: c.parts[0].from.Turn, Files: c.parts}
	if wish.Hunk == c.wholeAt() {
		return plan, nil
	}
	file := &plan.Files[0]
	file.change.After = c.Undo(c.hunks[wish.Hunk-1])
	file.mode = 0
	if file.change.Before == nil {
		file.mode = c.BeforeMode
	}
	plan.Files = plan.Files[:1]
	return plan, nil
}

// wholeAt returns the part number of the whole change: the number of hunks plus one. The whole
// change has this number only if the file was moved or there are no hunks. Otherwise, wholeAt
// returns 0.
func (c *ChangedFile) wholeAt() int {
	if len(c.hunks) == 0 || c.Was != c.Name {
		return len(c.hunks) + 1
	}
	return 0
}

func (p *Plan) partReport() string {
	for _, file := range p.Files {
		if file.failed != "" {
			return "Nothing was undone: " + tools.Visible(file.Path) + " stays as it is: " + file.failed
		}
	}
	return "Undone: a part of " + tools.Visible(p.Files[0].Path) + ". /redo applies it again."
}

// IsPart reports whether the plan undoes only part of a turn's changes.
func (p *Plan) IsPart() bool { return p.part }
