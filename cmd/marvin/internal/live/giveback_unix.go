//go:build unix

package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// goOn is the hidden command that continues a stopped process.
const goOn = "go-on"

// stopTimeout is the maximum time to wait for the shell to take the terminal.
const stopTimeout = 3 * time.Second

// StopToBackground stops this process, as Ctrl-Z does, so that the shell takes the terminal back. A
// helper process then continues this process in the background. Without job control,
// StopToBackground does nothing.
func StopToBackground(environ []string) error {
	leader, err := unix.Getsid(0) // 0 means this process
	if err != nil || leader == os.Getpid() {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("give the terminal back: %w", err)
	}
	helper := exec.CommandContext(context.Background(), program, goOn, strconv.Itoa(os.Getpid()))
	helper.Env, helper.SysProcAttr = environ, &syscall.SysProcAttr{Setsid: true}
	if err := helper.Start(); err != nil {
		return fmt.Errorf("give the terminal back: %w", err)
	}
	err = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	return errors.Join(err, helper.Wait())
}

// Continue continues a stopped process after its shell has taken the terminal, or after
// stopTimeout.
func Continue(ctx context.Context, process int) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for ctx.Err() == nil && !background(process) {
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	return syscall.Kill(process, syscall.SIGCONT)
}

// background is true if a process is stopped and another process group has the terminal.
func background(process int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/stat")
	if err != nil {
		return false
	}
	// The fields after the name: state, parent, group, session, terminal, foreground group.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return len(fields) > 5 && fields[0] == "T" && fields[5] != fields[2]
}
