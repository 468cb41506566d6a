package shell

import (
	"fmt"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/permit/command"
)

// stopsHalfway returns an error if the line contains a git command, such as "git worktree add",
// that would fail halfway in the sandbox. Afterwards, the command could not be repeated, even
// outside the sandbox. The error wraps [tools.ErrUnconfined], so the user is asked before anything
// changes.
func stopsHalfway(env tools.Env, line string) error {
	if !env.Confines() || !strings.Contains(line, "worktree") && !strings.Contains(line, "branch") {
		return nil
	}
	report := command.Inspect(line, command.Place{Dir: env.Dir, Home: env.Home, Temp: true})
	for _, one := range report.Halfway {
		if env.Sandbox.HoldsRepository(env.Root, one.Dir) {
			return tools.Advise(fmt.Errorf("%w: in the sandbox, .git/config and .git/worktrees are read-only, so %q would change branches or files and then fail", tools.ErrUnconfined, tools.Visible(one.String())),
				"Nothing ran. For a worktree, use launch_agent with \"worktree\": true. Otherwise tell the user the exact command; they can run it themselves by typing ! before it.")
		}
	}
	return nil
}
