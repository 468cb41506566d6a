package language

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// checker is a compiler or linter that checks a whole project without changing it.
type checker struct {
	name  string
	marks []string // any of these files selects the checker
	line  string   // command line for the shell
}

// checkers contains the checkers, most thorough first. All checkers run in the sandbox; some of
// them run programs from the project.
var checkers = []checker{
	{"go", []string{"go.mod", "go.work"}, "go vet ./..."},
	{"cargo", []string{"Cargo.toml"}, "cargo check --all-targets --message-format short"},
	{"tsc", []string{"tsconfig.json"}, `PATH="$PWD/node_modules/.bin:$PATH" tsc --noEmit --pretty false`},
	{"ruff", []string{"ruff.toml", ".ruff.toml", "pyproject.toml", "setup.py", "requirements.txt"}, "ruff check --output-format concise ."},
	{"pyright", []string{"pyrightconfig.json"}, "pyright"},
	{"mypy", []string{"mypy.ini", ".mypy.ini"}, "mypy ."},
	{"eslint", []string{"eslint.config.js", "eslint.config.mjs", "eslint.config.ts", ".eslintrc.json", ".eslintrc.js"}, `PATH="$PWD/node_modules/.bin:$PATH" eslint .`},
	{"dotnet", []string{"global.json"}, "dotnet build --nologo -v quiet"},
	{"mix", []string{"mix.exs"}, "mix compile --all-warnings"},
	{"gradle", []string{"gradlew"}, "./gradlew -q compileJava"},
	{"maven", []string{"pom.xml"}, "mvn -q compile"},
	{"zig", []string{"build.zig"}, "zig build --summary none"},
	{"swift", []string{"Package.swift"}, "swift build"},
	{"dart", []string{"pubspec.yaml"}, "dart analyze"},
	{"make", []string{"Makefile", "makefile", "GNUmakefile"}, "make check"},
}

type checkArgs struct {
	With    string `json:"with" doc:"Which checker, if the project has several: go, cargo, tsc, ruff, pyright, mypy, eslint, dotnet, mix, gradle, maven, zig, swift, dart or make" default:"" example:"go"`
	Cwd     string `json:"cwd" doc:"Project directory, below the working directory" default:"" alias:"path,dir,directory,workdir"`
	Timeout int    `json:"timeout" doc:"Time limit in seconds" default:"180" min:"1" max:"600" limits:"time"`
}

func (in checkArgs) limit() time.Duration { return time.Duration(in.Timeout) * time.Second }

func checkTool() tools.Tool {
	return tools.New(tools.Def[checkArgs]{
		Name:     "code_check",
		Doc:      "Check the whole project with its compiler or linter (go vet, cargo check, tsc, ruff, make check …). Marvin chooses the program based on the project's files. Approval and sandboxing work as for run_command.",
		Examples: []string{"check the project with {ruff|with}", "does the project in {backend|cwd} compile", "check it"},
		Needs:    tools.Needs{Coding: true}, Effect: tools.Irreversible, Access: tools.Shared, Pool: tools.Command,
		Timeout:    3*time.Minute + proc.DefaultGrace + proc.Drain + time.Second,
		TimeoutFor: func(in checkArgs) time.Duration { return in.limit() + proc.DefaultGrace + proc.Drain + time.Second },
		Dirs:       func(in checkArgs) []string { return []string{in.Cwd} },
		Confirm:    confirmCheck,
		Run:        check,
	})
}

func chosen(dir, with string) (one checker, others []string, err error) {
	var found []checker
	for _, candidate := range checkers {
		here := slices.ContainsFunc(candidate.marks, func(mark string) bool {
			_, missing := os.Lstat(filepath.Join(dir, mark))
			return missing == nil
		})
		if with == candidate.name || with == "" && here {
			found = append(found, candidate)
		}
	}
	if len(found) == 0 {
		names := lists.Map(checkers, func(candidate checker) string { return candidate.name })
		if with != "" {
			return checker{}, nil, fmt.Errorf("there is no checker called %q; the checkers are %s", with, strings.Join(names, ", "))
		}
		return checker{}, nil, tools.Advise(errors.New("no file in this directory shows how to check the project"), "Give the directory of the project in \"cwd\", or run the right command with run_command.")
	}
	others = lists.Map(found[1:], func(other checker) string { return other.name })
	return found[0], others, nil
}

// confirmCheck returns the title and detail of the approval question. The project's files determine
// what the command does.
func confirmCheck(env tools.Env, in checkArgs) (title, detail string) {
	dir := env.Dir
	if in.Cwd != "" {
		if named, err := env.Directory(in.Cwd); err == nil {
			dir = named
		}
	}
	one, _, err := chosen(dir, in.With)
	if err != nil || env.Dir == "" {
		return "", "" // the check will not run
	}
	return "Run the project's checker?", one.line + "\nin " + tools.Visible(dir)
}

func check(ctx context.Context, env tools.Env, in checkArgs) (tools.Output, error) {
	dir, err := env.Open() // without a directory, the error tells the model what to do next
	if err != nil {
		return tools.Output{}, err
	}
	_ = dir.Close()
	if in.Cwd != "" {
		if env.Dir, err = env.Enter(in.Cwd); err != nil {
			return tools.Output{}, err
		}
	}
	one, others, err := chosen(env.Dir, in.With)
	if err != nil {
		return tools.Output{}, err
	}
	cell, err := env.Jail()
	if err != nil {
		return tools.Output{}, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, in.limit(), tools.ErrDeadline)
	defer stop()
	spool := env.NewSpool("code_check", one.line)
	result, err := proc.Run(ctx, proc.Command{
		Shell: one.line, Dir: env.Dir, Environ: env.Environ, Jail: cell, Unattended: true, Combined: spool,
		Progress: func(line string) { env.Progress(tools.Visible(line)) },
	})
	if err != nil {
		if ctx.Err() != nil {
			return tools.Output{}, tools.Advise(fmt.Errorf("%s did not finish within %s (%w)", one.name, in.limit(), tools.ErrDeadline), "Give a longer \"timeout\" (up to 600), or run it with run_command and \"background\": true.")
		}
		return tools.Output{}, tools.AdviseUnconfined(err)
	}
	output := strings.TrimSpace(result.Stdout.Text() + "\n" + result.Stderr.Text())
	held := cell.Note(result.ExitCode, output)
	var text strings.Builder
	switch {
	case result.ExitCode == 127:
		fmt.Fprintf(&text, "%s is not installed here: %s\n%s\n", one.name, one.line, output)
	case result.ExitCode == 0 && output == "":
		fmt.Fprintf(&text, "%s found no problems (%s).\n", one.name, one.line)
	default:
		fmt.Fprintf(&text, "$ %s\n%s\n[exit code: %d]\n", one.line, output, result.ExitCode)
	}
	if len(others) > 0 {
		fmt.Fprintf(&text, "[the project can also be checked with %s, for example \"with\": %q]\n", strings.Join(others, ", "), others[0])
	}
	return tools.Output{Text: tools.Visible(text.String()) + held + cell.Report(), Held: held != "", Exit: result.ExitCode}, nil
}
