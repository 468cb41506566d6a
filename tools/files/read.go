package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"marvin/messages"
	written "marvin/persistence/words"
	"marvin/tools"
	"marvin/tools/internal/address"
	"marvin/tools/internal/box"
	"marvin/tools/internal/page"
	"marvin/tools/internal/text"
)

const (
	// wholeLimit is the maximum size in bytes of a file that is shown whole and unchanged.
	wholeLimit = 10_240
	// firstPart is the maximum size, in bytes, of a page from readWhole. readWhole shows only the
	// first page of a larger file.
	firstPart = 24 << 10
)

type readArgs struct {
	Path  string `json:"path" doc:"The file, relative to the working directory" sent:"" alias:"file_path,filename,file,filepath" example:"README.md"`
	Start *int   `json:"start_line,omitempty" doc:"First line to show, counted from 1" sent:"" min:"1" alias:"start,offset,from"`
	End   *int   `json:"end_line,omitempty" doc:"Last line to show, inclusive" sent:"" alias:"end,to"`
}

func readTool() tools.Tool {
	return tools.WithOutline("Read a file: text, PDF, office document, notebook, picture. Also reads artifact:N (a long output), x.zip!/a, x.db!/table, doc: (your own manual), skill:NAME, mcp:SERVER. "+
		"For a file over 10 KB, shows the beginning, or lines start_line to end_line, as \"N. line\".", tools.New(tools.Def[readArgs]{
		Name: "read_file",
		Doc: "Read a file in the working directory: text, PDF, office document, notebook or picture. Also reads artifact:N (a long output), x.zip!/a, x.db!/table, doc: (your own manual), skill:NAME, mcp:SERVER. Shows a file of up to 10 KB in full. " +
			"For a larger file, shows the beginning, or lines start_line to end_line, each as \"N. line\"; the number is not part of the file.",
		Examples: []string{
			"read {README.md|path}",
			"what is in {go.mod|path}",
			"show lines {10|start_line} to {20|end_line} of {go.mod|path}",
		},
		Core: true, Needs: tools.Needs{Coding: true}, Access: tools.Shared, Pages: true,
		Fold: foldRange,
		Places: func(env tools.Env, in readArgs) []tools.Place {
			at, ok := address.Parse(in.Path)
			switch {
			case ok && at.File == "":
				return nil
			case ok:
				in.Path = at.File
			}
			return []tools.Place{env.PlaceAt(in.Path, false)}
		},
		Run: read,
	}))
}

// withRange applies the line range at the end of a path: NAME:5-6, a.zip!/b:5 or NAME#L5-L6. A
// range in the arguments takes precedence.
func (in readArgs) withRange(lines written.Lines) readArgs {
	in.Path = lines.Name
	if in.Start == nil && in.End == nil && lines.First > 0 {
		if in.Start = &lines.First; lines.Last > 0 {
			in.End = &lines.Last
		}
	}
	return in
}

func read(ctx context.Context, env tools.Env, in readArgs) (tools.Output, error) {
	if at, ok := address.Parse(in.Path); ok {
		// The address of a member can end with a line range.
		if ranges := written.Ranges(in.Path); at.Scheme == "" && len(ranges) > 0 {
			in = in.withRange(ranges[len(ranges)-1])
			at, _ = address.Parse(in.Path)
		}
		return readAddress(ctx, env, in, at)
	}
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	if lines, ok := dir.CutRange(in.Path); ok {
		in = in.withRange(lines)
	}
	file, err := dir.Open(in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = file.Close() }()
	source, err := open(env, dir, file)
	if err != nil {
		return tools.Output{}, fmt.Errorf("read %s: %w", in.Path, err)
	}
	if kind := text.Foreign(source.head); kind != "" {
		return source.nonText(ctx, env, in, kind)
	}
	if in.Start != nil || in.End != nil {
		return source.lines(ctx, env, in)
	}
	if cells, ok := source.notebook(in.Path); ok {
		return tools.Output{Text: cells}, nil
	}
	return source.readWhole(ctx, env, in.Path)
}

// foldRange accepts an offset and a line count instead of a range.
func foldRange(arguments map[string]any) {
	number := func(name string) (int, bool) {
		n, err := strconv.Atoi(strings.TrimSpace(fmt.Sprint(arguments[name])))
		return n, err == nil
	}
	for _, name := range []string{"limit", "max_lines", "num_lines", "line_count", "length"} {
		count, ok := number(name)
		if !ok {
			continue
		}
		delete(arguments, name)
		first := 1
		for _, from := range []string{"start_line", "offset", "start", "from"} {
			if n, ok := number(from); ok {
				first = max(1, n)
			}
		}
		if _, said := number("end_line"); !said && count > 0 {
			arguments["end_line"] = first + count - 1
		}
	}
}

// source is a file to read. A small file is in memory. A larger file is a stream.
type source struct {
	head  []byte // the beginning of the content; the whole content if rest is nil
	total int    // number of lines; -1 for a stream
	size  int64
	rest  io.Reader // nil if head is the whole content

	addressed bool // the source is an address, which commands cannot read
}

// open creates a source for a file. It reads up to box.MaxEdit bytes, and records the content in
// env.Seen. It does not record larger files, because they cannot be edited.
func open(env tools.Env, dir *box.Dir, file *box.File) (source, error) {
	head, err := io.ReadAll(io.LimitReader(file, min(box.MaxEdit, max(file.Info.Size(), 512))+1))
	if err != nil {
		return source{}, err
	}
	if int64(len(head)) > box.MaxEdit || int64(len(head)) > max(file.Info.Size(), 512) {
		return source{head: head, total: -1, size: max(file.Info.Size(), int64(len(head))), rest: file}, nil
	}
	env.Seen.Record(dir.Abs(file.Name), head)
	return source{head: head, total: text.CountLines(head), size: int64(len(head))}, nil
}

func (s source) reader() io.Reader {
	if s.rest == nil {
		return bytes.NewReader(s.head)
	}
	return io.MultiReader(bytes.NewReader(s.head), s.rest)
}

// readWhole returns a small file unchanged, or the first part of a large file.
func (s source) readWhole(ctx context.Context, env tools.Env, path string) (tools.Output, error) {
	if len(s.head) == 0 {
		return tools.Output{Text: "[the file is empty]"}, nil
	}
	request := page.Request{LineBytes: wholeLimit, Room: env.Room}
	if s.size > wholeLimit {
		request = page.Request{First: 1, Row: row, Bytes: firstPart, Room: env.Room}
	}
	shown, err := page.Read(ctx, s.reader(), request)
	if errors.Is(err, page.ErrBinary) {
		return tools.Output{}, binary(path, err)
	}
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: shown.Text + s.differenceNotes(path, shown), Summary: describeExtent(shown)}, nil
}

func binary(path string, err error) error {
	return tools.Advise(fmt.Errorf("%s: %w", path, err), "It cannot be shown as text.")
}

func rangeCall(path string, first, last int) string {
	return fmt.Sprintf("read_file {\"path\": %q, \"start_line\": %d, \"end_line\": %d}", path, first, last)
}

// lines returns the lines from in.Start to in.End, with line numbers. The end of the range can be
// beyond the end of the file.
func (s source) lines(ctx context.Context, env tools.Env, in readArgs) (tools.Output, error) {
	request := page.Request{First: 1, Row: row, Room: env.Room}
	if in.Start != nil {
		request.First = *in.Start
	}
	if in.End != nil && *in.End > 0 {
		request.Last = *in.End
	}
	if request.Last > 0 && request.Last < request.First {
		return tools.Output{}, tools.Advise(fmt.Errorf("end_line %d is before start_line %d", request.Last, request.First), "Swap the two numbers.")
	}
	shown, err := page.Read(ctx, s.reader(), request)
	if errors.Is(err, page.ErrBinary) {
		return tools.Output{}, binary(in.Path, err)
	}
	if err != nil {
		return tools.Output{}, err
	}
	if shown.Last < shown.First {
		return tools.Output{}, rangeError(in.Path, shown.Total, request.First)
	}
	note := s.differenceNotes(in.Path, shown)
	if request.Last > shown.Last && shown.End {
		note = fmt.Sprintf("[the file ends here, with line %d]\n", shown.Last) + note
	}
	return tools.Output{Text: shown.Text + note, Summary: describeExtent(shown)}, nil
}

// describeExtent describes which lines of a file were read. The user sees this description instead
// of the first line of the content.
func describeExtent(shown page.Page) string {
	if shown.First <= 1 && shown.End {
		return messages.Counted(shown.Last, "line")
	}
	return fmt.Sprintf("lines %d to %d", max(shown.First, 1), shown.Last)
}

func row(number int, line string) string { return fmt.Sprintf("%d. %s", number, line) }

// rangeError returns the error for a range that starts after the end of the file.
func rangeError(path string, total, first int) error {
	if total == 0 {
		return fmt.Errorf("%s is empty", path)
	}
	return tools.Advise(fmt.Errorf("%s has only %s, so there is no line %d", path, messages.Counted(total, "line"), first),
		"Its end: %s", rangeCall(path, max(1, total-49), total))
}

// differenceNotes describes, in brackets, how the shown text differs from the file.
func (s source) differenceNotes(path string, shown page.Page) string {
	var notes string
	if shown.Cut {
		of := fmt.Sprintf(", of %.0f MB,", float64(s.size)/1e6)
		if s.total > 0 {
			of = fmt.Sprintf(" of %d", s.total)
		}
		notes += fmt.Sprintf("[lines %d to %d%s are shown. Continue with read_file {\"path\": %q, \"start_line\": %d}]\n", shown.First, shown.Last, of, path, shown.Last+1)
	}
	if shown.LongLines {
		notes += "[long lines are shortened; to see the rest, use a command such as \"cut -c\"]\n"
	}
	if shown.Mended {
		notes += "[the file is not UTF-8: invalid bytes are shown as �; edit it only with ASCII text]\n"
	}
	if notes != "" && shown.Text != "" && shown.Text[len(shown.Text)-1] != '\n' {
		notes = "\n" + notes
	}
	return notes
}
