package language

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"marvin/tools"
	lsp "marvin/tools/internal/language"
)

// Tools returns the tools of this category.
func Tools() []tools.Tool {
	return []tools.Tool{definitionTool(), referencesTool(), symbolsTool(), renameTool(), actionsTool(), checkTool()}
}

// patience is the timeout of a request. The first request takes longest, because it waits until the
// server has read the whole project.
const patience = 90 * time.Second

// spotArgs specifies a position by a name instead of a column, because models miscount columns.
type spotArgs struct {
	Path string `json:"path" doc:"The file, relative to the working directory" alias:"file_path,filename,file" example:"main.go"`
	Line int    `json:"line" doc:"The line, counted from 1" min:"1" alias:"line_number" example:"12"`
	Name string `json:"name" doc:"A name on this line; name#2 means its second occurrence" alias:"symbol,identifier" example:"parse"`
}

func (in spotArgs) position(ctx context.Context, env tools.Env) (*tools.LanguageServer, lsp.Place, error) {
	path, err := located(env, in.Path)
	if err != nil {
		return nil, lsp.Place{}, err
	}
	server, err := serverFor(ctx, env, path)
	return server, lsp.Place{Path: path, Line: in.Line, Name: in.Name}, err
}

func located(env tools.Env, name string) (string, error) {
	dir, err := env.Open()
	if err != nil {
		return "", err
	}
	defer func() { _ = dir.Close() }()
	file, err := dir.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	return filepath.Join(dir.Real(), filepath.FromSlash(file.Name)), nil
}

func serverFor(ctx context.Context, env tools.Env, path string) (*tools.LanguageServer, error) {
	if env.Languages == nil {
		return nil, tools.Advise(fmt.Errorf("%w in this mode", tools.ErrNoLanguage), "Language servers work only in coding mode; use code_grep and read_file.")
	}
	return env.Languages.Server(ctx, path, env.Progress)
}

func advise(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, lsp.ErrNoPlace):
		return tools.Advise(errors.New(tools.Visible(err.Error())), "Read the lines around it with read_file and give the line and the name exactly.")
	case errors.Is(err, lsp.ErrCannot):
		return tools.Advise(errors.New(tools.Visible(err.Error())), "Use code_grep, read_file and apply_patch.")
	}
	return errors.New(tools.Visible(err.Error()))
}

func definitionTool() tools.Tool {
	return tools.New(tools.Def[spotArgs]{
		Name: "code_definition", Brings: tools.Private,
		Doc:      "Find the definition of a name, using the file's language server. Use it instead of code_grep if several things have the same name.",
		Examples: []string{"where is {parse|name} in line {12|line} of {main.go|path} defined", "go to the definition of {Config|name} used in {server.ts|path} line {40|line}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: patience,
		Run: spotsOf("definition", (*tools.LanguageServer).Definition),
	})
}

func referencesTool() tools.Tool {
	return tools.New(tools.Def[spotArgs]{
		Name: "code_references", Brings: tools.Private,
		Doc:      "List the definition and all uses of a name, using the file's language server. Call it before you change something that other code uses.",
		Examples: []string{"who uses {parse|name} from line {12|line} of {main.go|path}", "find all references to {Config|name} in {server.ts|path} line {40|line}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: patience,
		Run: spotsOf("use", (*tools.LanguageServer).References),
	})
}

// spotsOf returns the Run function for the code_definition or code_references tool.
func spotsOf(kind string, ask func(*tools.LanguageServer, context.Context, lsp.Place) ([]lsp.Spot, error)) func(context.Context, tools.Env, spotArgs) (tools.Output, error) {
	return func(ctx context.Context, env tools.Env, in spotArgs) (tools.Output, error) {
		server, at, err := in.position(ctx, env)
		if err != nil {
			return tools.Output{}, err
		}
		spots, err := ask(server, ctx, at)
		return spotsOut(spots, "No "+kind+" of "+in.Name+" is known.", err)
	}
}

// mostSpots is the maximum number of listed positions.
const mostSpots = 200

func spotsOut(spots []lsp.Spot, none string, err error) (tools.Output, error) {
	if err != nil {
		return tools.Output{}, advise(err)
	}
	if len(spots) == 0 {
		return tools.NoResults(none), nil
	}
	var text strings.Builder
	for _, spot := range spots[:min(len(spots), mostSpots)] {
		fmt.Fprintf(&text, "%s:%d: %s\n", spot.Path, spot.Line, spot.Text)
	}
	if left := len(spots) - mostSpots; left > 0 {
		fmt.Fprintf(&text, "[%d more]\n", left)
	}
	return tools.Output{Text: tools.Visible(text.String())}, nil
}

type symbolsArgs struct {
	Path  string `json:"path,omitempty" doc:"The file to outline. With \"query\": any file in the same language" alias:"file_path,filename,file" example:"main.go"`
	Query string `json:"query,omitempty" doc:"Part of a symbol's name; searches the whole project" alias:"name,symbol" example:"Parse"`
}

func symbolsTool() tools.Tool {
	return tools.New(tools.Def[symbolsArgs]{
		Name: "code_symbols", Brings: tools.Private,
		Doc:      "Show the outline of a file: its definitions and their lines. With \"query\", find matching symbols in the whole project.",
		Examples: []string{"outline of {main.go|path}", "what does {server.ts|path} define", "find the symbol {Parse|query} in the project that contains {main.go|path}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: patience,
		Run: symbols,
	})
}

func symbols(ctx context.Context, env tools.Env, in symbolsArgs) (tools.Output, error) {
	if in.Path == "" {
		return tools.Output{}, tools.Advise(errors.New("\"path\" is missing, so Marvin cannot choose a language server"), "Give a file in \"path\"; to search with \"query\", give any file in the language that you want to search.")
	}
	path, err := located(env, in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	server, err := serverFor(ctx, env, path)
	if err != nil {
		return tools.Output{}, err
	}
	var list []lsp.Symbol
	if in.Query == "" {
		list, err = server.Outline(ctx, path)
	} else {
		list, err = server.Symbols(ctx, in.Query, path)
	}
	if err != nil {
		return tools.Output{}, advise(err)
	}
	if len(list) == 0 {
		return tools.NoResults("Nothing with that name is known."), nil
	}
	var text strings.Builder
	for _, one := range list[:min(len(list), 2*mostSpots)] {
		where := fmt.Sprintf("%d-%d", one.Line, one.Last)
		if in.Query != "" {
			where = fmt.Sprintf("%s:%d", one.Path, one.Line)
		}
		inside := ""
		if one.In != "" {
			inside = " in " + one.In
		}
		fmt.Fprintf(&text, "%s%s %s %s%s\n", strings.Repeat("  ", one.Depth), where, one.Kind, one.Name, inside)
	}
	if left := len(list) - 2*mostSpots; left > 0 {
		fmt.Fprintf(&text, "[%d more]\n", left)
	}
	return tools.Output{Text: tools.Visible(text.String())}, nil
}
