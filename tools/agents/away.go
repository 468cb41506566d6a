package agents

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

// A fleet worker runs a task on another machine. The worker has its own directories, keys and
// models. If the task changes files in a checkout, the report contains a patch.

func (in launchArgs) onFleet() bool { return strings.EqualFold(in.Where, "fleet") }

// fleetModel returns the model for a fleet worker, or "" for the worker's default.
func fleetModel(wish string) string {
	if strings.EqualFold(wish, "auto") {
		return ""
	}
	return wish
}

// send prepares a task that runs in a fleet worker's checkout. The worker fetches the current
// commit from this repository's remote "origin".
func (j *job) send(ctx context.Context, env tools.Env) error {
	if j.task.Dir != "" {
		return errors.New("a fleet task with \"worktree\" runs in the worker's checkout, so leave \"working_dir\" out")
	}
	repository, err := gitcmd.Open(ctx, env, env.Dir)
	if err != nil {
		return err
	}
	commit, err := repository.Read(ctx, "rev-parse", "--verify", "HEAD")
	if err != nil {
		return tools.Advise(fmt.Errorf("a checkout needs a commit to start from, but there is none: %w", err), "Commit and push first, or launch without \"worktree\".")
	}
	address, err := repository.Read(ctx, "remote", "get-url", "origin")
	if err != nil {
		return tools.Advise(fmt.Errorf("a worker fetches the repository from its remote \"origin\", but this repository has none: %w", err), "Launch the task on this machine (\"where\": \"here\"), or without \"worktree\".")
	}
	j.task.Git, j.task.Commit = strings.TrimSpace(address), strings.TrimSpace(commit)
	return nil
}

func formatPatch(patch string) string {
	if strings.TrimSpace(patch) == "" {
		return ""
	}
	return "\n\nIts change, which is not applied yet (apply it with apply_patch):\n" + patch
}
