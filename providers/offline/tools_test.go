package offline_test

import (
	"context"

	"marvin/providers/offline"
	"marvin/tools"
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

// The argument structs have the names of the catalogue, so that the examples are
// tried with the parameters that the real tools have.
type (
	none     struct{}
	noteArgs struct {
		Filename string `json:"filename" doc:"Name of the note" alias:"path"`
		Content  string `json:"content" doc:"Markdown text"`
		Append   bool   `json:"append" doc:"Add to the end instead of replacing" default:"false"`
	}
	nameArgs struct {
		Filename string `json:"filename" doc:"Name of the note"`
	}
	queryArgs struct {
		Query string `json:"query" doc:"Words to search for"`
	}
	dirArgs struct {
		Path string `json:"path" doc:"Folder below the notes" default:""`
	}
	readArgs struct {
		Path      string `json:"path" doc:"File, relative to the working directory"`
		StartLine *int   `json:"start_line" doc:"First line" min:"1"`
		EndLine   *int   `json:"end_line" doc:"Last line" min:"1"`
	}
	createArgs struct {
		Path    string `json:"path" doc:"File, relative to the working directory"`
		Content string `json:"content" doc:"The whole content"`
	}
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
	diffArgs struct {
		Staged bool   `json:"staged" doc:"Only what is staged" default:"false"`
		Path   string `json:"path" doc:"Only this file or directory" default:""`
	}
	commitArgs struct {
		Message string `json:"message" doc:"Commit message"`
		AddAll  bool   `json:"add_all" doc:"Stage everything first" default:"true"`
	}
	logArgs struct {
		MaxCount int  `json:"max_count" doc:"How many commits" default:"10" min:"1" max:"100"`
		Oneline  bool `json:"oneline" doc:"One line each" default:"true"`
	}
	branchArgs struct {
		All bool `json:"all" doc:"Remote branches too" default:"false"`
	}
	checkoutArgs struct {
		Target string `json:"target" doc:"Branch or commit"`
		Create bool   `json:"create_branch" doc:"Make the branch" default:"false"`
	}
	commandArgs struct {
		Command string `json:"command" doc:"Shell command"`
		Timeout int    `json:"timeout" doc:"Seconds" default:"60" min:"1" max:"600"`
	}
	startArgs struct {
		Name     string `json:"name" doc:"Name of the timer" default:"default"`
		Duration string `json:"duration" doc:"5m, 1h30m; 0 is a stopwatch" default:""`
	}
	timerArgs struct {
		Name string `json:"name" doc:"Name of the timer; all if empty" default:""`
	}
	usageArgs struct {
		IncludeLifetime bool `json:"include_lifetime" doc:"Sums of all sessions" default:"false"`
	}
	unitArgs struct {
		Value float64 `json:"value" doc:"Amount"`
		From  string  `json:"from_unit" doc:"Unit or currency" alias:"from"`
		To    string  `json:"to_unit" doc:"Unit or currency" alias:"to"`
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

func registry() *tools.Registry {
	var r tools.Registry
	r.Add(
		tool[noteArgs]("write_note", "", "Write a note as a Markdown file, or append to one.",
			"write a note called {ideas|filename}: {buy milk|content}", "add {eggs|content} to my note {shopping|filename} {append|append}"),
		tool[nameArgs]("read_note", "", "Read a note.", "read my note {ideas|filename}", "show the note called {ideas|filename}"),
		tool[dirArgs]("notes_ls", "", "List notes and folders.", "what notes do I have", "list my notes"),
		tool[queryArgs]("search_notes", "", "Search all notes for words.", "search my notes for {milk|query}", "find {milk|query} in my notes"),
		tool[readArgs]("read_file", "c", "Read a file of the project.",
			"read {README.md|path}", "show lines {10|start_line} to {20|end_line} of {main.go|path}", "show me the file {main.go|path}"),
		tool[createArgs]("create_file", "cw", "Create a new file.", "create a file {hello.txt|path} with the content {hello|content}"),
		tool[pathArgs]("set_working_dir", "c", "Choose the working directory.", "work in {/home/me/project|path}", "change the directory to {/home/me/project|path}"),
		tool[none]("get_working_dir", "c", "Which directory is worked in.", "which directory am I in", "what is the working directory"),
		tool[grepArgs]("code_grep", "c", "Search files with a regular expression.",
			"search for {TODO|pattern} in {*.go|glob_filter}", "search for {TODO|pattern}", "grep {TODO|pattern} in {cmd|path}"),
		tool[treeArgs]("tree", "c", "Directory tree of the project.",
			"show the tree of this project", "tree of {cmd|path} {2|max_depth} levels deep", "show the directory tree of {cmd|path}"),
		tool[none]("git_status", "c", "Branch and changed files.", "what is the git status", "which files are changed"),
		tool[diffArgs]("git_diff", "c", "What changed since the last commit, as a diff.",
			"what changed since the last commit", "show the {staged|staged} changes", "what is staged {true|staged}", "what changed in {main.go|path}"),
		tool[commitArgs]("git_commit", "cw", "Commit changes.", "commit everything with the message {fix typo|message}"),
		tool[logArgs]("git_log", "c", "The latest commits.", "show the last {5|max_count} commits", "git log"),
		tool[readArgs]("git_blame", "c", "Who last changed each line of a file.",
			"who wrote line {10|start_line} to {20|end_line} of {main.go|path}", "who wrote {main.go|path}"),
		tool[branchArgs]("git_branch", "c", "List branches.", "list branches", "list {all|all} branches", "which branch am I on"),
		tool[checkoutArgs]("git_checkout", "cw", "Switch to a branch or commit.", "switch to the branch {main|target}"),
		tool[commandArgs]("run_command", "cw", "Run a shell command in the working directory.", "run {go version|command}", "run the command {make test|command}"),
		tool[startArgs]("timer_start", "", "Start a countdown timer or a stopwatch.",
			"start a {5 minutes|duration} timer", "start a timer called {tea|name} for {3 minutes|duration}", "set a timer for {10 minutes|duration}", "start a stopwatch"),
		tool[timerArgs]("timer_check", "", "How much time is left on timers.", "how long is left on the timer", "how long is left on the {tea|name} timer", "show my timers"),
		tool[timerArgs]("timer_stop", "", "Stop a timer.", "stop the timer", "stop the {tea|name} timer"),
		tool[none]("system_info", "", "Operating system, processor, memory and disk.", "system info", "how much memory is free", "what computer is this"),
		tool[usageArgs]("get_usage", "", "Cost and tokens of this session.", "how much did I spend", "what did this session cost"),
		tool[unitArgs]("convert_units", "", "Convert units of measure and currencies.",
			"convert {12|value} {km|from_unit} to {miles|to_unit}", "how much is {100|value} {usd|from_unit} in {eur|to_unit}", "{12|value} {km|from_unit} in {miles|to_unit}"),
	)
	return &r
}
