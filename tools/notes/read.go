package notes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/page"
	"marvin/tools/internal/text"
)

// wholeLimit limits the number of bytes that read_note shows.
const wholeLimit = 10_240

type readArgs struct {
	Filename string `json:"filename" doc:"Name of the note, with or without .md" alias:"path,name,title" example:"ideas.md"`
	Project  bool   `json:"project,omitempty" doc:"Read a project note instead"`
}

func readTool() tools.Tool {
	return tools.New(tools.Def[readArgs]{
		Name: "read_note", Brings: tools.Private, Pages: true,
		Doc:      "Read a note. Shows only the first 10 KB of a long note and says how to continue.",
		Examples: []string{"read my note {ideas|filename}", "show the note {shopping|filename}", "what does the note {meeting|filename} say"},
		Chat:     true,
		Run:      read,
	})
}

func read(ctx context.Context, env tools.Env, in readArgs) (tools.Output, error) {
	dir, more, err := existing(env, in.Filename, in.Project)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	name := dir.note(in.Filename)
	content, err := dir.load(env, name)
	if err != nil {
		return tools.Output{}, err
	}
	if len(content) == 0 {
		return tools.Output{Text: fmt.Sprintf("[%s is empty]", dir.show(name))}, nil
	}
	shown, err := page.Read(ctx, strings.NewReader(string(content)), page.Request{Bytes: wholeLimit, LineBytes: wholeLimit, Room: env.Room})
	if err != nil {
		return tools.Output{}, err
	}
	out := tools.Output{Text: shown.Text}
	if shown.Cut || shown.LongLines {
		out.Text = strings.TrimSuffix(out.Text, "\n") + fmt.Sprintf("\n[lines %d to %d of %d are shown. %s]", shown.First, shown.Last, text.CountLines(content), dir.goOn(name, shown.Last+1))
	}
	if shown.Mended {
		out.Text = strings.TrimSuffix(out.Text, "\n") + "\n[the note is not valid UTF-8: invalid bytes are shown as �]"
	}
	if dir.name == projectNotes && !ofProject(in.Filename) {
		out.Text = strings.TrimSuffix(out.Text, "\n") + fmt.Sprintf("\n[this is %s, a project note]", dir.show(name))
	}
	if more {
		out.Text = strings.TrimSuffix(out.Text, "\n") + fmt.Sprintf("\n[this is %s; the project also has a note with this name: %s/%s]", dir.show(name), projectNotes, name)
	}
	return out, nil
}

// openForReading opens the user's notes directory. If the directory is missing, the error suggests
// write_note.
func openForReading(env tools.Env) (place, error) {
	dir, err := openHome(env, false)
	if errors.Is(err, fs.ErrNotExist) {
		return place{}, tools.Advise(fmt.Errorf("there are no notes yet: %s: %w", homeNotes, fs.ErrNotExist), "write_note makes the first one.")
	}
	return dir, err
}

// load returns the whole content of a note, and records that content in env.Seen.
func (p place) load(env tools.Env, name string) ([]byte, error) {
	file, err := p.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, box.MaxEdit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p.show(name), err)
	}
	if len(content) > box.MaxEdit {
		return nil, fmt.Errorf("%s has %d bytes: too large for a note (at most %d)", p.show(name), file.Info.Size(), box.MaxEdit)
	}
	if err := edit.CheckText(p.show(name), content); err != nil {
		return nil, err
	}
	env.Seen.Record(p.Abs(file.Name), content)
	return content, nil
}

// goOn returns advice that names the tool for reading the rest of a note.
func (p place) goOn(name string, line int) string {
	if p.name == projectNotes {
		return fmt.Sprintf("Continue with read_file {\"path\": %q, \"start_line\": %d, \"end_line\": %d}", p.show(name), line, line+199)
	}
	return fmt.Sprintf("Continue with file_read_lines {\"path\": %q, \"start\": %d}", name, line)
}
