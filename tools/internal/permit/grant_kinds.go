package permit

import (
	"path"
	"strings"

	"marvin/tools/internal/permit/command"
)

// The kind of program a word names: how many words of a command say what it does. Unknown programs
// are known by name alone.
type kind uint8

const (
	plain       kind = iota
	manifold         // what it does is its second word: git status
	interpreter      // what it does is its script
	carrier          // it runs another program
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

// nested are commands whose third word says what they do.
var nested = command.WordSet("npm run", "pnpm run", "yarn run", "bun run", "deno task", "docker compose", "podman compose", "go tool", "go mod", "uv pip",
	"git stash", "git remote", "git worktree", "git submodule", "git config", "gh pr", "gh issue", "gh repo", "gh run", "kubectl config")

// runners are commands that run another program.
var runners = command.WordSet("uv run", "uv tool", "poetry run", "pipenv run", "conda run", "bundle exec", "npm exec", "npm x", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx",
	"bun x", "deno run", "deno eval", "docker run", "docker exec", "podman run", "podman exec", "kubectl exec", "kubectl run", "gh api", "git bisect", "go run")

// NamesScript says whether a pattern of commands names a script of a package, whose name may
// have a colon: npm run test:*.
func NamesScript(words []string) bool {
	return len(words) == 3 && nested[strings.Join(words[:2], " ")]
}
