package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/text"
)

// Begin starts a batch that refuses stale files (see [tools.Stamps.Stale]).
func Begin(env tools.Env, dir *box.Dir) *box.Batch {
	batch := dir.Batch()
	batch.Loaded = func(path string, content []byte) error {
		if !env.Seen.Stale(path, content) {
			return nil
		}
		return tools.Advise(box.ErrChanged, "Nothing was changed, because another program changed the file. Read it again, then repeat the edit on the new content.")
	}
	return batch
}

// BeginMerge starts a batch for edits that are located by their context. Unlike [Begin], it accepts
// stale files (see [tools.Stamps.Stale]), and appends their absolute paths to *stale.
func BeginMerge(env tools.Env, dir *box.Dir) (batch *box.Batch, stale *[]string) {
	batch, stale = dir.Batch(), &[]string{}
	batch.Loaded = func(path string, content []byte) error {
		if env.Seen.Stale(path, content) {
			*stale = append(*stale, path)
		}
		return nil
	}
	return batch, stale
}

// Commit makes the changes, and records the new contents in env.Seen. It does not record files that
// were stale before the change.
func Commit(ctx context.Context, env tools.Env, batch *box.Batch) ([]box.Change, error) {
	changes, err := Write(ctx, env, batch)
	if err != nil {
		return nil, err
	}
	if env.Languages != nil {
		env.Languages.ReportChanges(fileChangesOf(changes))
	}
	for _, change := range changes {
		env.Seen.Change(change.Path)
		switch {
		case change.After == nil:
			env.Seen.Forget(change.Path)
		case change.Before == nil || !env.Seen.Stale(change.Path, change.Before):
			env.Seen.Record(change.Path, change.After)
		}
	}
	return changes, nil
}

// Linked returns a note that lists the changed files that had other hard links, or "" if there are
// none. The other links still lead to the old content.
func Linked(changes []box.Change) string {
	var names []string
	for _, change := range changes {
		if change.Linked {
			names = append(names, change.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "\nNote: " + strings.Join(names, ", ") + " had a second name (a hard link); that name still has the old content."
}

// Write makes the changes, and keeps the old contents for undo.
func Write(ctx context.Context, env tools.Env, batch *box.Batch) ([]box.Change, error) {
	changes, failed := batch.Changes(), func() {}
	if env.Undo != nil && len(changes) > 0 {
		failed = env.Undo.Keep(fileChangesOf(changes))
	}
	if err := batch.Commit(ctx); err != nil {
		failed()
		return nil, err
	}
	return changes, nil
}

func fileChangesOf(changes []box.Change) []tools.FileChange {
	return lists.Map(changes, func(one box.Change) tools.FileChange {
		return tools.FileChange{
			Dir: one.Dir, Name: one.Name, Path: one.Path, Before: one.Before, After: one.After,
			BeforeMode: one.BeforeMode, AfterMode: one.AfterMode, Made: one.Made,
		}
	})
}

// Retry executes a function, and repeats it up to 20 times while it returns [box.ErrChanged]. This
// error means that a file changed between reading and writing.
func Retry(ctx context.Context, work func() error) error {
	for range 20 {
		err := work()
		if !errors.Is(err, box.ErrChanged) || ctx.Err() != nil {
			return err
		}
	}
	return work()
}

// CheckText returns an error for content that cannot be edited as text.
func CheckText(name string, content []byte) error {
	if kind := text.Foreign(content); kind != "" {
		return tools.Advise(fmt.Errorf("%s is %s and cannot be edited as text", name, kind), "Convert it first (iconv), or use a command made for such files.")
	}
	return nil
}

// Diff returns a change as a unified diff. The diff omits differences in line endings.
func Diff(change box.Change) string { return diffOf(change, change.Name) }

// diffOf returns the diff of a change, from the previous name of the file to its current name.
func diffOf(change box.Change, was string) string {
	from, to := "a/"+was, "b/"+change.Name
	if change.Before == nil {
		from = "/dev/null"
	}
	if change.After == nil {
		to = "/dev/null"
	}
	before := bytes.ReplaceAll(change.Before, []byte("\r\n"), []byte("\n"))
	after := bytes.ReplaceAll(change.After, []byte("\r\n"), []byte("\n"))
	_, out, _ := strings.Cut(string(diff.Diff(from, before, to, after)), "\n")
	return out
}

// Diffs returns the diffs of several changes, one after another. A moved file gets one diff, from
// its old name to its new name.
func Diffs(changes []box.Change) string {
	var out strings.Builder
	for i, was := range FindMoved(changes) {
		switch {
		case was == i:
			out.WriteString(Diff(changes[i]))
		case was >= 0:
			one := changes[i]
			one.Before = changes[was].Before
			if bytes.Equal(one.Before, one.After) {
				out.WriteString("--- a/" + changes[was].Name + "\n+++ b/" + one.Name + "\n")
				continue
			}
			out.WriteString(diffOf(one, changes[was].Name))
		}
	}
	return out.String()
}

// View returns a diff of the changes for display.
func View(changes []box.Change) *messages.View {
	shown, _ := tools.ResultLimits.Cut(tools.Visible(Diffs(changes)))
	return &messages.View{Kind: messages.Diff, Text: shown}
}

// Size counts the lines that a change added and removed.
func Size(change box.Change) (added, removed int) {
	body := false
	for line := range strings.Lines(Diff(change)) {
		body = body || strings.HasPrefix(line, "@@")
		if body && line[0] == '+' {
			added++
		}
		if body && line[0] == '-' {
			removed++
		}
	}
	return added, removed
}
