package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/tools/internal/proc"
	"marvin/tools/internal/relay"
)

// quietScript waits for 2 s without changes to the page, but no longer than 8 s in total. Firefox
// has no virtual time for this purpose.
const quietScript = `const done = arguments[arguments.length - 1];
setTimeout(done, 8000);
let still = setTimeout(done, 2000);
new MutationObserver(() => { clearTimeout(still); still = setTimeout(done, 2000); })
	.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});`

var errRead = errors.New("the page was read")

// firefox executes Firefox until one page has been read.
func firefox(ctx context.Context, program, profile string, request Request, proxy *relay.Relay) (document string, err error) {
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences(proxy.Address)), 0o600); err != nil {
		return "", fmt.Errorf("write the browser's settings: %w", err)
	}
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group errgroup.Group
	group.Go(func() error {
		result, err := proc.Run(running, proc.Command{
			Name: program, Args: []string{"--headless", "--marionette", "--no-remote", "--new-instance", "--profile", profile},
			Dir: profile, Environ: request.Environ,
			// Without this variable, Firefox requests settings from Mozilla despite the preferences.
			Env: append(surroundings(profile), "MOZ_REMOTE_SETTINGS_DEVTOOLS=1"),
		})
		if err == nil { // the browser exited before the page was read
			err = fmt.Errorf("the browser ended too early (exit code %d): %s", result.ExitCode, lastLine(result.Stderr.Text()))
		}
		stop(err)
		return err
	})
	document, err = readPage(running, profile, request.URL)
	stop(errRead)
	ended := group.Wait()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("the browser did not finish: %w", context.Cause(ctx))
	case err != nil && !errors.Is(ended, errRead):
		return "", ended
	}
	return document, err
}

// readPage loads a page in the running browser and returns the document. The browser writes its
// port to a file in its profile.
func readPage(ctx context.Context, profile, address string) (string, error) {
	port, err := awaitPort(ctx, filepath.Join(profile, "MarionetteActivePort"))
	if err != nil {
		return "", err
	}
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return "", fmt.Errorf("reach the browser: %w", err)
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })()
	driver, err := newMarionette(connection)
	if err != nil {
		return "", err
	}
	// Accept the relay's own certificate. The relay checks the certificates of the servers.
	_, err = driver.call("WebDriver:NewSession", map[string]any{
		"acceptInsecureCerts": true, "pageLoadStrategy": "normal", "unhandledPromptBehavior": "dismiss",
		"timeouts": map[string]any{"pageLoad": 30_000, "script": 10_000},
	})
	if err != nil {
		return "", err
	}
	if _, err = driver.call("WebDriver:Navigate", map[string]any{"url": address}); err != nil {
		return "", err
	}
	// If the page navigates elsewhere, the script ends early and GetPageSource reads the new page.
	_, _ = driver.call("WebDriver:ExecuteAsyncScript", map[string]any{"script": quietScript, "args": []any{}})
	return driver.call("WebDriver:GetPageSource", map[string]any{})
}

func awaitPort(ctx context.Context, file string) (string, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		content, err := os.ReadFile(file)
		if port := strings.TrimSpace(string(content)); err == nil && port != "" {
			if number, err := strconv.Atoi(port); err != nil || number <= 0 || number > 65535 {
				return "", fmt.Errorf("the browser gave %.20q as its port, which is not a number", port)
			}
			return port, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// preferences returns settings that send every connection through the relay, and switch off the
// browser's own requests.
func preferences(proxy string) string {
	host, port, _ := net.SplitHostPort(proxy)
	var out strings.Builder
	for _, each := range [][2]string{
		{"network.proxy.type", "1"},
		{"network.proxy.http", strconv.Quote(host)},
		{"network.proxy.http_port", port},
		{"network.proxy.ssl", strconv.Quote(host)},
		{"network.proxy.ssl_port", port},
		{"network.proxy.no_proxies_on", `""`},
		{"network.proxy.allow_hijacking_localhost", "true"},
		{"network.proxy.failover_direct", "false"},
		{"network.dns.disablePrefetch", "true"},
		{"network.prefetch-next", "false"},
		{"network.trr.mode", "5"},
		{"network.http.http3.enable", "false"},
		{"network.http.speculative-parallel-limit", "0"},
		{"media.peerconnection.enabled", "false"},
		{"dom.security.https_first", "false"},
		{"marionette.port", "0"},
		{"permissions.default.image", "2"},
		{"security.OCSP.enabled", "0"},
		{"browser.startup.page", "0"},
		{"browser.startup.homepage", `"about:blank"`},
		{"browser.newtabpage.enabled", "false"},
		{"browser.aboutwelcome.enabled", "false"},
		{"browser.shell.checkDefaultBrowser", "false"},
		{"browser.download.forbid_open_with", "true"},
		{"app.update.disabledForTesting", "true"},
		{"app.normandy.enabled", "false"},
		{"extensions.update.enabled", "false"},
		{"extensions.getAddons.cache.enabled", "false"},
		{"extensions.systemAddon.update.enabled", "false"},
		{"browser.search.update", "false"},
		{"browser.region.update.enabled", "false"},
		{"browser.region.network.url", `""`},
		{"network.captive-portal-service.enabled", "false"},
		{"network.connectivity-service.enabled", "false"},
		{"services.settings.server", `"http://` + relay.RefusedHost + `/v1"`},
		{"browser.safebrowsing.malware.enabled", "false"},
		{"browser.safebrowsing.phishing.enabled", "false"},
		{"browser.safebrowsing.downloads.enabled", "false"},
		{"browser.safebrowsing.update.enabled", "false"},
		{"browser.safebrowsing.blockedURIs.enabled", "false"},
		{"datareporting.policy.dataSubmissionEnabled", "false"},
		{"datareporting.healthreport.uploadEnabled", "false"},
		{"toolkit.telemetry.server", `""`},
		{"toolkit.telemetry.enabled", "false"},
		{"toolkit.telemetry.unified", "false"},
		{"browser.topsites.contile.enabled", "false"},
		{"dom.push.connection.enabled", "false"},
		{"media.gmp-manager.url", `"http://` + relay.RefusedHost + `/"`},
		{"media.gmp-manager.updateEnabled", "false"},
		{"signon.rememberSignons", "false"},
	} {
		fmt.Fprintf(&out, "user_pref(%q, %s);\n", each[0], each[1])
	}
	return out.String()
}
