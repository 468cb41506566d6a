package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"marvin/tools/internal/proc"
	"marvin/tools/internal/relay"
)

// limit is the size of the largest document that is read.
const limit = 8 << 20

// settle is the time that a page's scripts get, in their own clock: it stands still
// while something loads and jumps over waits.
const settle = 10 * time.Second

// allowance is what one page may load in all, with everything that it embeds.
const allowance = 64 << 20

// ErrNone means that no browser is installed that can be used.
var ErrNone = errors.New("no Chromium or Chrome is installed")

// Request says what to render.
type Request struct {
	URL     string       // http or https
	Client  *http.Client // that of the tools
	Environ []string     // what Marvin was started with
	Now     time.Time
}

// Render loads a page, lets its scripts run and returns the document as HTML. It ends
// with ctx; of the browser nothing is left then, neither processes nor files.
func Render(ctx context.Context, request Request) (document string, err error) {
	program, err := find(request.Environ)
	if err != nil {
		return "", err
	}
	profile, err := os.MkdirTemp("", "marvin-") // short: the path of its socket may have 107 bytes
	if err != nil {
		return "", fmt.Errorf("make a directory for the browser: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(profile)) }()
	proxy, err := relay.Start(ctx, request.Client.Transport, request.Now, allowance)
	if err != nil {
		return "", err
	}
	defer proxy.Close()
	printed := &capped{}
	result, err := proc.Run(ctx, proc.Command{
		Name: program, Args: arguments(request.URL, profile, proxy), Dir: profile, Environ: request.Environ,
		// What it would write into the home directory goes the way of the profile.
		Env:    []string{"HOME=" + profile, "TMPDIR=" + profile, "XDG_CONFIG_HOME=" + profile, "XDG_CACHE_HOME=" + profile, "DBUS_SESSION_BUS_ADDRESS=disabled:"},
		Stdout: printed,
	})
	document = strings.ToValidUTF8(printed.String(), "�")
	switch {
	case err != nil && !printed.full:
		return "", fmt.Errorf("the browser did not finish: %w", err)
	case strings.Contains(document, "<title>"+proxy.Mark+"</title>"):
		return "", proxy.Failure()
	case strings.Contains(document, `id="main-frame-error"`) && strings.Contains(document, "loadTimeDataRaw"):
		return "", fmt.Errorf("the browser does not load it: %s", errorCode(document))
	case strings.TrimSpace(document) == "":
		return "", fmt.Errorf("the browser printed no document (exit code %d): %s", result.ExitCode, lastLine(result.Stderr.Text()))
	}
	return document, nil
}

// find looks for the browser under the names that systems give it.
func find(environ []string) (string, error) {
	for _, name := range []string{
		"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
	} {
		path, err := proc.Find(name, environ)
		if err != nil {
			continue
		}
		if _, err = os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

func arguments(address, profile string, proxy *relay.Relay) []string {
	args := []string{
		"--headless", "--dump-dom", "--virtual-time-budget=" + strconv.FormatInt(settle.Milliseconds(), 10),
		"--user-data-dir=" + profile, "--window-size=1280,2000",
		// Every connection goes to the proxy, also those to this machine, which
		// browsers leave out unless told otherwise. Names are looked up by the proxy
		// alone, and what cannot go through it (QUIC, WebRTC) does not happen.
		"--proxy-server=http://" + proxy.Address, "--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--dns-prefetch-disable", "--disable-quic",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--ignore-certificate-errors-spki-list=" + proxy.Pin,
		// Nothing is loaded that is not read, or that is the browser's own business.
		"--blink-settings=imagesEnabled=false", "--mute-audio", "--no-first-run", "--no-default-browser-check",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-extensions", "--disable-client-side-phishing-detection", "--disable-domain-reliability",
		"--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
		// The services of its maker, which it asks at every start, whatever it is told.
		"--gaia-url=http://" + relay.Nowhere, "--google-base-url=http://" + relay.Nowhere,
		"--disable-breakpad", "--disable-crash-reporter", "--disable-gpu", "--disable-dev-shm-usage", "--password-store=basic", "--use-mock-keychain",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // as root Chromium does not start with its sandbox
	}
	return append(args, "--", address)
}

// capped keeps the first bytes that the browser prints; after that it may end.
type capped struct {
	bytes.Buffer
	full bool
}

func (c *capped) Write(b []byte) (int, error) {
	if c.Len()+len(b) > limit {
		c.full = true
		return 0, errors.New("enough")
	}
	return c.Buffer.Write(b)
}

// errorCode is what Chromium's own page says about a page that it did not load.
func errorCode(document string) string {
	_, rest, _ := strings.Cut(document, `"errorCode":"`)
	code, _, found := strings.Cut(rest, `"`)
	if !found || len(code) > 100 {
		return "it does not say why"
	}
	return code
}

// lastLine is what the browser complained about last, if it was not its surroundings.
func lastLine(complaints string) string {
	last := "it said nothing"
	for line := range strings.Lines(complaints) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "dbus") && !strings.Contains(line, "DBus") {
			last = line
		}
	}
	return last[:min(len(last), 500)]
}
