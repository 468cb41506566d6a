package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/mcp/mcptest"
)

func say(t *testing.T, session *Session, env tools.Env, text string) (string, error) {
	t.Helper()
	args, err := json.Marshal(said{text})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	output, err := session.Call(ctx, env, "run_command", args)
	return output.Text, err
}

func TestAServerIsStartedAndCalled(t *testing.T) {
	for _, how := range []string{"well", "banner", "slow"} {
		server := played(how)
		server.Env["TOKEN"] = "$MY_TOKEN"
		on := ground(t)
		on.Environ = append(on.Environ, "MY_TOKEN=of mine")
		session := begun(t, server, on)
		if text, err := say(t, session, tools.Env{}, "key"); err != nil || text != "said: of mine" {
			t.Errorf("%s: %q, %v", how, text, err)
		}
		if text, err := say(t, session, tools.Env{}, "fail"); err == nil || !strings.Contains(err.Error(), "does not work") {
			t.Errorf("%s: %q, %v", how, text, err)
		}
		manifest, err := session.Tools(t.Context())
		if err != nil || len(manifest.Tools) != 1 || manifest.Tools[0].Claims != "reads" || manifest.Program != "played 1" {
			t.Errorf("%s: %+v, %v", how, manifest, err)
		}
		if how == "banner" && !strings.Contains(session.Log(), "Welcome to the simulated server!") {
			t.Errorf("the log is %q", session.Log())
		}
	}
}

func TestServerStartErrors(t *testing.T) {
	_, err := Connect(t.Context(), "office", played("dies"), ground(t))
	if err == nil || !strings.Contains(err.Error(), "ended with code 3") || !strings.Contains(err.Error(), "no key was given") {
		t.Errorf("it died: %v", err)
	}
	ctx, stop := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, errors.New("it took too long"))
	defer stop()
	if _, err := Connect(ctx, "office", played("hangs"), ground(t)); err == nil || !strings.Contains(err.Error(), "it took too long") {
		t.Errorf("it hangs: %v", err)
	}
	if _, err := Connect(t.Context(), "office", settings.Server{Command: []string{"no-such-program"}, Free: true}, ground(t)); err == nil || !strings.Contains(err.Error(), "no-such-program") {
		t.Errorf("it is not there: %v", err)
	}
	server := played("well")
	server.Env["TOKEN"] = "${NO_SUCH_VARIABLE}"
	if _, err := Connect(t.Context(), "office", server, ground(t)); err == nil || !strings.Contains(err.Error(), "$NO_SUCH_VARIABLE is not set") {
		t.Errorf("its key is missing: %v", err)
	}
}

func TestServerThatDiesInACallIsReported(t *testing.T) {
	for _, how := range []string{"well", "leaves"} { // a child of the server may keep its pipes open
		session := begun(t, played(how), ground(t))
		if _, err := say(t, session, tools.Env{}, "die"); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "killed") {
			t.Errorf("%s: %v", how, err)
		}
		if err := session.Wait(); err == nil {
			t.Errorf("%s: no one is reported that it is gone", how)
		}
	}
}

func TestAnAnswerOf20MBIsRefusedAndTheServerLives(t *testing.T) {
	session := begun(t, played("well"), ground(t))
	if _, err := say(t, session, tools.Env{}, "huge"); err == nil || !strings.Contains(err.Error(), "larger than 8 MB") {
		t.Errorf("%v", err)
	}
	if text, err := say(t, session, tools.Env{}, "hello"); err != nil || text != "said: hello" {
		t.Errorf("behind it: %q, %v", text, err)
	}
}

func TestACallThatIsCancelledEndsAtTheServerToo(t *testing.T) {
	session := begun(t, played("well"), ground(t))
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(cause) })
	if _, err := session.Call(ctx, tools.Env{}, "run_command", json.RawMessage(`{"text":"wait"}`)); !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
	for limit := time.Now().Add(time.Minute); !strings.Contains(session.Log(), "the call was cancelled"); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("the server was not told")
		}
	}
}

func TestProgressAndQuestionsOfAServerReachUser(t *testing.T) {
	session := begun(t, played("well"), ground(t))
	lines := make(chan string, 10)
	var asked tools.Inquiry
	env := tools.Env{Person: true, Conversation: tools.Conversation{Ask: func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		asked = inquiry
		return tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Values: map[string]any{"name": "Ada"}}}, nil
	}}}
	// The call continues until it is canceled; progress of an ended call is dropped.
	ctx, stop := context.WithCancel(t.Context())
	far := env
	far.Progress = func(line string) {
		lines <- line
		stop()
	}
	if _, err := session.Call(ctx, far, "run_command", json.RawMessage(`{"text":"far"}`)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if line := <-lines; line != "step 0 of 3" {
		t.Errorf("progress %q", line)
	}
	if text, err := say(t, session, env, "ask"); err != nil || text != "said: accept Ada" || len(asked.Fields) != 1 || asked.Kind != messages.AskForm {
		t.Errorf("%q, %v, asked %+v", text, err, asked)
	}
	env.Person = false
	if text, err := say(t, session, env, "ask"); err != nil || !strings.HasPrefix(text, "said: decline") {
		t.Errorf("with no one there: %q, %v", text, err)
	}
}

func TestAServerThatForksAwayLeavesNothing(t *testing.T) {
	server := played("forks")
	server.Env["PID_FILE"] = filepath.Join(t.TempDir(), "pid")
	session := begun(t, server, ground(t))
	if _, err := say(t, session, tools.Env{}, "hello"); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for limit := time.Now().Add(time.Minute); pid == 0; time.Sleep(time.Millisecond) {
		content, _ := os.ReadFile(server.Env["PID_FILE"])
		pid, _ = strconv.Atoi(strings.TrimSpace(string(content)))
		if time.Now().After(limit) {
			t.Fatal("it did not fork")
		}
	}
	session.Close()
	if err := syscall.Kill(pid, 0); err == nil {
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") {
			t.Errorf("%d lives on", pid)
		}
	}
}

func TestServersAtAnAddress(t *testing.T) {
	server := sdk.NewServer(&sdk.Implementation{Name: "far", Version: "2"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "run_command", Description: "Says it."}, func(_ context.Context, _ *sdk.CallToolRequest, in said) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "far: " + in.Text}}}, nil, nil
	})
	keys := make(chan string, 100)
	guarded := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case keys <- r.Header.Get("Authorization"):
			default:
			}
			next.ServeHTTP(w, r)
		})
	}
	get := func(*http.Request) *sdk.Server { return server }
	mux := http.NewServeMux()
	mux.Handle("/mcp", guarded(sdk.NewStreamableHTTPHandler(get, nil)))
	mux.Handle("/sse", guarded(sdk.NewSSEHandler(get, nil)))
	upstream := httptest.NewServer(mux)
	t.Cleanup(upstream.Close)
	on := ground(t)
	on.Environ = append(on.Environ, "KEY=secret")
	for _, path := range []string{"/mcp", "/sse"} {
		session, err := Connect(t.Context(), "far", settings.Server{URL: upstream.URL + path, Headers: map[string]string{"Authorization": "Bearer $KEY"}}, on)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := say(t, session, tools.Env{}, "hello"); err != nil || text != "far: hello" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		if key := <-keys; key != "Bearer secret" {
			t.Errorf("%s: its key was %q", path, key)
		}
		session.Close()
	}
}

func TestAServerWithoutResourcesHasNothingToRead(t *testing.T) {
	session := begun(t, played("bare"), ground(t))
	if list, err := session.Resources(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestResourcesAreRead(t *testing.T) {
	session := begun(t, played("well"), ground(t))
	list, err := session.Resources(t.Context())
	if err != nil || len(list) != 2 || list[0].URI != "played://one" {
		t.Fatalf("%+v, %v", list, err)
	}
	if text, err := session.Read(t.Context(), "played://one"); err != nil || !strings.Contains(text, "the resource") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := session.Read(t.Context(), "played://two"); err != nil || text != mcptest.Dot {
		t.Errorf("binary content does not come as it is: %q, %v", text, err)
	}
}
