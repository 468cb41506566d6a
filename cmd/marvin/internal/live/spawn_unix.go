//go:build unix

package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"marvin/cmd/marvin/internal/resources"
)

// ready is the prefix of the line in which a holder prints the conversation's id.
const ready = "ready "

// Spawn starts this program as the holder of a conversation, and detaches the holder from the
// terminal. It returns the id that the holder prints, and copies the holder's warnings to the given
// writer.
func Spawn(ctx context.Context, args, environ []string, dir string, stdin *os.File, out io.Writer) (id string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("start a conversation without a window: %w", err)
	}
	holder := exec.CommandContext(context.Background(), program, args...)
	holder.Env, holder.Dir, holder.Stdin = environ, dir, stdin
	holder.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdout, err := holder.StdoutPipe()
	if err != nil {
		return "", err
	}
	stderr, writes, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer func() { _ = stderr.Close() }()
	holder.Stderr = writes
	err = errors.Join(holder.Start(), writes.Close())
	if err != nil {
		return "", fmt.Errorf("start a conversation without a window: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = holder.Process.Kill() })
	defer stop()
	lines := bufio.NewReader(stdout)
	line, _ := lines.ReadString('\n') // a holder that fails prints no line
	if id, begun := strings.CutPrefix(strings.TrimSpace(line), ready); begun {
		// Copying ends when the holder calls ReleaseTerminal. Write errors are ignored.
		_, _ = io.Copy(out, stderr)
		return id, holder.Process.Release() // the holder continues without this process
	}
	text, _ := io.ReadAll(io.LimitReader(stderr, 64<<10)) // if reading fails, the text read so far is used
	_ = holder.Wait()
	before, why, found := strings.Cut("\n"+strings.TrimSpace(string(text)), "\nError: ")
	if !found {
		before, why = "", before
	}
	_, _ = io.WriteString(out, strings.TrimPrefix(before+"\n", "\n")) // a warning that cannot be shown is lost
	why = strings.TrimSpace(why)
	if ctx.Err() != nil {
		why = "it did not start in time"
	}
	return "", fmt.Errorf("the conversation did not start: %s", why)
}

// SendID prints the conversation's id for [Spawn] to read.
func SendID(out io.Writer, id string) error {
	_, err := fmt.Fprintln(out, ready+id)
	return err
}

// ReleaseTerminal redirects the given files to /dev/null, so that this process no longer uses the
// terminal.
func ReleaseTerminal(files ...*os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = null.Close() }()
	for _, file := range files {
		err = errors.Join(err, resources.Redirect(int(null.Fd()), int(file.Fd())))
	}
	return err
}
