package permit

import (
	"path"
	"slices"
	"strings"

	"marvin/tools/internal/permit/command"
)

// Scope is the part of a call that decides whether an earlier [Grant] covers the call.
type Scope struct {
	Tool  string
	Line  string     // the command line, for a tool that has one
	Dir   string     // the directory in which the line would run
	Parts [][]string // the words of each simple command; nil if a grant must be for this exact line
}

// Grant is a permission that the user gave for a conversation. It covers a tool, the commands with
// certain leading words, or one command line.
type Grant struct {
	Tool string
	Line string   // the only line that is covered, or ""
	Dir  string   // the directory in which the line is covered, or ""
	Lead []string // the leading words; nil if the grant covers a tool or a line
}

// mostLeads is the maximum number of grants for the answer "always". Users would not read a longer
// list.
const mostLeads = 3

// ScopeOf returns the scope of a call. It sets Parts only if the command line contains no
// variables, assignments, patterns, redirections into files, or values that are known only at run
// time.
func ScopeOf(call Call, place command.Place) Scope {
	scope := Scope{Tool: call.Tool}
	if call.Command == nil {
		return scope
	}
	scope.Line, scope.Dir = *call.Command, place.Dir
	report := command.Inspect(*call.Command, place)
	if report.Unclear != "" || report.Opaque != "" || len(report.Parts) == 0 {
		return scope
	}
	var parts [][]string
	for _, part := range report.Parts {
		if !part.Literal() || part.Root || strays(part) {
			return scope
		}
		if !part.Harmless() || len(report.Parts) == 1 {
			parts = append(parts, command.Texts(part.Words))
		}
	}
	scope.Parts = parts
	return scope
}

// strays returns true if the arguments could make the program unexpectedly write a file or start a
// program. Examples are "find -fprintf" and "make -f other.mk".
func strays(p command.Part) bool {
	name, args := p.Name(), p.Words[1:]
	switch name {
	case "sed", "gsed":
		return slices.ContainsFunc(command.SedScripts(args), func(script command.Word) bool { return !command.PlainSed(script.Text) }) || slices.ContainsFunc(args, func(w command.Word) bool {
			return strings.HasPrefix(w.Text, "-f") || strings.HasPrefix(w.Text, "--file")
		})
	case "make", "gmake":
		return !command.LacksOptions(args, "-f --file --makefile -E --eval -I --include-dir") || slices.ContainsFunc(args, func(w command.Word) bool {
			variable, value, assigns := strings.Cut(w.Text, "=")
			return assigns && command.StartsProgram(variable) && !command.KnownHelper(value)
		})
	case "npm", "pnpm", "yarn":
		return slices.ContainsFunc(args, func(w command.Word) bool {
			return strings.HasPrefix(w.Text, "--script-shell") || strings.HasPrefix(w.Text, "--prefix")
		})
	}
	return !command.LacksOptions(args, command.Readers()[name])
}

// OfferedGrants returns the grants that the user gives by answering "always". They cover all
// commands with the same leading words as the call's commands. If such commands could run any
// program, or if too many grants would be needed, the only grant covers the call's exact command
// line.
func (s Scope) OfferedGrants() []Grant {
	if s.Line == "" {
		return []Grant{{Tool: s.Tool}}
	}
	exactly := []Grant{{Tool: s.Tool, Line: s.Line, Dir: s.Dir}}
	var grants []Grant
	for _, part := range s.Parts {
		words := lead(part)
		if words == nil {
			return exactly
		}
		grant := Grant{Tool: s.Tool, Lead: words}
		if !slices.ContainsFunc(grants, func(known Grant) bool { return slices.Equal(known.Lead, words) }) {
			grants = append(grants, grant)
		}
	}
	if len(grants) == 0 || len(grants) > mostLeads {
		return exactly
	}
	return grants
}

// Covers reports whether the grants together cover all parts of a call.
func Covers(grants []Grant, s Scope) bool {
	covered := func(part []string) bool {
		return slices.ContainsFunc(grants, func(g Grant) bool {
			return g.Tool == s.Tool && g.Lead != nil && len(part) >= len(g.Lead) && slices.Equal(part[:len(g.Lead)], g.Lead)
		})
	}
	for _, g := range grants {
		if g.Tool == s.Tool && g.Lead == nil && g.Line == s.Line && g.Dir == s.Dir {
			return true
		}
	}
	return len(s.Parts) > 0 && !slices.ContainsFunc(s.Parts, func(part []string) bool { return !covered(part) })
}

// String describes a grant for the user.
func (g Grant) String() string {
	switch {
	case g.Lead != nil:
		return "all `" + strings.Join(g.Lead, " ") + " …` commands"
	case g.Line != "":
		return "exactly this command, in " + g.Dir + ": " + command.Clip(g.Line)
	}
	return g.Tool
}

// lead returns the first words of a command, for [Grant.Lead]. It returns nil if commands with
// these words could run any program, or if one of the words contains white space or is an option
// (except -m).
func lead(part []string) []string {
	words := func(n int) []string {
		if len(part) < n || slices.ContainsFunc(part[:n], func(word string) bool { return word == "" || word[0] == '-' || strings.ContainsAny(word, " \t\n`") }) {
			return nil
		}
		return part[:n:n]
	}
	if len(part) == 0 {
		return nil
	}
	two := strings.Join(part[:min(2, len(part))], " ")
	switch kind := kindOf(part[0]); {
	case kind == carrier, runners[two]:
		return nil
	case kind == interpreter:
		if script := words(2); script != nil && strings.ContainsAny(script[1], "./") {
			return script
		}
		if len(part) > 2 && part[1] == "-m" && words(1) != nil && !strings.HasPrefix(part[2], "-") {
			return part[:3:3]
		}
		return nil
	case nested[two]:
		return words(3)
	case kind == manifold:
		return words(2)
	case part[0] == "cd":
		return words(len(part))
	}
	return words(1)
}

// A kind is a class of programs. The class determines which words of a command describe the action.
// Unknown programs belong to the class plain: only their name describes the action.
type kind uint8

const (
	plain       kind = iota
	manifold         // the second word is the action, as in "git status"
	interpreter      // the script is the action
	carrier          // runs another program
)

func kindOf(word string) kind {
	name := path.Base(word)
	if _, wraps := command.WrapperOf(name); wraps {
		return carrier
	}
	switch name {
	case "eval", "exec", "source", ".", "trap", "alias", "su", "ssh", "script", "expect", "osascript", "awk", "gawk", "mawk", "nawk",
		"tmux", "screen", "at", "batch", "crontab", "nc", "ncat", "socat", "gdb", "lldb", "vi", "vim", "nvim", "emacs", "ed", "ex", "tclsh":
		return carrier
	case "bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "node", "ruby", "perl", "php", "lua", "Rscript", "julia", "osh":
		return interpreter
	case "git", "go", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "rustup", "docker", "podman", "kubectl", "helm", "gh", "glab",
		"pip", "pip3", "uv", "poetry", "pipenv", "conda", "dotnet", "mvn", "gradle", "gradlew", "terraform", "systemctl", "brew",
		"apt", "apt-get", "dnf", "composer", "bundle", "rails", "rake", "mix", "zig", "swift", "flutter", "dart", "nx", "turbo",
		"just", "task", "make", "gmake", "ninja", "tk":
		return manifold
	}
	if strings.HasPrefix(name, "python") || strings.HasPrefix(name, "pypy") {
		return interpreter
	}
	return plain
}

// nested is the set of commands whose action is the third word, as in "git stash drop".
var nested = command.WordSet("npm run", "pnpm run", "yarn run", "bun run", "deno task", "docker compose", "podman compose", "go tool", "go mod", "uv pip",
	"git stash", "git remote", "git worktree", "git submodule", "git config", "gh pr", "gh issue", "gh repo", "gh run", "kubectl config")

// runners contains the commands that run another program.
var runners = command.WordSet("uv run", "uv tool", "poetry run", "pipenv run", "conda run", "bundle exec", "npm exec", "npm x", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx",
	"bun x", "deno run", "deno eval", "docker run", "docker exec", "podman run", "podman exec", "kubectl exec", "kubectl run", "gh api", "git bisect", "go run")

// NamesScript reports whether the third word of a command pattern is a script or a subcommand. Such
// a word can contain a colon, as in "npm run test:*".
func NamesScript(words []string) bool {
	return len(words) == 3 && nested[strings.Join(words[:2], " ")]
}
