package files

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/patch"
	"marvin/tools/internal/text"
)

// patchWork converts a patch to a batch. Each section applies to the result of the sections before
// it.
type patchWork struct {
	env   tools.Env
	dir   *box.Dir
	batch *box.Batch
	stale *[]string // files that changed since they were last read
	lines []string  // the report, one line per section
}

func (p *patchWork) prepare(sections []patch.Section) error {
	for i, section := range sections {
		// Absolute paths inside the working directory become relative.
		section.Path, section.MoveTo = p.dir.Local(section.Path), p.dir.Local(section.MoveTo)
		if lines, ok := p.dir.CutRange(section.Path); ok {
			section.Path = lines.Name
		}
		line, err := p.section(section)
		switch {
		case err != nil && len(sections) == 1 && len(section.Edits) > 0:
			return err
		case err != nil:
			return fmt.Errorf("nothing was changed: section %d of %d: %w", i+1, len(sections), err)
		}
		p.lines = append(p.lines, line)
	}
	return nil
}

// section adds the changes of one patch section to p.batch. It returns a line for the report.
func (p *patchWork) section(section patch.Section) (string, error) {
	switch {
	case section.Action == patch.Add:
		line := fmt.Sprintf("Added %s (%s)", section.Path, messages.Counted(text.CountLines([]byte(section.Content)), "line"))
		if err := p.batch.Create(section.Path, []byte(section.Content)); err != nil {
			return line, explainTaken(err, section.Path)
		}
		if section.Mode == gitProgram {
			return line + ", mode 755", p.batch.SetMode(section.Path, 0o755)
		}
		return line, runnable(p.batch, section.Path, section.Content)
	case section.Action == patch.Delete:
		return "Deleted " + section.Path, p.remove(section)
	case len(section.Edits) > 0:
		return p.replace(section)
	}
	return p.update(section)
}

// read reads a file, and checks that the content is text.
func (p *patchWork) read(path string) ([]byte, error) {
	content, err := p.batch.Read(path)
	if err != nil {
		return nil, err
	}
	return content, edit.CheckText(path, content)
}

// remove deletes a file. If the section has hunks, the hunks must delete every line of the file.
func (p *patchWork) remove(section patch.Section) error {
	if len(section.Hunks) > 0 {
		content, err := p.read(section.Path)
		if err != nil {
			return err
		}
		result, err := patch.Apply(content, section.Hunks)
		if err != nil {
			return fmt.Errorf("%s: %w", section.Path, err)
		}
		if len(result.Content) > 0 {
			return tools.Advise(fmt.Errorf("%s: the diff deletes the file, but the file has lines that the diff does not show", section.Path), "Read the file again. To delete the file regardless of its content, use *** Delete File: %s", section.Path)
		}
	}
	// Refuse to remove a file that changed since it was read.
	if _, err := edit.Begin(p.env, p.dir).Read(section.Path); errors.Is(err, box.ErrChanged) {
		return err
	}
	return p.batch.Remove(section.Path)
}

// replace applies the edits of a section in order.
func (p *patchWork) replace(section patch.Section) (string, error) {
	before, err := p.read(section.Path)
	if err != nil {
		return "", err
	}
	content, line, places := before, 0, 0
	var mends []string
	for i, one := range section.Edits {
		change := patch.Replace
		if one.All {
			change = patch.ReplaceAll
		}
		result, err := change(content, one.Old, one.New)
		if err != nil && len(section.Edits) > 1 {
			return "", fmt.Errorf("%s: edit %d of %d (nothing was changed): %w", section.Path, i+1, len(section.Edits), err)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", section.Path, err)
		}
		mends = append(mends, result.Mended...)
		content, places = result.Content, places+result.Hunks
		if line == 0 || result.Line < line {
			line = result.Line
		}
	}
	added, removed := edit.Size(box.Change{Name: section.Path, Before: before, After: content})
	says := ""
	if places > 1 {
		says = messages.Counted(places, "place") + ", "
	}
	return fmt.Sprintf("Patched %s at line %d: %s+%d -%d, now %s.%s", section.Path, line, says, added, removed, messages.Counted(text.CountLines(content), "line"), describeAdjustments(mends)), p.batch.Write(section.Path, content)
}

// gitProgram is git's mode for executable files.
const gitProgram = "100755"

// update applies the hunks of a section, and moves the file if MoveTo is set.
func (p *patchWork) update(section patch.Section) (string, error) {
	line := "Updated " + section.Path
	if len(section.Hunks) > 0 {
		content, err := p.read(section.Path)
		if err != nil {
			return "", err
		}
		result, err := patch.Apply(content, section.Hunks)
		if err != nil {
			return "", fmt.Errorf("%s: %w", section.Path, err)
		}
		if err := p.batch.Write(section.Path, result.Content); err != nil {
			return "", err
		}
		added, removed := edit.Size(box.Change{Name: section.Path, Before: content, After: result.Content})
		line += fmt.Sprintf(" at line %d: %s, +%d -%d, now %s", result.Line, messages.Counted(result.Hunks, "hunk"), added, removed, messages.Counted(text.CountLines(result.Content), "line")) + describeAdjustments(result.Mended)
	}
	if perm, named := map[string]fs.FileMode{gitProgram: 0o755, "100644": 0o644}[section.Mode]; named && len(section.Hunks) > 0 {
		if err := p.batch.SetMode(section.Path, perm); err != nil {
			return "", err
		}
		line += fmt.Sprintf(", mode %o", perm)
	}
	if section.MoveTo == "" {
		return line, nil
	}
	if err := p.batch.Rename(section.Path, section.MoveTo); err != nil {
		return "", explainTaken(err, section.MoveTo)
	}
	if len(section.Hunks) == 0 {
		return fmt.Sprintf("Moved %s to %s", section.Path, section.MoveTo), nil
	}
	return line + "; moved to " + section.MoveTo, nil
}

// describeAdjustments describes how Marvin adjusted an edit to fit the file.
func describeAdjustments(what []string) string {
	if len(what) == 0 {
		return ""
	}
	slices.Sort(what)
	return " (adjusted to fit the file: " + strings.Join(slices.Compact(what), ", ") + ")"
}

func explainTaken(err error, path string) error {
	if errors.Is(err, fs.ErrExist) {
		return tools.Advise(err, "To change the file, use *** Update File: %s; to replace it, first delete it in the same patch.", path)
	}
	return err
}
