package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"

	"marvin/tools/internal/proc"
	"marvin/tools/internal/relay"
)

// limit is the maximum size of a document, in bytes.
const limit = 8 << 20

// allowance is the maximum number of bytes that a page may load, including everything it embeds.
const allowance = 64 << 20

// ErrNone means that no supported browser is installed.
var ErrNone = errors.New("neither Chromium, Chrome nor Firefox is installed")

// Request describes a page to render.
type Request struct {
	URL     string       // http or https
	Client  *http.Client // the client that all tools share; it checks each address
	Environ []string     // Marvin's environment
	Now     time.Time
}

// Render loads a page, runs its scripts and returns the document as HTML. It stops when ctx ends.
// When it returns, the browser has exited and its files are deleted.
func Render(ctx context.Context, request Request) (string, error) {
	program, run := find(request.Environ)
	if run == nil {
		return "", ErrNone
	}
	return request.runProgram(ctx, program, run)
}

func (request Request) runProgram(ctx context.Context, program string, run run) (document string, err error) {
	profile, err := os.MkdirTemp(shortDir(os.TempDir()), "marvin-")
	if err != nil {
		return "", fmt.Errorf("make a directory for the browser: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(profile)) }()
	proxy, err := relay.Start(ctx, request.Client.Transport, request.Now, allowance, refused(request.URL)...)
	if err != nil {
		return "", err
	}
	defer proxy.Close()
	document, err = run(ctx, program, profile, request, proxy)
	switch {
	case err != nil:
		return "", err
	case len(document) > limit:
		return "", errors.New("the document is too large")
	}
	if err = proxy.FailureIn(document); err != nil {
		return "", err
	}
	return strings.ToValidUTF8(document, "�"), nil
}

// run is a function that renders a page in one kind of browser. The browser writes only to the
// profile directory.
type run func(ctx context.Context, program, profile string, request Request, proxy *relay.Relay) (document string, err error)

// kinds returns the supported browsers, with their names on various systems. Chromium comes first,
// because it can run scripts in virtual time.
func kinds() []kind {
	return []kind{
		{chromium, []string{
			"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
		}},
		{firefox, []string{"firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"}},
	}
}

type kind struct {
	run   run
	names []string
}

// find returns the first installed browser, or "" and nil if no browser is installed.
func find(environ []string) (program string, run run) {
	for _, kind := range kinds() {
		if program = kind.find(environ); program != "" {
			return program, kind.run
		}
	}
	return "", nil
}

func (k kind) find(environ []string) string {
	for _, name := range k.names {
		path, err := proc.Find(name, environ)
		if err != nil {
			continue
		}
		if _, err = os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// longestDir is the maximum path length of the directory in which a profile is created. Chromium
// aborts if the path of its socket exceeds the kernel's limit of 107 bytes, or 103 on macOS. Each X
// is a random character.
const longestDir = 103 - len("/marvin-1234567890/org.chromium.Chromium.XXXXXX/SingletonSocket")

// shortDir returns the given directory, or /tmp if the path of the directory is too long.
func shortDir(own string) string {
	if len(own) > longestDir && runtime.GOOS != "windows" {
		return "/tmp"
	}
	return own
}

// surroundings returns environment variables that make the browser write to its profile directory
// instead of the home directory.
func surroundings(profile string) []string {
	return []string{"HOME=" + profile, "TMPDIR=" + profile, "XDG_CONFIG_HOME=" + profile, "XDG_CACHE_HOME=" + profile, "DBUS_SESSION_BUS_ADDRESS=disabled:"}
}

// lastLine returns the last line of the browser's error output, ignoring lines about D-Bus.
func lastLine(complaints string) string {
	last := "it said nothing"
	for line := range strings.Lines(complaints) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "dbus") && !strings.Contains(line, "DBus") {
			last = line
		}
	}
	return last[:min(len(last), 500)]
}
