package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"marvin/tools/internal/proc"
)

// patience is the time limit for each way of showing a notification.
const patience = 5 * time.Second

// ErrNoDesktop means that [Send] could not reach a desktop notification service.
var ErrNoDesktop = errors.New("no desktop notification service was found")

// Send shows a notification. Where possible, the notification plays a sound and stays until the
// user closes it. environ is Marvin's environment.
func Send(ctx context.Context, environ []string, title, body string) error {
	title, body = visible(title), visible(body)
	busFailed := sendOverBus(ctx, environ, title, body)
	if busFailed == nil {
		return nil
	}
	err := sendByProgram(ctx, environ, title, body)
	if errors.Is(err, proc.ErrNotFound) {
		err = sendByScript(ctx, environ, title, body)
	}
	if errors.Is(err, proc.ErrNotFound) {
		return busFailed
	}
	return err
}

// Possible reports whether [Send] finds a session bus, notify-send or osascript. It does not check
// that a notification would appear.
func Possible(environ []string) bool {
	if address(environ) != "" {
		return true
	}
	return slices.ContainsFunc([]string{"notify-send", "osascript"}, func(program string) bool {
		_, err := proc.Find(program, environ)
		return err == nil
	})
}

// address determines the address of the session bus. It returns "" if no bus was found.
func address(environ []string) string {
	if given := proc.Lookup(environ, "DBUS_SESSION_BUS_ADDRESS"); given != "" {
		return given
	}
	dir := cmp.Or(proc.Lookup(environ, "XDG_RUNTIME_DIR"), "/run/user/"+strconv.Itoa(os.Getuid()))
	if _, err := os.Stat(dir + "/bus"); err != nil {
		return ""
	}
	return "unix:path=" + dir + "/bus"
}

// sendOverBus calls the Notify method from the Desktop Notifications Specification 1.2.
func sendOverBus(ctx context.Context, environ []string, title, body string) error {
	where := address(environ)
	if where == "" {
		return ErrNoDesktop
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	bus, err := dbus.Connect(where, dbus.WithContext(ctx))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoDesktop, err)
	}
	defer bus.Close()
	hints := map[string]dbus.Variant{
		"urgency":    dbus.MakeVariant(byte(2)), // critical, so that the notification stays until the user closes it
		"sound-name": dbus.MakeVariant("alarm-clock-elapsed"),
		"category":   dbus.MakeVariant("x-marvin.alarm"),
	}
	service := bus.Object("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
	call := service.CallWithContext(ctx, "org.freedesktop.Notifications.Notify", 0,
		"Marvin", uint32(0), "alarm-symbolic", title, escapeMarkup(body), []string{}, hints, int32(0))
	if call.Err != nil {
		return fmt.Errorf("%w: %w", ErrNoDesktop, call.Err)
	}
	return nil
}

func sendByProgram(ctx context.Context, environ []string, title, body string) error {
	var more []string
	if where := address(environ); where != "" {
		more = []string{"DBUS_SESSION_BUS_ADDRESS=" + where}
	}
	return run(ctx, proc.Command{
		Name: "notify-send", Args: []string{"-u", "critical", "-a", "Marvin", "--", title, escapeMarkup(body)},
		Dir: "/", Environ: environ, Env: more,
	})
}

// sendByScript uses osascript on macOS. It passes title and body as arguments to the script, so
// that they cannot become commands.
func sendByScript(ctx context.Context, environ []string, title, body string) error {
	return run(ctx, proc.Command{
		Name: "osascript", Args: []string{
			"-e", "on run argv", "-e", `display notification (item 2 of argv) with title (item 1 of argv) sound name "Glass"`, "-e", "end run",
			"--", title, body,
		},
		Dir: "/", Environ: environ,
	})
}

func run(ctx context.Context, command proc.Command) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	result, err := proc.Run(ctx, command)
	if err == nil && result.ExitCode != 0 {
		err = fmt.Errorf("%s failed: %s", command.Name, strings.TrimSpace(result.Stderr.Text()))
	}
	return err
}

// escapeMarkup escapes a notification's text for desktops that interpret markup.
func escapeMarkup(body string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(body)
}

// visible replaces invalid UTF-8 with U+FFFD, and removes ASCII control characters except line
// breaks. It cuts long text after 500 characters, and appends "…".
func visible(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	if runes := []rune(text); len(runes) > 500 {
		text = string(runes[:500]) + "…"
	}
	return text
}
