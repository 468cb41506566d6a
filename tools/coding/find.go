package coding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/address"
	"marvin/tools/internal/matching"
)

// mostFound is the maximum number of matching files whose modification times are read.
const mostFound = 20_000

type findArgs struct {
	Pattern string `json:"pattern" doc:"*.go, src/**/*.ts or part of a name" sent:"*.go, src/**/*.ts, or part of a name" example:"*_test.go" alias:"glob,name,query"`
	Path    string `json:"path" doc:"Where to look" sent:"" default:"." alias:"dir,directory"`
	Limit   int    `json:"limit" doc:"Maximum files" sent:"" default:"100" min:"1" max:"1000" alias:"max_results,head_limit"`
}

func findTool() tools.Tool {
	return tools.WithOutline("Find files by name, newest first. Skips files that git ignores.", tools.New(tools.Def[findArgs]{
		Name:     "find_files",
		Doc:      "Find project files by name, newest first. Skips files that git ignores.",
		Examples: []string{"find files called {*.go|pattern}", "find all {*.md|pattern} files", "where is the file {main.go|pattern}"},
		Core:     true, Needs: tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc,
		Run: find,
	}))
}

type foundFile struct {
	name    string
	changed time.Time
}

func find(ctx context.Context, env tools.Env, in findArgs) (tools.Output, error) {
	if strings.TrimSpace(in.Pattern) == "" {
		return tools.Output{}, errors.New("the pattern is empty")
	}
	if at, ok := address.Parse(in.Path); ok {
		return findAddress(ctx, env, in, at)
	}
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	if _, err := dir.List(in.Path); err != nil {
		return tools.Output{}, err // the error explains why the path is not a directory
	}
	start, _, err := dir.Locate(in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	matches := globOf(dir.Local(in.Pattern), start)
	var found []foundFile
	count := 0
	looked := &search{env: env, dir: dir, start: start, list: listing{env: env, dir: dir}}
	err = looked.eachFile(ctx, func(name string) error {
		if !matches(name) {
			return ctx.Err()
		}
		if count++; count > mostFound {
			return errEnough
		}
		if _, info, err := dir.Locate(name); err == nil && info != nil && !info.IsDir() {
			found = append(found, foundFile{name, info.ModTime()})
		}
		return ctx.Err()
	})
	switch {
	case ctx.Err() != nil:
		return tools.Output{}, fmt.Errorf("find: %w", context.Cause(ctx))
	case err != nil && !errors.Is(err, errEnough):
		return tools.Output{}, err
	}
	return tools.Output{Text: listed(found, in, count > mostFound) + looked.list.describeLeftOut(), Empty: len(found) == 0}, nil
}

// globOf returns a function that reports whether a file name matches pattern. A pattern with a
// slash matches paths relative to the working directory or to the start directory. A pattern with
// wildcards but no slash matches base names. Any other pattern matches any part of a base name,
// regardless of case.
func globOf(pattern, start string) (matches func(name string) bool) {
	pattern = matching.Clean(strings.TrimSpace(pattern))
	if !strings.ContainsAny(pattern, "*?[{/") {
		word := strings.ToLower(pattern)
		return func(name string) bool {
			return strings.Contains(strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]), word)
		}
	}
	return func(name string) bool { return matching.GlobFrom(pattern, start, name) }
}

func listed(found []foundFile, in findArgs, more bool) string {
	if len(found) == 0 {
		return fmt.Sprintf("No file matches %q\n", in.Pattern)
	}
	slices.SortFunc(found, func(a, b foundFile) int {
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.name, b.name))
	})
	var text strings.Builder
	for _, file := range found[:min(in.Limit, len(found))] {
		text.WriteString(visibleName(file.name) + "\n")
	}
	switch {
	case more:
		fmt.Fprintf(&text, "[these are %d of more than %d matching files; use a narrower pattern or path]\n", min(in.Limit, len(found)), mostFound)
	case len(found) > in.Limit:
		fmt.Fprintf(&text, "[the newest %d of %d files that match]\n", in.Limit, len(found))
	}
	return text.String()
}
