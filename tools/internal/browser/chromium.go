package browser

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"marvin/tools/internal/proc"
	"marvin/tools/internal/relay"
)

// scriptTime is the maximum virtual time for a page's scripts. Virtual time stops while something
// loads, and skips periods in which scripts only wait.
const scriptTime = 10 * time.Second

// chromium invokes Chromium, which prints the document and exits.
func chromium(ctx context.Context, program, profile string, request Request, proxy *relay.Relay) (string, error) {
	printed := &proc.Capped{Most: limit}
	result, err := proc.Run(ctx, proc.Command{
		Name: program, Args: arguments(request.URL, profile, proxy), Dir: profile, Environ: request.Environ,
		Env: surroundings(profile), Stdout: printed,
	})
	document := printed.String()
	switch {
	case err != nil && !printed.Exceeded(): // exceeding the size limit is not a failure
		return "", fmt.Errorf("the browser did not finish: %w", err)
	case strings.Contains(document, `id="main-frame-error"`) && strings.Contains(document, "loadTimeDataRaw"):
		return "", fmt.Errorf("the browser does not load the page: %s", errorCode(document))
	case strings.TrimSpace(document) == "" && loadFailure(result.Stderr.Text()) != "":
		return "", fmt.Errorf("the browser does not load the page: %s", loadFailure(result.Stderr.Text()))
	case strings.TrimSpace(document) == "":
		return "", fmt.Errorf("the browser printed no document (exit code %d): %s", result.ExitCode, lastLine(result.Stderr.Text()))
	}
	return document, nil
}

func arguments(address, profile string, proxy *relay.Relay) []string {
	args := []string{
		"--headless", "--dump-dom", "--virtual-time-budget=" + strconv.FormatInt(scriptTime.Milliseconds(), 10),
		"--user-data-dir=" + profile, "--window-size=1280,2000",
		// Send every connection to the proxy, even local ones, which browsers exclude by default.
		// Let only the proxy look up names, and turn off protocols that bypass it (QUIC, WebRTC).
		"--proxy-server=http://" + proxy.Address, "--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--dns-prefetch-disable", "--disable-quic",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--ignore-certificate-errors-spki-list=" + proxy.Pin,
		// Turn off images, sound, and background services such as updates and synchronization.
		"--blink-settings=imagesEnabled=false", "--mute-audio", "--no-first-run", "--no-default-browser-check",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-extensions", "--disable-client-side-phishing-detection", "--disable-domain-reliability",
		"--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
		// Without these switches, Chromium contacts Google services each time it starts.
		"--gaia-url=http://" + relay.RefusedHost, "--google-base-url=http://" + relay.RefusedHost,
		"--component-updater=url-source=http://" + relay.RefusedHost, "--apps-gallery-update-url=http://" + relay.RefusedHost,
		"--variations-server-url=http://" + relay.RefusedHost, "--variations-insecure-server-url=http://" + relay.RefusedHost,
		"--metrics-recording-only", "--disable-pings",
		"--disable-breakpad", "--disable-crash-reporter", "--disable-gpu", "--disable-dev-shm-usage", "--password-store=basic", "--use-mock-keychain",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium refuses to start with its sandbox if the user is root
	}
	return append(args, "--", address)
}

// loadFailure returns Chromium's reason for a failed page load, or "". Since version 150, Chromium
// prints the reason and ends with exit code 0.
func loadFailure(complaints string) string {
	_, rest, found := strings.Cut(complaints, "Page load failed: ")
	code, _, _ := strings.Cut(rest, "\n")
	if code = strings.TrimPrefix(strings.TrimSpace(code), "net::"); !found || len(code) > 100 {
		return ""
	}
	return code
}

// errorCode returns the reason given on Chromium's error page for a failed page load.
func errorCode(document string) string {
	_, rest, _ := strings.Cut(document, `"errorCode":"`)
	code, _, found := strings.Cut(rest, `"`)
	if !found || len(code) > 100 {
		return "the browser gives no reason"
	}
	return code
}
