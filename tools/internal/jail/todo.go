package jail

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// todos contains the paths, relative to a git directory, of the files with the remaining steps of
// an interrupted rebase. A step may be a shell command, which runs outside the sandbox if the user
// continues the rebase.
var todos = [...]string{"rebase-merge/git-rebase-todo", "sequencer/todo", "worktrees/*/rebase-merge/git-rebase-todo"}

// mostTodo is the maximum number of bytes that are read from a rebase list.
const mostTodo = 256 << 10

// Report returns new warnings about commands in rebase lists. It returns "" for a nil Jail.
func (j *Jail) Report() string {
	if j == nil {
		return ""
	}
	return j.waiting()
}

// waiting composes warnings about rebase lists whose commands have changed: see [Jail.eachTodo].
func (j *Jail) waiting() string {
	j.keeper.mu.Lock()
	defer j.keeper.mu.Unlock()
	var said strings.Builder
	j.eachTodo(func(path string, commands []string, fresh bool) {
		if fresh {
			fmt.Fprintf(&said, "[sandbox: %s now has commands that \"git rebase --continue\" runs outside the sandbox: %s. Tell the user: read them before you continue the rebase, or end it with \"git rebase --abort\"]\n",
				strconv.Quote(path), strings.Join(commands, ", "))
		}
	})
	return said.String()
}

// eachTodo visits each rebase list that contains commands. The callback's last argument reports
// whether the commands have changed since the previous call of eachTodo. The caller holds the lock.
func (j *Jail) eachTodo(visit func(path string, commands []string, fresh bool)) {
	for _, git := range j.gits {
		for _, name := range todos {
			paths, _ := filepath.Glob(filepath.Join(escapeGlob(git), name))
			for _, path := range paths {
				text := disk.Beginning(path, mostTodo)
				commands := commandsIn(string(text))
				sum := sha256.Sum256([]byte(strings.Join(commands, "\n")))
				fresh := len(commands) > 0 && j.keeper.told[path] != sum
				if j.keeper.told == nil {
					j.keeper.told = map[string][sha256.Size]byte{}
				}
				j.keeper.told[path] = sum
				if len(commands) > 0 {
					visit(path, commands, fresh)
				}
			}
		}
	}
}

// commandsIn extracts the shell commands from a list of rebase steps, and shortens and quotes each
// command. It returns a single "…" for all commands after the fifth.
func commandsIn(text string) (commands []string) {
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
		if word != "exec" && word != "x" {
			continue
		}
		if len(commands) == 5 {
			return append(commands, "…")
		}
		commands = append(commands, strconv.Quote(rest[:min(len(rest), 200)]))
	}
	return commands
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
