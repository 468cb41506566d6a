package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/tools/internal/web"
)

// plays makes this program act as a browser if BROWSER_PLAYS describes how: a real process whose
// connections all use the relay.
func plays(how string) int {
	switch profile := os.Args[len(os.Args)-1]; {
	case strings.Contains(how, "prints"):
		proxy := ""
		for _, arg := range os.Args {
			if after, is := strings.CutPrefix(arg, "--proxy-server=http://"); is {
				proxy = after
			}
		}
		fmt.Print(fetched(proxy, os.Args[len(os.Args)-1]))
	case strings.Contains(how, "ends"):
		fmt.Fprintln(os.Stderr, "no display was found\n\ndbus: nobody is there")
		return 3
	case strings.Contains(how, "hangs"):
		time.Sleep(time.Hour) // until it is killed
	case strings.Contains(how, "port "):
		_ = os.WriteFile(filepath.Join(profile, "MarionetteActivePort"), []byte(strings.TrimPrefix(how, "port ")), 0o600)
		time.Sleep(time.Hour)
	default:
		if err := drives(how, profile); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
	}
	return 0
}

func fetched(proxy, address string) string {
	client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: proxy})}}
	answer, err := client.Get(address)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	content, _ := io.ReadAll(answer.Body)
	return string(content)
}

// drives acts as a Firefox controlled through Marionette.
func drives(how, profile string) error {
	settings, err := os.ReadFile(filepath.Join(profile, "user.js"))
	if err != nil {
		return err
	}
	set := map[string]string{}
	for _, one := range regexp.MustCompile(`(?m)^user_pref\("(.*)", "?(.*?)"?\);$`).FindAllStringSubmatch(string(settings), -1) {
		set[one[1]] = one[2]
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+set["marionette.port"])
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := os.WriteFile(filepath.Join(profile, "MarionetteActivePort"), []byte(port+"\n"), 0o600); err != nil {
		return err
	}
	connection, err := listener.Accept()
	if err != nil {
		return err
	}
	say := func(value any) {
		text, _ := json.Marshal(value)
		fmt.Fprintf(connection, "%d:%s", len(text), text)
	}
	version := 3
	if how == "old" {
		version = 2
	}
	say(map[string]any{"marionetteProtocol": version})
	in, page, began := bufio.NewReader(connection), "", ""
	for {
		length, err := in.ReadString(':')
		if errors.Is(err, io.EOF) { // Firefox survives the end of its connection
			time.Sleep(time.Minute)
			return nil
		}
		size, wrong := strconv.Atoi(strings.TrimSuffix(length, ":"))
		if err := errors.Join(err, wrong); err != nil {
			return err
		}
		message := make([]byte, size)
		if _, err := io.ReadFull(in, message); err != nil {
			return err
		}
		var id, kind int
		var command string
		var given struct {
			URL, Script         string
			AcceptInsecureCerts bool
			PageLoadStrategy    string
		}
		if err := json.Unmarshal(message, &[]any{&kind, &id, &command, &given}); err != nil {
			return err
		}
		if how == "refuses "+command {
			say([]any{1, id, map[string]string{"error": "unknown error", "message": "about:neterror\nat x"}, nil})
			continue
		}
		var value any
		switch command {
		case "WebDriver:NewSession":
			began = fmt.Sprint(given.AcceptInsecureCerts, given.PageLoadStrategy)
		case "WebDriver:Navigate":
			page = fetched(net.JoinHostPort(set["network.proxy.http"], set["network.proxy.http_port"]), given.URL)
		case "WebDriver:ExecuteAsyncScript":
			page += " " + strconv.FormatBool(given.Script == quietScript) + " " + began
		case "WebDriver:GetPageSource":
			if value = page; how == "large" {
				value = strings.Repeat("x", limit+1)
			}
		}
		say([]any{1, id, nil, map[string]any{"value": value}})
	}
}

// browsing returns a request that uses the fake browser under this name.
func browsing(t *testing.T, name, script string) (request Request, program string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("scripts of a shell")
	}
	dir, err := os.MkdirTemp("/tmp", "b") // see longestDir
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "bin")
	t.Setenv("TMPDIR", dir)
	program = filepath.Join(bin, name)
	if err := errors.Join(os.Mkdir(bin, 0o755), disktest.WriteProgram(program, []byte("#!/bin/sh\n"+script+"\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "the page "+r.URL.Path+" \xff")
	}))
	client := web.NewClient(map[string]string{"site.example": server.URL})
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.Close()
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
		os.RemoveAll(dir)
	})
	environ := []string{"PATH=" + strings.Join([]string{bin, "/usr/bin", "/bin"}, string(filepath.ListSeparator))}
	return Request{URL: "http://site.example/x", Client: client, Environ: environ, Now: time.Now()}, program
}

func playing(how string) string { return "BROWSER_PLAYS='" + how + "' exec " + os.Args[0] + ` "$@"` }

func TestFirefoxErrors(t *testing.T) {
	for how, want := range map[string]string{
		"well": "the page /x \ufffd true truenormal", "large": "the document is too large", "old": "the browser speaks version 2 of Marionette, not 3",
		"ends":   "the browser ended too early (exit code 3): no display was found",
		"port 0": `the browser gave "0" as its port, which is not a number`, "port x": `the browser gave "x" as its port, which is not a number`, "port 65536": `the browser gave "65536" as its port, which is not a number`,
		"port -1": `the browser gave "-1" as its port, which is not a number`, "refuses WebDriver:NewSession": "the browser does not load the page: unknown error (about:neterror)",
		"refuses WebDriver:Navigate": "the browser does not load the page: unknown error (about:neterror)", "refuses WebDriver:ExecuteAsyncScript": "the page /x \ufffd",
	} {
		t.Run(how, func(t *testing.T) {
			request, program := browsing(t, "firefox", playing(how))
			got, err := request.runProgram(t.Context(), program, firefox)
			if err != nil {
				got += err.Error()
			}
			if got != want {
				t.Errorf("%.200q, not %q", got, want)
			}
		})
	}
	request, program := browsing(t, "firefox", playing("hangs"))
	ctx, stop := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("enough"))
	defer stop()
	if got, err := request.runProgram(ctx, program, firefox); err == nil || err.Error() != "the browser did not finish: enough" {
		t.Errorf("%q, %v", got, err)
	}
}
