package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

func TestAnEditorSeesTheWorkOfASession(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing)
	e.answer = choosing("allow")
	session := e.begin(`{}`)
	if len(e.updates) > 0 { // JetBrains knows no session before that answer
		t.Errorf("updates before the answer to session/new: %v", e.updates)
	}
	if why := stop(e.until(e.prompt(session, `create_file {"path":"a.txt","content":"one\ntwo\n"}`))); why != "end_turn" {
		t.Errorf("it ended with %q", why)
	}
	e.until(e.prompt(session, `apply_patch {"patch":"*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n two\n*** End Patch"}`))
	e.until(e.prompt(session, `run_command {"command":"touch noise; echo noise; echo more >&2"}`))
	e.until(e.prompt(session, `update_plan {"steps":[{"text":"look","status":"in_progress"}]}`))
	seen := map[string]string{}
	for _, one := range e.updates {
		update := one.update()
		key := update.SessionUpdate + " " + update.Kind + " " + update.Status
		seen[key] += one.Line
	}
	real, _ := filepath.EvalSymlinks(e.dir)
	for key, want := range map[string]string{
		"tool_call edit in_progress":           fmt.Sprintf(`"locations":[{"path":%q}]`, filepath.Join(real, "a.txt")),
		"tool_call_update  completed":          `"oldText":"one\ntwo\n","newText":"ONE\ntwo\n"`,
		"tool_call execute pending":            "",
		"plan  ":                               `{"content":"look","priority":"medium","status":"in_progress"}`,
		"available_commands_update  ":          `"name":"undo"`,
		"usage_update  ":                       `"size":`,
		"session_info_update  ":                `"title":`,
		"agent_message_chunk  ":                "Created a.txt",
		"tool_call_update execute in_progress": "run_command touch noise",
	} {
		if !strings.Contains(seen[key], want) || seen[key] == "" {
			t.Errorf("of %q: %s\nwant %s", key, seen[key], want)
		}
	}
	e.until(e.prompt(session, "/undo t2"))
	if content, _ := os.ReadFile(filepath.Join(e.dir, "a.txt")); string(content) != "one\ntwo\n" {
		t.Errorf("after /undo the file holds %q", content)
	}
	if !strings.Contains(e.said(), "Undone") {
		t.Errorf("said: %s", e.said())
	}
}

func TestSessionOfAnEditorIsKeptAndContinues(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing)
	session := e.begin(`{"session":{"configOptions":{"boolean":{}}}}`)
	e.until(e.prompt(session, "remember the whale"))
	e.call("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,"configId":"approval","value":"ask"}`, session))
	e.call("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,"configId":"coding","type":"boolean","value":false}`, session))
	e.call("session/set_config_option", fmt.Sprintf(`{"sessionId":%q,"configId":"effort","value":"high"}`, session))
	e.call("session/set_mode", fmt.Sprintf(`{"sessionId":%q,"modeId":"plan"}`, session))
	listed := string(e.call("session/list", fmt.Sprintf(`{"cwd":%q}`, e.dir)).Result)
	if !strings.Contains(listed, session) || !strings.Contains(listed, "remember the whale") {
		t.Errorf("listed: %s", listed)
	}
	e.call("session/close", fmt.Sprintf(`{"sessionId":%q}`, session))

	e.updates = nil
	opened := string(e.call("session/load", fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"mcpServers":[]}`, session, e.dir)).Result)
	replayed := ""
	for _, one := range e.updates {
		replayed += one.Line
	}
	if !strings.Contains(replayed, `"user_message_chunk","content":{"type":"text","text":"remember the whale"}`) || !strings.Contains(e.said(), "You said: remember") {
		t.Errorf("replayed: %s", replayed)
	}
	for _, want := range []string{`"currentModeId":"plan"`, `"id":"coding","name":"Coding","description":"File and command tools","type":"boolean","currentValue":false`, `"currentValue":"high"`} {
		if !strings.Contains(opened, want) {
			t.Errorf("%s is not in %s", want, opened)
		}
	}
	copied := e.open("session/fork", `{"sessionId":%q,"cwd":%q,"mcpServers":[]}`, session, e.dir)
	e.updates = nil
	e.call("session/resume", fmt.Sprintf(`{"sessionId":%q,"cwd":%q}`, session, e.dir))
	e.until(e.prompt(copied, "on"))
	told := ""
	for _, one := range e.updates {
		told += one.Line
		if strings.Contains(one.Line, "whale") && one.update().SessionUpdate != "session_info_update" {
			t.Errorf("a resumed session repeats the conversation: %s", one.Line)
		}
	}
	if copied == session || !strings.Contains(told, `"config_option_update"`) || !strings.Contains(told, `"currentModeId":"plan"`) {
		t.Errorf("told behind session/resume: %s", told)
	}
	e.send("session/list", `{}`)
	e.in.Close() // what was asked before is answered
	rest, _ := io.ReadAll(e.out)
	if err := e.command.Wait(); err != nil || !strings.Contains(string(rest), `"sessions":[`) {
		t.Errorf("%v: %s%s", err, rest, e.stderr.String())
	}
	list := process(t, nil)
	list.Env, list.Args = e.command.Env, []string{"marvin", "sessions", "list"}
	out, err := list.Output()
	if err != nil || !strings.Contains(string(out), session) || !strings.Contains(string(out), copied) {
		t.Errorf("marvin sessions list: %v, %s", err, out)
	}
}

func TestWrongMessagesOfAnEditorAreAnsweredAndChangeNothing(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing)
	refused := func(line string, code int, words string) {
		t.Helper()
		e.write(line)
		for {
			got := e.next()
			if got.Error == nil {
				continue
			}
			if got.Error.Code != code || !strings.Contains(got.Error.Message, words) {
				t.Errorf("%.90s: %s", line, got.Line)
			}
			return
		}
	}
	refused(`{"jsonrpc":"2.0","id":900,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`, -32600, "initialize first")
	session := e.begin(`{}`)
	for _, one := range []struct {
		line  string
		code  int
		words string
	}{
		{`{"jsonrpc":"2.0","id":`, -32700, "not JSON"},
		{`hello`, -32700, "not JSON"},
		{`[{"jsonrpc":"2.0","id":900,"method":"session/list"}]`, -32600, "batches"},
		{`{"id":900,"method":"session/list"}`, -32600, "jsonrpc"},
		{`{"jsonrpc":"2.0","id":900}`, -32600, "a method, a result or an error"},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"session/list"}`, -32600, "the id must be"},
		{`{"jsonrpc":"2.0","id":900,"method":7}`, -32600, "not a JSON-RPC message"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/dance","params":{}}`, -32601, "session/dance"},
		{`{"jsonrpc":"2.0","id":900,"method":"fs/read_text_file","params":{}}`, -32601, "fs/read_text_file"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/cancel","params":{}}`, -32600, "notification"},
		{`{"jsonrpc":"2.0","id":900,"method":"initialize","params":{"protocolVersion":1}}`, -32600, "already sent"},
		{`{"jsonrpc":"2.0","id":900,"method":"authenticate","params":{"methodId":"login"}}`, -32602, "login"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/new","params":{"cwd":"a/b","mcpServers":[]}}`, -32602, "absolute"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/new","params":{"cwd":"/nowhere/at/all","mcpServers":[]}}`, -32602, "does not exist"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/new","params":{"cwd":7,"mcpServers":[]}}`, -32602, "cwd"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/new","params":{"cwd":"/tmp"}}`, -32602, "mcpServers"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/new","params":{"cwd":"/tmp","mcpServers":[{"type":"sse","name":"a","url":"http://localhost"}]}}`, -32602, "sse"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/load","params":{"sessionId":"../../etc","cwd":"/tmp","mcpServers":[]}}`, -32002, "no such session"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/prompt","params":{"sessionId":"other","prompt":[{"type":"text","text":"x"}]}}`, -32002, "other"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[]}}`, -32602, "empty"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"text"}]}}`, -32602, "prompt[0]"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/prompt","params":{"sessionId":"SESSION","prompt":[{"type":"audio","data":"AA==","mimeType":"audio/wav"}]}}`, -32602, "audio"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/set_mode","params":{"sessionId":"SESSION","modeId":"all"}}`, -32602, "all"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/set_config_option","params":{"sessionId":"SESSION","configId":"model","value":"x/y"}}`, -32602, "x/y"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/set_config_option","params":{"sessionId":"SESSION","configId":"colour","value":"red"}}`, -32602, "colour"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/list","params":{"cursor":"nobody"}}`, -32602, "cursor"},
		{`{"jsonrpc":"2.0","id":900,"method":"session/prompt","params":{"text":"` + strings.Repeat("x", 9<<20) + `"}}`, -32600, "MB long"},
	} {
		refused(strings.ReplaceAll(one.line, "SESSION", session), one.code, one.words)
	}
	e.id++
	e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"text":"%s"}}`, e.id, strings.Repeat("x", 9<<20)))
	for got := e.next(); got.Error == nil || got.ID == nil || *got.ID != e.id; got = e.next() { // the client waits for it
	}
	e.write("")
	e.notify("session/dance", `{}`)
	e.notify("session/cancel", `{"sessionId":7}`)
	e.notify("$/cancel_request", `{"requestId":99}`)
	e.reply(77, map[string]any{"outcome": map[string]string{"outcome": "selected", "optionId": "allow"}})
	if e.until(e.prompt(session, "still there?")); !strings.Contains(e.said(), "still there?") {
		t.Errorf("said: %s", e.said())
	}
}

// The permission of an editor is for one call. It does not cover the next call, and it is void once
// the prompt was cancelled.
func TestAPermissionOfAnEditorIsForOneCall(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing, "--approve", "ask")
	session := e.begin(`{}`)
	touch := func(name string) string { return fmt.Sprintf(`run_command {"command":"touch %s"}`, name) }
	made := func(name string) bool { _, err := os.Stat(filepath.Join(e.dir, name)); return err == nil }

	first := e.prompt(session, touch("one"))
	asked := e.request("session/request_permission")
	e.notify("session/cancel", fmt.Sprintf(`{"sessionId":%q}`, session))
	if why := stop(e.until(first)); why != "cancelled" {
		t.Errorf("a cancelled prompt ended with %q", why)
	}
	allow := choosing("allow")(asked)
	e.reply(*asked.ID, allow) // too late

	second := e.prompt(session, touch("two"))
	other := e.request("session/request_permission")
	e.reply(*other.ID, allow) // the option of the first question
	e.until(second)
	if !strings.Contains(e.said(), "an option that this question does not have") {
		t.Errorf("said: %s", e.said())
	}
	third := e.prompt(session, touch("three"))
	last := e.request("session/request_permission")
	e.reply(*last.ID, choosing("allow")(last))
	if e.until(third); made("one") || made("two") || !made("three") {
		t.Errorf("what ran: %v %v %v", made("one"), made("two"), made("three"))
	}
}

func TestAnEditorThatAnswersNoQuestionHoldsNothingUp(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing, "--approve", "ask", "--wait", "50ms")
	session := e.begin(`{}`)
	prompt := e.prompt(session, `run_command {"command":"touch one"}`)
	asked := e.request("session/request_permission")
	for got := e.next(); got.Method != "$/cancel_request"; got = e.next() {
	}
	if e.until(prompt); asked.ID == nil || !strings.Contains(e.said(), "no answer came within 50ms") {
		t.Errorf("said: %s", e.said())
	}
}

func TestAnEditorIsAskedForSubAgentsAndForTheModel(t *testing.T) {
	t.Parallel()
	e := inEditor(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.User && strings.Contains(last.Text, "please touch") {
			return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]any{"command": "touch by-agent"}})
		}
		return doing(request)
	}, "--approve", "ask")
	e.answer = func(asked frame) any {
		if asked.Method == "elicitation/create" {
			return map[string]any{"action": "accept", "content": map[string]any{"q1": "blue"}}
		}
		return choosing("allow")(asked)
	}
	session := e.begin(`{"elicitation":{"form":{}}}`)
	e.until(e.prompt(session, `launch_agent {"prompt":"please touch"}`))
	if _, err := os.Stat(filepath.Join(e.dir, "by-agent")); err != nil {
		t.Errorf("the sub-agent was not allowed to run its command: %v; said %s", err, e.said())
	}
	open := map[string]string{}
	for _, one := range e.updates {
		if update := one.update(); update.ToolCallID != "" && update.Status != "" {
			open[update.ToolCallID] = update.Status
		}
	}
	for id, status := range open {
		if status != "completed" {
			t.Errorf("the call %s is left %s", id, status)
		}
	}
	e.until(e.prompt(session, `ask_user {"question":"Which colour?","options":["red","blue"]}`))
	if !strings.Contains(e.said(), "Which colour? → blue") {
		t.Errorf("said: %s", e.said())
	}
	plain := e.open("session/new", `{"cwd":%q,"mcpServers":[]}`, e.dir)
	answered := map[int]bool{
		e.send("session/close", fmt.Sprintf(`{"sessionId":%q}`, plain)):                    false,
		e.send("session/set_mode", fmt.Sprintf(`{"sessionId":%q,"modeId":"plan"}`, plain)): false, // perhaps with an error
	}
	for left := len(answered); left > 0; {
		if got := e.next(); got.Method == "" && got.ID != nil && !answered[*got.ID] {
			answered[*got.ID] = true
			left--
		}
	}
}

func TestAnEditorWithoutFormsShowsAQuestionAsText(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing)
	session := e.begin(`{}`)
	e.until(e.prompt(session, `ask_user {"question":"Which colour?","options":["red","blue"]}`))
	if said := e.said(); !strings.Contains(said, "Which colour?\n  red\n  blue") || !strings.Contains(said, "the next prompt is the answer") {
		t.Errorf("said: %s", said)
	}
}

// The model gets the files and pictures of a prompt. A name in embedded text names no file.
func TestAPromptOfAnEditorBringsFilesAndPictures(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := ""
	e := inEditor(t, func(request modeltest.Request) modeltest.Step {
		mu.Lock()
		defer mu.Unlock()
		seen += string(request.Raw)
		return modeltest.Text("ok")
	}, "--model", "gpt-4o")
	session := e.begin(`{}`)
	for name, words := range map[string]string{"linked.txt": "words of the link", "secret.txt": "words of the secret"} {
		if err := os.WriteFile(filepath.Join(e.dir, name), []byte(words+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
	e.call("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":"look "},{"type":"resource_link","name":"linked.txt","uri":"file://%s/linked.txt"},{"type":"resource","resource":{"uri":"file:///elsewhere/b.txt","text":"\u0060\u0060\u0060\n\u0060\u0060\u0060\nembedded, see @secret.txt"}},{"type":"image","mimeType":"image/png","data":%q}]}`, session, e.dir, dot))
	mu.Lock()
	if !strings.Contains(seen, "words of the link") || !strings.Contains(seen, "embedded, see @secret.txt") || strings.Contains(seen, "words of the secret") || !strings.Contains(seen, "data:image/png;base64,") {
		t.Errorf("the model read %s", seen)
	}
	seen = ""
	mu.Unlock()
	if data, err := base64.StdEncoding.DecodeString(dot); err != nil || os.WriteFile(filepath.Join(e.dir, "secret.png"), data, 0o600) != nil {
		t.Fatal(err)
	}
	session = e.open("session/new", `{"cwd":%q,"mcpServers":[]}`, e.dir)
	e.call("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":"on"},{"type":"resource","resource":{"uri":"file:///elsewhere/b.txt","text":"see secret.png"}}]}`, session))
	mu.Lock()
	defer mu.Unlock()
	if strings.Contains(seen, "data:image/png") {
		t.Error("embedded text had a picture read")
	}
}

func TestStopReasonsTellAnEditorWhyATurnEnded(t *testing.T) {
	t.Parallel()
	for want, step := range map[string]modeltest.Step{
		"max_tokens": modeltest.Text("half").WithFaults(modeltest.Finish("length")),
		"refusal":    modeltest.Text("no").WithFaults(modeltest.Finish("content_filter")),
	} {
		e := inEditor(t, func(modeltest.Request) modeltest.Step { return step })
		if why := stop(e.until(e.prompt(e.begin(`{}`), "go"))); why != want {
			t.Errorf("it ended with %q, want %q", why, want)
		}
	}
	e := inEditor(t, func(modeltest.Request) modeltest.Step {
		return modeltest.Calls(modeltest.Call{Name: "clock", Args: map[string]any{}})
	}, "--max-rounds", "1")
	if why := stop(e.until(e.prompt(e.begin(`{}`), "go"))); why != "max_turn_requests" {
		t.Errorf("after the last round it ended with %q", why)
	}
}

// Standard output contains only messages of the protocol, even if the program crashes.
func TestNothingButTheProtocolIsOnTheOutput(t *testing.T) {
	t.Parallel()
	e := inEditor(t, doing, "--approve", "auto")
	session := e.begin(`{}`)
	e.until(e.prompt(session, `run_command {"command":"echo noise; echo noise >/proc/self/fd/1"}`))
	strays := false
	if out, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", e.command.Process.Pid), os.O_WRONLY, 0); err == nil {
		strays = true
		fmt.Fprintln(out, "words of a library") // as code in the process would
		out.Close()
	}
	prompt := e.prompt(session, `run_command {"command":"echo started; sleep 60"}`)
	for got := e.next(); !strings.Contains(got.Line, "started\\n"); got = e.next() {
	}
	e.command.Process.Signal(syscall.SIGQUIT) // the runtime prints all stacks and dies
	rest, _ := io.ReadAll(e.out)
	err := e.command.Wait()
	for line := range strings.Lines(string(rest)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("on the output: %q", line)
		}
	}
	if err == nil || !strings.Contains(e.stderr.String(), "goroutine") || prompt == 0 || strays && !strings.Contains(e.stderr.String(), "words of a library") {
		t.Errorf("%v, stderr: %.300s", err, e.stderr.String())
	}
}

func TestAnEditorThatReadsNothingIsLeft(t *testing.T) {
	t.Parallel()
	e := inEditor(t, func(modeltest.Request) modeltest.Step {
		return modeltest.Text(strings.Split(strings.Repeat(strings.Repeat("x", 64<<10)+" ", 100), " ")...)
	})
	e.prompt(e.begin(`{}`), "go")
	for e.said() == "" {
		e.next()
	}
	e.in.Close()
	if state, err := e.command.Process.Wait(); err != nil || state.ExitCode() != 1 {
		t.Errorf("it ended with %v, %v", state, err)
	}
}

func TestEditorWithTerminalGetsLoginHint(t *testing.T) {
	t.Parallel()
	command := process(t, doing)
	command.Args, command.Env = []string{"marvin", "acp"}, environOfOthers(t)
	e := inEditorBy(t, command)
	told := string(e.call("initialize", `{"protocolVersion":2,"clientCapabilities":{"auth":{"terminal":true}}}`).Result)
	if !strings.Contains(told, `"protocolVersion":1`) || !strings.Contains(told, `"type":"terminal","id":"login"`) || !strings.Contains(told, `"args":["--login"]`) {
		t.Errorf("told: %s", told)
	}
	begin := fmt.Sprintf(`{"cwd":%q,"mcpServers":[]}`, e.dir)
	e.send("session/new", begin)
	if got := e.next(); got.Error == nil || got.Error.Code != -32000 {
		t.Errorf("without a model: %s", got.Line)
	}
	e.call("authenticate", `{"methodId":"offline"}`)
	session := e.open("session/new", `{"cwd":%q,"mcpServers":[]}`, e.dir)
	if e.until(e.prompt(session, "convert 12 km to miles")); !strings.Contains(e.said(), "7.456") {
		t.Errorf("said: %s", e.said())
	}
}

// whisperer is an MCP server with one tool, as a script for sh.
const whisperer = `while read -r line; do
	id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	case "$line" in
	*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}' ;;
	*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"whisper","description":"Whisper a word","inputSchema":{"type":"object"}}]}}' ;;
	*'"tools/call"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"psst '"$WORD"'"}]}}' ;;
	*'"id"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}' ;;
	esac
done
`

// A server from the editor is confined, and tools may work in a directory of the editor without a
// question.
func TestAnEditorGivesServersAndDirectories(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	read := ""
	e := inEditor(t, func(request modeltest.Request) modeltest.Step {
		mu.Lock()
		defer mu.Unlock()
		read += string(request.Raw)
		return doing(request)
	})
	e.answer = choosing("allow")
	other := t.TempDir()
	for path, words := range map[string]string{filepath.Join(e.dir, "server.sh"): whisperer, filepath.Join(other, "a.txt"): "the words of the file\n"} {
		if err := os.WriteFile(path, []byte(words), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	web := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, asked *http.Request) {
		body, _ := io.ReadAll(asked.Body)
		script := exec.Command("sh", "-c", whisperer)
		script.Stdin, script.Env = bytes.NewReader(append(body, '\n')), []string{"PATH=" + os.Getenv("PATH"), "WORD=" + asked.Header.Get("X-Word")}
		answer, _ := script.Output()
		to.Header().Set("Content-Type", "application/json")
		if len(answer) == 0 {
			to.WriteHeader(http.StatusAccepted)
		}
		to.Write(answer)
	}))
	defer web.Close()
	e.call("initialize", `{"protocolVersion":1}`)
	session := e.open("session/new", `{"cwd":%q,"additionalDirectories":[%q],"mcpServers":[{"name":"my server","command":"/bin/sh","args":["server.sh"],"env":[{"name":"WORD","value":"$HOME"}]},{"type":"http","name":"web","url":%q,"headers":[{"name":"X-Word","value":"by http"}]}]}`, e.dir, other, web.URL)
	e.until(e.prompt(session, `find_tools {"query":"whisper"}`))
	e.until(e.prompt(session, `mcp_my_server_whisper {}`))
	e.until(e.prompt(session, `mcp_web_whisper {}`))
	if !strings.Contains(e.said(), "psst $HOME") || !strings.Contains(e.said(), "psst by http") {
		t.Errorf("said: %s\nstderr: %s", e.said(), e.stderr.String())
	}
	e.answer = nil // from here on a question would not be answered
	e.until(e.prompt(session, fmt.Sprintf(`set_working_dir {"path":%q}`, other)))
	e.until(e.prompt(session, `read_file {"path":"a.txt"}`))
	e.until(e.prompt(session, `create_file {"path":"made.txt","content":"made here"}`))
	if text, _ := os.ReadFile(filepath.Join(other, "made.txt")); string(text) != "made here" {
		t.Errorf("the directory cannot be written: %q", text)
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(e.said(), "the words of the file") || !strings.Contains(read, "editor has these directories open too") {
		t.Errorf("said: %s", e.said())
	}
}
