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

// ready is the beginning of the line that reports the id of a started conversation.
const ready = "ready "

// Spawn starts this program as the holder of a conversation, in a new session of the operating
// system, and returns the id that the holder prints. It copies the holder's warnings to the given
// writer.
func Spawn(ctx context.Context, args, environ []string, dir string, stdin *os.File, said io.Writer) (id string, err error) {
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
	line, _ := lines.ReadString('\n') // a failed holder prints none
	if id, begun := strings.CutPrefix(strings.TrimSpace(line), ready); begun {
		_, _ = io.Copy(said, stderr)        // the holder has closed stderr; a warning that cannot be shown is lost
		return id, holder.Process.Release() // the holder continues without this process
	}
	text, _ := io.ReadAll(io.LimitReader(stderr, 64<<10)) // after an error, the text so far is used
	_ = holder.Wait()
	before, why, found := strings.Cut("\n"+strings.TrimSpace(string(text)), "\nError: ")
	if !found {
		before, why = "", before
	}
	_, _ = io.WriteString(said, strings.TrimPrefix(before+"\n", "\n")) // a warning that cannot be shown is lost
	why = strings.TrimSpace(why)
	if ctx.Err() != nil {
		why = "it did not start in time"
	}
	return "", fmt.Errorf("the conversation did not start: %s", why)
}

// SendID prints the id of the conversation for the process that started this holder.
func SendID(out io.Writer, id string) error {
	_, err := fmt.Fprintln(out, ready+id)
	return err
}

// ReleaseTerminal closes the terminal files: nothing is read from them or written to them any more.
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
