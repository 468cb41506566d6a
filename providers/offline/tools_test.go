package offline_test

import (
	"context"
	"net/http"
	"time"

	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/files"
	"marvin/tools/git"
	"marvin/tools/notes"
	"marvin/tools/shell"
	"marvin/tools/timers"
	"marvin/tools/units"
)

// finder is what cmd/marvin makes of the registry.
type finder struct {
	registry *tools.Registry
	mode     tools.Mode
}

func (f finder) Find(request string, n int) []offline.Tool {
	var found []offline.Tool
	for _, hit := range f.registry.Search(request, f.mode, n) {
		found = append(found, plain(hit.Tool))
	}
	return found
}

func (f finder) Lookup(name string) (offline.Tool, bool) {
	tool, ok := f.registry.Lookup(name)
	return plain(tool), ok
}

func plain(tool tools.Tool) offline.Tool {
	if tool.Name == "" {
		return offline.Tool{}
	}
	schema, err := tool.Schema()
	if err != nil {
		panic(err)
	}
	return offline.Tool{Name: tool.Name, Doc: tool.Doc, Schema: schema, Examples: tool.Examples, Writes: tool.Writes}
}

// registry has the tools that Marvin has, in his order, so that a change of their
// examples or parameters shows here. Nothing is run.
func registry() *tools.Registry {
	var r tools.Registry
	r.Add(files.Tools()...)
	r.Add(sketches()...)
	r.Add(git.New().Tools()...)
	r.Add(shell.Tools()...)
	r.Add(notes.Tools()...)
	r.Add(units.New(http.DefaultClient).Tools()...)
	r.Add(timers.New(time.Now).Tools()...)
	return &r
}

// sketches stand for tools that are not there yet, with the names and parameters
// of the catalogue.
func sketches() []tools.Tool {
	return []tools.Tool{
		tool[pathArgs]("set_working_dir", "c", "Choose the working directory.", "work in {/home/me/project|path}", "change the directory to {/home/me/project|path}"),
		tool[none]("get_working_dir", "c", "Which directory is worked in.", "which directory am I in", "what is the working directory"),
		tool[grepArgs]("code_grep", "c", "Search files with a regular expression.",
			"search for {TODO|pattern} in {*.go|glob_filter}", "search for {TODO|pattern}", "grep {TODO|pattern} in {cmd|path}"),
		tool[treeArgs]("tree", "c", "Directory tree of the project.",
			"show the tree of this project", "tree of {cmd|path} {2|max_depth} levels deep", "show the directory tree of {cmd|path}"),
		tool[none]("system_info", "", "Operating system, processor, memory and disk.", "system info", "how much memory is free", "what computer is this"),
		tool[usageArgs]("get_usage", "", "Cost and tokens of this session.", "how much did I spend", "what did this session cost"),
	}
}

type (
	none     struct{}
	pathArgs struct {
		Path string `json:"path" doc:"Absolute path of a directory"`
	}
	grepArgs struct {
		Pattern      string `json:"pattern" doc:"Regular expression"`
		Path         string `json:"path" doc:"Where to look" default:"."`
		GlobFilter   string `json:"glob_filter" doc:"Only files that match" default:"*" alias:"glob"`
		ContextLines int    `json:"context_lines" doc:"Lines around each hit" default:"2"`
		MaxResults   int    `json:"max_results" doc:"How many hits" default:"20"`
	}
	treeArgs struct {
		Path     string `json:"path" doc:"Where to start" default:"."`
		MaxDepth int    `json:"max_depth" doc:"How many levels deep" default:"3" min:"1" max:"10" alias:"depth"`
		Ignore   bool   `json:"respect_gitignore" doc:"Leave out what git ignores" default:"true"`
	}
	usageArgs struct {
		IncludeLifetime bool `json:"include_lifetime" doc:"Sums of all sessions" default:"false"`
	}
)

func tool[In any](name, flags, doc string, examples ...string) tools.Tool {
	def := tools.Def[In]{
		Name: name, Doc: doc, Examples: examples,
		Run: func(context.Context, tools.Env, In) (tools.Output, error) { return tools.Output{Text: name}, nil },
	}
	for _, flag := range flags {
		def.Coding = def.Coding || flag == 'c'
		def.Writes = def.Writes || flag == 'w'
	}
	return tools.New(def)
}
