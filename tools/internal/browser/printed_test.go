//go:build unix

package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/tools/internal/proc"
)

func TestChromiumOutput(t *testing.T) {
	const failed = "the browser does not load the page: "
	for script, want := range map[string]string{
		playing("prints"):   "the page /x \ufffd",
		"printf '<p>page'":  "<p>page",
		"printf 'caf\\351'": "caf\ufffd",
		"printf x; exit 7":  "x",
		"printf '\\n \\n'":  "the browser printed no document (exit code 0): it said nothing",
		"exit 3":            "the browser printed no document (exit code 3): it said nothing",
		"echo one >&2; printf '  \\na dbus\\na DBus\\n' >&2":                    "the browser printed no document (exit code 0): one",
		"printf '%0600d' 0 >&2":                                                 "the browser printed no document (exit code 0): " + strings.Repeat("0", 500),
		"printf ' a\\n b \\n' >&2":                                              "the browser printed no document (exit code 0): b",
		"echo 'x Page load failed: net::ERR_A' >&2; echo more >&2":              failed + "ERR_A",
		"echo 'Page load failed: net::ERR_A' >&2; printf x":                     "x",
		"printf 'Page load failed: %0100d' 0 >&2":                               failed + strings.Repeat("0", 100),
		"printf 'Page load failed: %0101d' 0 >&2":                               "the browser printed no document (exit code 0): Page load failed: " + strings.Repeat("0", 101),
		`printf 'id="main-frame-error" "errorCode":"E1"'`:                       `id="main-frame-error" "errorCode":"E1"`,
		`printf 'loadTimeDataRaw "errorCode":"E1"'`:                             `loadTimeDataRaw "errorCode":"E1"`,
		`printf 'id="main-frame-error" loadTimeDataRaw "errorCode":"E1"'`:       failed + "E1",
		`printf 'id="main-frame-error" loadTimeDataRaw'`:                        failed + "the browser gives no reason",
		`printf 'id="main-frame-error" loadTimeDataRaw "errorCode":"E1'`:        failed + "the browser gives no reason",
		`printf 'id="main-frame-error" loadTimeDataRaw "errorCode":"%0100d"' 0`: failed + strings.Repeat("0", 100),
		`printf 'id="main-frame-error" loadTimeDataRaw "errorCode":"%0101d"' 0`: failed + "the browser gives no reason",
	} {
		request, _ := browsing(t, "chromium", script)
		got, err := Render(t.Context(), request)
		if err != nil {
			got += err.Error()
		}
		if got != want {
			t.Errorf("%s: %.200q, not %.200q", script, got, want)
		}
	}
}

func TestRelayRefusalIsReported(t *testing.T) {
	request, _ := browsing(t, "chromium", playing("prints"))
	request.URL = "http://10.0.0.1/"
	if got, err := Render(t.Context(), request); err == nil || !strings.Contains(err.Error(), "10.0.0.1: not allowed") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestALargeDocument(t *testing.T) {
	for size, full := range map[int]bool{limit: false, limit + 1: true} {
		printed := proc.Capped{Most: limit}
		for left := size; left > 0; left -= min(left, 1<<20) {
			if n, err := printed.Write(make([]byte, min(left, 1<<20))); (err == nil) != (n > 0) || err != nil && !printed.Exceeded() {
				t.Errorf("%d bytes: %d, %v", size, n, err)
			}
		}
		if printed.Exceeded() != full || len(printed.String()) != limit {
			t.Errorf("%d bytes: %d are kept, full %v", size, len(printed.String()), printed.Exceeded())
		}
	}
	request, _ := browsing(t, "chromium", "head -c 8400000 /dev/zero | tr '\\0' x")
	got, err := Render(t.Context(), request)
	if err != nil || len(got) > limit || len(got) < limit-1<<20 || strings.Trim(got, "x") != "" {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestChromiumCommandLine(t *testing.T) {
	request, _ := browsing(t, "chromium", `printf '%s\n' "$PWD" "$HOME" "$TMPDIR" "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$DBUS_SESSION_BUS_ADDRESS" "$@"`)
	got, err := Render(t.Context(), request)
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if err != nil || len(lines) < 20 {
		t.Fatalf("%q, %v", got, err)
	}
	profile := lines[0]
	if slices.ContainsFunc(lines[1:5], func(line string) bool { return line != profile }) || lines[5] != "disabled:" {
		t.Errorf("its surroundings are %q", lines[:6])
	}
	if _, err := os.Stat(profile); err == nil {
		t.Errorf("%s is left", profile)
	}
	for _, want := range []string{"--user-data-dir=" + profile, "--virtual-time-budget=10000", "--proxy-bypass-list=<-loopback>", "--", "http://site.example/x"} {
		if !slices.Contains(lines[6:], want) {
			t.Errorf("it is called without %s", want)
		}
	}
	if slices.Contains(lines, "--no-sandbox") != (os.Geteuid() == 0) || lines[len(lines)-1] != request.URL || lines[len(lines)-2] != "--" {
		t.Errorf("it is called with %q", lines[6:])
	}
}

func TestABrowserThatComesToNoEnd(t *testing.T) {
	request, _ := browsing(t, "chromium", "echo page; exec sleep 1000")
	ctx, stop := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("enough"))
	defer stop()
	if got, err := Render(ctx, request); got != "" || err == nil || err.Error() != "the browser did not finish: stopped: enough" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestBrowserChoice(t *testing.T) {
	dir := t.TempDir()
	environ := []string{"PATH=" + dir}
	for _, name := range slices.Backward(append(slices.Clone(kinds()[0].names[:6]), kinds()[1].names[:2]...)) {
		path := filepath.Join(dir, name)
		if err := disktest.WriteProgram(path, []byte("#!/bin/sh\necho "+name+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if got, run := find(environ); got != path || run == nil {
			t.Errorf("with %s: %q", name, got)
		}
	}
}
