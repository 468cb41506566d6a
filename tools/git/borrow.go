package git

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"marvin/tools"
	"marvin/tools/internal/gitcmd"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
)

// BorrowedCommit is a temporary checkout of one commit of another repository.
type BorrowedCommit struct {
	Dir    string // directory of the checkout
	commit string
	env    tools.Env
	lock   *flock.Flock // held until Close, see [Sweep]
}

// mostPatch is the maximum size of a returned patch, in bytes.
const mostPatch = 512 << 10

// Borrow creates a directory below ~/.cache/marvin and checks out the commit there. The commit must
// be a full hash. Hooks are disabled, and filters run in the sandbox.
func Borrow(ctx context.Context, env tools.Env, address, commit string) (*BorrowedCommit, error) {
	if env.Home == "" {
		return nil, errors.New("there is no home directory in which a repository could be checked out")
	}
	dir := filepath.Join(borrowedBelow(env.Home), strings.ToLower(rand.Text()[:12]))
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, fmt.Errorf("make room for a checkout: %w", err)
	}
	env.Dir, env.Root = dir, dir
	b := &BorrowedCommit{Dir: dir, commit: commit, env: env, lock: flock.New(dir + lockSuffix)}
	held, err := b.lock.TryLock()
	if err == nil && !held {
		err = errors.New("another Marvin uses it")
	}
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make room for a checkout: %w", err), b.Close())
	}
	if err := b.fill(ctx, address); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *BorrowedCommit) fill(ctx context.Context, address string) error {
	if err := b.fetch(ctx, "init", "--quiet", "--template=", "--", b.Dir); err != nil {
		return err
	}
	if err := b.fetch(ctx, "-C", b.Dir, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--", address, b.commit); err != nil {
		return err
	}
	repository, err := gitcmd.Open(ctx, b.env, b.Dir)
	if err != nil {
		return err
	}
	if _, err := repository.Write(ctx, "", "checkout", "--quiet", "--no-progress", "--force", "--detach", b.commit, "--"); err != nil {
		return fmt.Errorf("check out %s: %w", b.commit, err)
	}
	return nil
}

// fetch executes a git command that may use the network. The command starts in "/", so that git
// reads the configuration of no repository except b.Dir.
func (b *BorrowedCommit) fetch(ctx context.Context, args ...string) error {
	settings := [][2]string{
		{"submodule.recurse", "false"},
		{"core.hooksPath", "/dev/null"},
		{"core.fsmonitor", "false"},
		{"protocol.ext.allow", "never"},
		{"transfer.fsckObjects", "true"},
		{"gc.auto", "0"},
		{"maintenance.auto", "false"},
	}
	command := proc.Command{
		Name: "git", Args: args, Dir: "/", Environ: b.env.Environ, Progress: b.env.Progress, Unattended: true,
		Env: []string{"GIT_LFS_SKIP_SMUDGE=1", "LANGUAGE=en", "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings))},
	}
	for i, setting := range settings {
		command.Env = append(command.Env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, setting[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, setting[1]))
	}
	result, err := proc.Run(ctx, command)
	if err == nil && result.ExitCode != 0 {
		err = errors.New(show.Line(result.Stderr.Text(), 400))
	}
	if err != nil {
		return fmt.Errorf("fetch %s: %w", b.commit, err)
	}
	return nil
}

// Patch returns all committed and uncommitted changes in the checkout. The result is input for
// "git apply", or "" if there are no changes.
func (b *BorrowedCommit) Patch(ctx context.Context) (string, error) {
	repository, err := gitcmd.Open(ctx, b.env, b.Dir)
	if err != nil {
		return "", err
	}
	if _, err := repository.Write(ctx, "", "add", "--all"); err != nil {
		return "", fmt.Errorf("collect the change: %w", err)
	}
	patch := &proc.Capped{Most: mostPatch}
	err = repository.Stream(ctx, patch, "diff", "--cached", "--binary", "--no-ext-diff", "--no-textconv", b.commit)
	if patch.Exceeded() {
		err = fmt.Errorf("the patch is longer than the limit of %d KB", mostPatch>>10)
	}
	if err != nil {
		return "", fmt.Errorf("collect the change: %w", err)
	}
	return patch.String(), nil
}

// Close removes the checkout.
func (b *BorrowedCommit) Close() error {
	return errors.Join(os.RemoveAll(b.Dir), os.RemoveAll(b.lock.Path()), b.lock.Unlock())
}

const lockSuffix = ".lock"

func borrowedBelow(home string) string { return filepath.Join(home, ".cache", "marvin", "fleet") }

// Sweep removes the checkouts of Marvin processes that were killed. It skips checkouts whose locks
// are held by running processes.
func Sweep(home string) (removed int, err error) {
	locks, err := filepath.Glob(filepath.Join(borrowedBelow(home), "*"+lockSuffix))
	for _, path := range locks {
		left := &BorrowedCommit{Dir: strings.TrimSuffix(path, lockSuffix), lock: flock.New(path)}
		switch held, problem := left.lock.TryLock(); {
		case problem != nil:
			err = errors.Join(err, problem)
		case held:
			err = errors.Join(err, left.Close())
			removed++
		}
	}
	return removed, err
}
