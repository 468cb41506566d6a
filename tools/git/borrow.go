package git

import (
	"bytes"
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

// Borrowed is a commit of a repository elsewhere, checked out for one use.
type Borrowed struct {
	Dir    string // of the checkout
	commit string
	env    tools.Env
	lock   *flock.Flock // held as long as it is used, see [Sweep]
}

// mostPatch bounds a change that is handed back, in bytes.
const mostPatch = 512 << 10

// Borrow checks a commit out, by its whole name, below a directory of Marvin's. Nothing of
// the repository runs outside the sandbox: it has no hooks, and filters, which checking out
// may call, are held as a command is.
func Borrow(ctx context.Context, env tools.Env, address, commit string) (*Borrowed, error) {
	if env.Home == "" {
		return nil, errors.New("there is no home directory to check a repository out below")
	}
	dir := filepath.Join(borrowedBelow(env.Home), strings.ToLower(rand.Text()[:12]))
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, fmt.Errorf("make room for a checkout: %w", err)
	}
	env.Dir, env.Root = dir, dir
	b := &Borrowed{Dir: dir, commit: commit, env: env, lock: flock.New(dir + lockSuffix)}
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

func (b *Borrowed) fill(ctx context.Context, address string) error {
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

// fetch runs a git that reaches others, and reads no configuration of a repository but of
// the one that it made.
func (b *Borrowed) fetch(ctx context.Context, args ...string) error {
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
		Name: "git", Args: args, Dir: "/", Environ: b.env.Environ, Progress: b.env.Progress, Alone: true,
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

// Patch is what differs from the commit now, new files and commits included, as git apply
// takes it; "" for nothing.
func (b *Borrowed) Patch(ctx context.Context) (string, error) {
	repository, err := gitcmd.Open(ctx, b.env, b.Dir)
	if err != nil {
		return "", err
	}
	if _, err := repository.Write(ctx, "", "add", "--all"); err != nil {
		return "", fmt.Errorf("collect the change: %w", err)
	}
	var patch bounded
	if err := repository.Stream(ctx, &patch, "diff", "--cached", "--binary", "--no-ext-diff", "--no-textconv", b.commit); err != nil {
		return "", fmt.Errorf("collect the change: %w", errors.Join(patch.err, err))
	}
	return patch.String(), nil
}

// bounded takes no more than a patch may be.
type bounded struct {
	bytes.Buffer
	err error
}

func (b *bounded) Write(text []byte) (int, error) {
	if b.Len()+len(text) > mostPatch {
		b.err = fmt.Errorf("it is longer than the %d KB that a patch may have", mostPatch>>10)
		return 0, b.err
	}
	return b.Buffer.Write(text)
}

// Close removes the checkout.
func (b *Borrowed) Close() error {
	return errors.Join(os.RemoveAll(b.Dir), os.RemoveAll(b.lock.Path()), b.lock.Unlock())
}

const lockSuffix = ".lock"

func borrowedBelow(home string) string { return filepath.Join(home, ".cache", "marvin", "fleet") }

// Sweep removes the checkouts whose Marvin was killed, and says how many there were: the
// system lets go of a lock with the process that held it.
func Sweep(home string) (removed int, err error) {
	locks, err := filepath.Glob(filepath.Join(borrowedBelow(home), "*"+lockSuffix))
	for _, path := range locks {
		left := &Borrowed{Dir: strings.TrimSuffix(path, lockSuffix), lock: flock.New(path)}
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
