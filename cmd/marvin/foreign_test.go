package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

// Calls as other agents make them, with the tool that they mean here.
var foreignCalls = []struct{ name, args, tool, says string }{
	{"bash", `{"command":"echo hi","description":"Say hi","timeout":120000}`, "run_command", "hi\n"},
	{"Bash", `{"command":"pwd","run_in_background":false}`, "run_command", "DIR\n"},
	{"shell", `{"command":["bash","-lc","echo $((1+1))"],"workdir":"DIR/sub","timeout_ms":5000}`, "run_command", "2\n"},
	{"shell", `{"command":["echo","it's","a b"]}`, "run_command", "it's a b\n"},
	{"run_terminal_cmd", `{"command":"echo x","is_background":false,"explanation":"why"}`, "run_command", "x\n"},
	{"run_shell_command", `{"command":"pwd","directory":"sub"}`, "run_command", "DIR/sub\n"},
	{"execute_command", `{"command":"echo x","requires_approval":false}`, "run_command", "x\n"},
	{"functions.exec_command", `{"cmd":"echo x","workdir":"DIR","yield_time_ms":1000}`, "run_command", "x\n"},
	{"Read", `{"file_path":"DIR/a.txt","offset":2,"limit":1}`, "read_file", "2. two\n"},
	{"read_file", `{"target_file":"a.txt"}`, "", ""},
	{"view", `{"path":"a.txt","view_range":[1,2]}`, "read_file", "1. one\n2. two\n"},
	{"mcp__filesystem__read_text_file", `{"path":"DIR/a.txt"}`, "read_file", "one\ntwo\n"},
	{"cat", `{"absolute_path":"DIR/a.txt"}`, "read_file", "one\n"},
	{"Write", `{"file_path":"DIR/new.txt","content":"new\n"}`, "create_file", "Created"},
	{"write_to_file", `{"path":"sub/new2.txt","content":"new\n"}`, "create_file", "Created"},
	{"Edit", `{"file_path":"DIR/a.txt","old_string":"one","new_string":"eins","replace_all":false}`, "apply_patch", "Patched"},
	{"MultiEdit", `{"file_path":"a.txt","edits":[{"old_string":"two","new_string":"zwei"},{"old_string":"three","new_string":"drei"}]}`, "apply_patch", "Patched"},
	{"search_replace", `{"file_path":"a.txt","old_string":"zwei","new_string":"two"}`, "apply_patch", "Patched"},
	{"str_replace_editor", `{"command":"view","path":"DIR/a.txt","view_range":[3,-1]}`, "read_file", "3. drei\n"},
	{"str_replace_editor", `{"command":"create","path":"DIR/c.txt","file_text":"c\n"}`, "create_file", "Created"},
	{"str_replace_based_edit_tool", `{"command":"str_replace","path":"c.txt","old_str":"c","new_str":"d"}`, "apply_patch", "Patched"},
	{"LS", `{"path":"DIR","ignore":["x"]}`, "tree", "a.txt"},
	{"list_dir", `{"target_directory":"sub"}`, "tree", "code.go"},
	{"ls", `{}`, "tree", "sub"},
	{"Glob", `{"pattern":"**/*.go","path":"DIR"}`, "find_files", "sub/code.go\n"},
	{"file_search", `{"query":"code","explanation":"x"}`, "find_files", "sub/code.go\n"},
	{"Grep", `{"pattern":"func","output_mode":"files_with_matches","-i":true,"glob":"*.go"}`, "code_grep", "sub/code.go\n"},
	{"grep", `{"pattern":"func","path":"DIR/sub","-n":true,"-C":0,"output_mode":"content","type":"go"}`, "code_grep", ">    3  func main() {}\n"},
	{"grep_search", `{"query":"func","include_pattern":"*.go","case_sensitive":true,"is_regexp":true}`, "code_grep", "func main"},
	{"search_file_content", `{"pattern":"func","include":"*.go"}`, "code_grep", "func main"},
	{"rg", `{"pattern":"FUNC","head_limit":5,"-A":1}`, "code_grep", "No matches"},
	{"pwd", `{}`, "get_working_dir", "DIR"},
	{"cd", `{"directory":"DIR/sub"}`, "set_working_dir", ""},
	{"TodoWrite", `{"todos":[{"content":"mend it","status":"in_progress","activeForm":"Mending it"}]}`, "update_plan", "Plan updated"},
	{"web_search", `{"query":"x"}`, "web_search", "-"},
	{"google_web_search", `{"query":"x"}`, "web_search", "-"},
	{"WebFetch", `{"url":"https://example.org/","prompt":"what is it about"}`, "browse_web", "-"},
	{"fetch", `{"uri":"https://example.org/"}`, "browse_web", "-"},
	{"Task", `{"description":"find it","prompt":"Find all callers","subagent_type":"general-purpose"}`, "launch_agent", "-"},
	{"BashOutput", `{"bash_id":"b1","filter":"x"}`, "jobs", "-"},
	{"KillShell", `{"shell_id":"b1"}`, "jobs", "-"},
	{"commit", `{"message":"x"}`, "git_commit", "-"},
}

func TestToolsOfOtherAgentsAreUnderstood(t *testing.T) {
	b := newBench(t)
	b.env.Root, b.env.Environ = b.env.Dir, append(b.env.Environ, "PATH="+os.Getenv("PATH"))
	if err := os.Mkdir(filepath.Join(b.env.Dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.txt": "one\ntwo\nthree\n", "sub/code.go": "package sub\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(b.env.Dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	here := strings.NewReplacer("DIR", b.env.Dir)
	mode := tools.Mode{Coding: true, Person: true}
	for _, each := range foreignCalls {
		if each.tool == "" {
			continue
		}
		tool, err := b.registry.Find(each.name, mode)
		if err != nil {
			t.Errorf("%s: %v", each.name, err)
			continue
		}
		call, err := tool.Decode(json.RawMessage(here.Replace(each.args)))
		if err != nil || call.Tool.Name != each.tool {
			t.Errorf("%s %s: %v", each.name, each.args, err)
			continue
		}
		if each.says == "-" {
			continue // it would need a network
		}
		output, err := call.Run(t.Context(), b.env)
		if err != nil || !strings.Contains(output.Text, here.Replace(each.says)) {
			t.Errorf("%s %s: %q, %v", each.name, each.args, output.Text, err)
		}
		if told := strings.HasSuffix(output.Text, "["+each.name+" is called "+each.tool+" here]\n"); err == nil && told != (each.name != each.tool) {
			t.Errorf("%s: it is told %v: %q", each.name, told, output.Text)
		}
	}
}

// Calling a tool by another name bypasses neither the restrictions of a mode nor the properties of
// the tool.
func TestAnotherNameIsNoWayAround(t *testing.T) {
	all := registry(t)
	readOnly := tools.Mode{Coding: true, ReadOnly: true}
	for _, name := range []string{"bash", "Write", "Edit", "shell", "git_add_commit"} {
		if _, err := all.Find(name, readOnly); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("%s: %v", name, err)
		}
	}
	tool, err := all.Find("str_replace_editor", readOnly)
	if err != nil {
		t.Fatal(err)
	}
	for args, allowed := range map[string]bool{`{"command":"view","path":"x"}`: true, `{"command":"create","path":"x","file_text":""}`: false, `{"command":"str_replace","path":"x","old_str":"a"}`: false} {
		if _, err := tool.Decode(json.RawMessage(args)); (err == nil) != allowed {
			t.Errorf("%s: %v", args, err)
		}
	}
	for name, foreign := range map[string]bool{"WebFetch": true, "websearch": true, "bash": false} {
		if tool, ok := all.Lookup(name); !ok || tool.Foreign() != foreign {
			t.Errorf("%s: its words are those of strangers: %v", name, tool.Foreign())
		}
	}
	if call, err := tool.Decode(json.RawMessage(`{"command":"insert","path":"x","insert_line":3,"new_str":"a"}`)); err == nil || !strings.Contains(err.Error(), "apply_patch") {
		t.Errorf("%v, %v", call, err)
	}
}

func TestAnUnknownNameGetsTheNearest(t *testing.T) {
	all := registry(t)
	for name, want := range map[string]string{"reed_file": "read_file", "weather": "weather_forecast", "make_coffee": "", "zzz": "find_tools", strings.Repeat("x", 500): "", "grep_the_code": "code_grep", "": ""} {
		_, err := all.Find(name, tools.Mode{Coding: true})
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 400 || strings.Count(err.Error(), ", ") > 4 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
