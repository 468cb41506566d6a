package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/page"
	"marvin/tools/internal/show"
	"marvin/tools/internal/text"
)

const listLimit = 300 // maximum number of directory entries shown

type readArgs struct {
	Repo  string `json:"repo" doc:"owner/name, already cloned" alias:"repository" example:"golang/example"`
	Path  string `json:"path" doc:"File or directory in the repository" alias:"file,file_path" example:"README.md"`
	Start int    `json:"start" doc:"First line; 0 means the beginning" default:"0" min:"0" alias:"start_line"`
	End   int    `json:"end" doc:"Last line; 0 means the end" default:"0" min:"0" alias:"end_line"`
}

func readTool() tools.Tool {
	return tools.New(tools.Def[readArgs]{
		Name: "github_read_file", Brings: tools.Strangers, Pages: true,
		Doc:      "Read a file or list a directory in a repository that github_clone cloned.",
		Examples: []string{"show {README.md|path} of the cloned repository {golang/example|repo}", "read {go.mod|path} in the github clone {golang/example|repo}"},
		Run:      read,
	})
}

func read(ctx context.Context, env tools.Env, in readArgs) (tools.Output, error) {
	if in.End > 0 && in.End < in.Start {
		return tools.Output{}, tools.Advise(fmt.Errorf("end %d is before start %d", in.End, in.Start), "Swap the two numbers.")
	}
	dir, repo, err := openClone(env, in.Repo)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	name := boxPath(in.Path)
	at, info, err := dir.Locate(name)
	if err == nil && info != nil && info.IsDir() {
		return list(dir, repo, at)
	}
	file, err := dir.Open(name)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = file.Close() }()
	return readFile(ctx, env, in, repo, file)
}

// readFile shows as many of the requested lines as fit. The size of the file is not limited.
func readFile(ctx context.Context, env tools.Env, in readArgs, repo repository, file *box.File) (tools.Output, error) {
	name, size := tools.Visible(file.Name), file.Info.Size()
	head := make([]byte, 4096)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return tools.Output{}, fmt.Errorf("read %s: %w", name, err)
	}
	if kind := text.Foreign(head[:n]); kind != "" {
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is %s, %d bytes: it cannot be shown as text", name, kind, size), "Choose another file; to list the repository's files, give the path \".\".")
	}
	shown, err := page.Read(ctx, io.MultiReader(bytes.NewReader(head[:n]), file), page.Request{
		First: in.Start, Last: in.End, Room: env.Room,
		Row: func(number int, line string) string { return fmt.Sprintf("%5d | %s", number, tools.Visible(line)) },
	})
	if errors.Is(err, page.ErrBinary) {
		return tools.Output{}, tools.Advise(fmt.Errorf("%s: %w", name, err), "It cannot be shown as text.")
	}
	if err != nil {
		return tools.Output{}, err
	}
	header := fmt.Sprintf("%s: %s (%s bytes)\n", repo, name, show.Count(int(size)))
	switch {
	case shown.Last < shown.First && size > 0:
		return tools.Output{}, tools.Advise(fmt.Errorf("%s has no line %d", name, shown.First), "Ask for an earlier one.")
	case shown.Last < shown.First:
		return tools.Output{Text: header + "[the file is empty]\n"}, nil
	case shown.Cut:
		return tools.Output{Text: header + shown.Text + fmt.Sprintf("[the rest does not fit; continue with \"start\": %d]\n", shown.Last+1)}, nil
	}
	return tools.Output{Text: header + shown.Text}, nil
}

func list(dir *box.Dir, repo repository, at string) (tools.Output, error) {
	entries, err := dir.List(at)
	if err != nil {
		return tools.Output{}, err
	}
	var lines []string
	for _, entry := range entries {
		name := tools.Visible(strings.ReplaceAll(entry.Name(), "\n", `\n`))
		switch {
		case entry.Name() == ".git":
			continue
		case entry.IsDir():
			name += "/"
		case !entry.Type().IsRegular():
			name += " (link)"
		default:
			if info, err := entry.Info(); err == nil {
				name += fmt.Sprintf(" (%s bytes)", show.Count(int(info.Size())))
			}
		}
		lines = append(lines, name)
	}
	if more := len(lines) - listLimit; more > 0 {
		lines = append(lines[:listLimit], fmt.Sprintf("[%d more]", more))
	}
	counted := fmt.Sprintf("%d entries", len(entries))
	if len(entries) == 1 {
		counted = "1 entry"
	}
	return tools.Output{Text: fmt.Sprintf("%s: %s (%s)\n%s\n", repo, tools.Visible(at), counted, strings.Join(lines, "\n"))}, nil
}
