package agents

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

// tidyTime is the timeout for [job.finish].
const tidyTime = 20 * time.Second

// worktree is a separate checkout for one task, on its own branch.
type worktree struct {
	origin string // the task's original working directory
	path   string
	branch string
	base   string  // the commit that the branch starts from
	kept   *string // result of the first successful call to w.keep, or nil
}

// settle makes a worktree for a job that needs one. A fleet worker makes its own checkout instead.
func (j *job) settle(ctx context.Context, env tools.Env) error {
	switch {
	case !j.wanted:
		return nil
	case j.task.Fleet:
		return j.send(ctx, env)
	}
	if env.ReadOnly {
		return tools.Advise(fmt.Errorf("%w: %s, and making a worktree counts as a change", tools.ErrForbidden, env.Mode().WhyReadOnly()), "To look around, launch the agent without \"worktree\".")
	}
	if env.WantsPlan() {
		return tools.Advise(fmt.Errorf("%w while the user wants a plan: making a worktree counts as a change", tools.ErrForbidden), "To look around, launch the agent without \"worktree\".")
	}
	if env.Home == "" {
		return errors.New("there is no home directory to keep a worktree in; launch without \"worktree\"")
	}
	repository, err := gitcmd.Open(ctx, env, j.task.Dir)
	if err != nil {
		return err
	}
	base, err := repository.Read(ctx, "rev-parse", "--verify", "HEAD")
	if err != nil {
		return tools.Advise(fmt.Errorf("a worktree needs a commit to start from, but there is none: %w", err), "Commit first, or launch without \"worktree\".")
	}
	name := strings.ToLower(rand.Text()[:8])
	made := &worktree{
		origin: j.task.Dir, branch: "marvin/" + name, base: strings.TrimSpace(base),
		path: filepath.Join(env.Home, ".cache", "marvin", "worktrees", filepath.Base(j.task.Dir)+"-"+name),
	}
	if err := os.MkdirAll(filepath.Dir(made.path), 0o700); err != nil {
		return fmt.Errorf("make the directory for worktrees: %w", err)
	}
	if err := repository.Tend(ctx, "worktree", "add", "--quiet", "--no-checkout", "-b", made.branch, made.path, made.base); err != nil {
		return fmt.Errorf("make a worktree: %w", err)
	}
	j.worktree, j.task.Dir, j.task.Own = made, made.path, true
	if err := made.checkOut(ctx, env); err != nil {
		return fmt.Errorf("fill the worktree: %w", err)
	}
	return nil
}

// open opens the repository of the worktree. The sandbox confines the repository's hooks and
// filters to the worktree.
func (w *worktree) open(ctx context.Context, env tools.Env) (*gitcmd.Repository, error) {
	repository, err := gitcmd.Open(ctx, env, w.path)
	if err == nil {
		repository.Root = w.path
	}
	return repository, err
}

// checkOut writes the files of the branch into the worktree. This is a separate step, because a
// checkout runs git's filters and hooks, which must be confined to the worktree.
func (w *worktree) checkOut(ctx context.Context, env tools.Env) error {
	repository, err := w.open(ctx, env)
	if err != nil {
		return err
	}
	_, err = repository.Write(ctx, "", "checkout", "--quiet", "--no-progress", "--force", w.branch, "--")
	return err
}

// finish commits uncommitted changes, removes the worktree, and describes the outcome. If nothing
// was changed, finish also removes the branch.
func (j *job) finish(ctx context.Context, env tools.Env) string {
	if j.worktree == nil {
		return ""
	}
	// Cancellation must not leave worktrees behind.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer stop()
	tree := j.worktree
	kept, err := tree.keep(ctx, env, j.task.Name)
	if err != nil {
		return fmt.Sprintf("its work is in %s on branch %s; removing the worktree failed: %v", tree.path, tree.branch, err)
	}
	there, err := tree.remove(ctx, env, kept == "")
	switch {
	case there:
		return fmt.Sprintf("branch %s; its worktree %s could not be removed: %v", tree.branch, tree.path, err)
	case err != nil:
		return fmt.Sprintf("nothing was changed; its branch %s could not be removed: %v", tree.branch, err)
	case kept != "":
		return fmt.Sprintf("branch %s (%s)", tree.branch, kept)
	}
	return "nothing was changed"
}

// keep creates a commit of all changes in the worktree, and summarizes the branch's changes. Later
// calls return the same summary.
func (w *worktree) keep(ctx context.Context, env tools.Env, name string) (string, error) {
	if w.kept != nil {
		return *w.kept, nil
	}
	repository, err := w.open(ctx, env)
	if err != nil {
		return "", err
	}
	status, err := repository.Read(ctx, "status", "--porcelain", "--ignore-submodules=dirty")
	if err != nil {
		return "", err
	}
	if status != "" {
		if _, err := repository.Write(ctx, "", "add", "--all"); err != nil {
			return "", err
		}
		// This commit only saves unfinished work, so git's hooks do not check it.
		if _, err := repository.Write(ctx, "Unfinished: "+name+"\n", "commit", "--quiet", "--no-verify", "--file=-"); err != nil {
			return "", err
		}
	}
	summary, err := repository.Read(ctx, "diff", "--shortstat", w.base, "HEAD")
	if summary = strings.TrimSpace(summary); err == nil {
		w.kept = &summary
	}
	return summary, err
}

// remove deletes the worktree and, if withBranch is true, its branch. stillThere is true if the
// worktree could not be deleted.
func (w *worktree) remove(ctx context.Context, env tools.Env, withBranch bool) (stillThere bool, err error) {
	repository, err := gitcmd.Open(ctx, env, w.origin)
	if err != nil {
		return true, err
	}
	if err := repository.Tend(ctx, "worktree", "remove", "--force", w.path); err != nil {
		return true, err
	}
	if !withBranch {
		return false, nil
	}
	return false, repository.Tend(ctx, "branch", "--quiet", "-D", w.branch)
}

// clear removes the worktrees of tasks that never started.
func clear(ctx context.Context, env tools.Env, jobs []job) {
	for i := range jobs {
		jobs[i].finish(ctx, env)
	}
}
