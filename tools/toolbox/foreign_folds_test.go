package toolbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/params"
)

func TestArgumentsOfOtherAgentsAreFolded(t *testing.T) {
	for _, row := range []struct{ name, args, want string }{
		{"bash", `{"cmd":"ls"}`, `{"command":"ls"}`},
		{"bash", `{"command":"ls","cmd":"pwd"}`, `{"cmd":"pwd","command":"ls"}`}, // the first valid value is used
		{"bash", `{"script":"ls","code":"pwd"}`, `{"code":"pwd","command":"ls"}`},
		{"bash", `{"command":["echo","it's","","a b","plain-x_1./:@+,"],"is_background":true}`, `{"background":true,"command":"echo 'it'\\''s' '' 'a b' plain-x_1./:@+,"}`},
		{"bash", `{"command":["bash","-lc","a | b"]}`, `{"command":"a | b"}`},
		{"bash", `{"command":["zsh","-c","a | b"]}`, `{"command":"a | b"}`},
		{"bash", `{"command":["bash","-l","a"]}`, `{"command":"bash -l a"}`},
		{"bash", `{"command":["python","-c","a b"]}`, `{"command":"python -c 'a b'"}`},
		{"bash", `{"command":["bash","xc","a b"]}`, `{"command":"bash xc 'a b'"}`},
		{"bash", `{"command":["bash","-c","a","b c"]}`, `{"command":"bash -c a 'b c'"}`},
		{"bash", `{"command":["head","-n",5]}`, `{"command":"head -n 5"}`},
		{"bash", `{"timeout":999}`, `{"timeout":999}`},
		{"bash", `{"timeout":1000}`, `{"timeout":1}`},
		{"bash", `{"timeout_ms":1999}`, `{"timeout":1}`},
		{"bash", `{"timeout_ms":120000}`, `{"timeout":120}`},
		{"bash", `{"timeout":"soon"}`, `{"timeout":"soon"}`},
		{"read", `{"uri":"a","view_range":[2,5],"pages":"1"}`, `{"end_line":5,"path":"a","start_line":2}`},
		{"read", `{"target_file":"a","view_range":[2,-1]}`, `{"path":"a","start_line":2}`},
		{"read", `{"path":"a","view_range":[2]}`, `{"path":"a"}`},
		{"read", `{"path":"a","view_range":[1,2,3],"command":"view"}`, `{"path":"a"}`},
		{"read", `{"start_line_one_indexed":1,"end_line_one_indexed_inclusive":3}`, `{"end_line":3,"start_line":1}`},
		{"write", `{"target_file":"a","code_content":"b"}`, `{"content":"b","path":"a"}`},
		{"edit", `{"absolute_path":"a","old":"b","new_content":"c"}`, `{"new_str":"c","old_str":"b","path":"a"}`},
		{"ls", `{"relative_workspace_path":"a","recursive":true}`, `{"max_depth":1,"path":"a"}`},
		{"ls", `{"folder":"a","depth":3}`, `{"max_depth":3,"path":"a"}`},
		{"directory_tree", `{"dir_path":"a"}`, `{"path":"a"}`},
		{"glob", `{"glob_pattern":"*.go","head_limit":4,"search_directory":"d"}`, `{"limit":4,"path":"d","pattern":"*.go"}`},
		{"grep", `{"query":"a","path":["d"],"case_sensitive":true,"n":true}`, `{"ignore_case":false,"path":"d","pattern":"a"}`},
		{"grep", `{"regex":"a","path":["d","e"],"case_sensitive":false}`, `{"ignore_case":true,"path":["d","e"],"pattern":"a"}`},
		{"grep", `{"pattern":"a","A":2,"b":3,"offset":1}`, `{"context_lines":3,"pattern":"a"}`},
		{"grep", `{"pattern":"a","c":4,"a":2,"i":true}`, `{"context_lines":4,"ignore_case":true,"pattern":"a"}`},
		{"fetch", `{"link":"u","prompt":"what","format":"md"}`, `{"url":"u"}`},
		{"websearch", `{"search_term":"a","allowed_domains":["x"]}`, `{"query":"a"}`},
		{"todo_write", `{"todos":[],"merge":true}`, `{"todos":[]}`},
		{"task", `{"message":"a","subagent_type":"x"}`, `{"prompt":"a"}`},
		{"bash_output", `{"bash_id":"1","block":true}`, `{"action":"tail","job_id":"1"}`},
		{"kill_shell", `{"id":"1","timeout":3}`, `{"action":"cancel","job_id":"1"}`},
		{"cd", `{"directory":"a"}`, `{"path":"a"}`},
		{"append", `{"target_file":"a"}`, `{"path":"a"}`},
	} {
		var values map[string]any
		decoder := json.NewDecoder(strings.NewReader(row.args))
		decoder.UseNumber()
		if err := decoder.Decode(&values); err != nil {
			t.Fatal(err)
		}
		meanings()[row.name].fold(values)
		var got bytes.Buffer
		encoder := json.NewEncoder(&got)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(values); err != nil || strings.TrimSpace(got.String()) != row.want {
			t.Errorf("%s %s: %s want %s, %v", row.name, row.args, got.String(), row.want, err)
		}
	}
}

// The combined editor tool of another agent becomes the tool that its command names.
func TestTheEditorWithCommands(t *testing.T) {
	for command, want := range map[string]string{
		"": "read_file", "view": "read_file", "create": "create_file", "str_replace": "apply_patch", "strReplace": "apply_patch", "replace": "apply_patch",
		"insert":    "Marvin's tools cannot insert text by line number\nUse apply_patch. As \"old_str\", give the line above the new lines; as \"new_str\", the same line with the new lines below it.",
		"undo_edit": "there is no command \"undo_edit\"\nUse read_file, create_file and apply_patch. Undo changes to tracked files with git.",
	} {
		got, err := chooseEdit(map[string]any{"command": command})
		if err != nil {
			got += err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestNamesInOneSpelling(t *testing.T) {
	for name, want := range map[string]string{
		"MultiEdit": "multi_edit", "multi-edit": "multi_edit", " Read ": "read", "web Fetch": "web_fetch", "-i": "i", "HTTPGet": "httpget", "a1B": "a1_b", "": "", "LS": "ls", "ÄhemÖ": "ähem_ö",
	} {
		if got := params.Snake(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// sized returns a tool with a long description, which uses much of a window.
func sized(name string, words int) tools.Tool {
	return tools.New(tools.Def[struct{}]{Name: name, Doc: strings.Repeat("word ", words) + "."})
}

func TestToolsForSmallWindow(t *testing.T) {
	planning := sized("propose", 3000)
	planning.Planning = true
	registry := Registry{}
	registry.Add(sized(findName, 10), sized("huge", 3000), sized("read_file", 100), sized("clock", 100), sized("other", 20), planning)
	offered := registry.OwnTools()
	named := func(list []tools.Tool) string {
		var names []string
		for _, one := range list {
			names = append(names, one.Name)
		}
		sort.Strings(names)
		return strings.Join(names, " ")
	}
	size := func(names ...string) (sum int) {
		for _, name := range names {
			sum += registry.tools[registry.byName[name]].ShortSize()
		}
		return sum
	}
	window := func(tokens int) int { return (tokens*100 + toolShare - 1) / toolShare }
	for what, row := range map[string]struct {
		window int
		want   string
	}{
		"all are told of in a large one":          {15_000, named(offered)},
		"and where it is not known":               {0, named(offered)},
		"what is foremost comes first":            {window(size(findName, "read_file")), "find_tools propose read_file"},
		"one token less":                          {window(size(findName, "read_file")) - 6, "find_tools other propose"},
		"what is still room for":                  {window(size(findName, "read_file", "clock")), "clock find_tools propose read_file"},
		"and the others":                          {window(size(findName, "read_file", "clock", "other")), "clock find_tools other propose read_file"},
		"nearly nothing but what a plan is of":    {1, "find_tools propose"},
		"what is too large is left out by itself": {14_999, "clock find_tools other propose read_file"},
	} {
		if got := named(registry.fitting(offered, tools.Mode{}, row.window)); got != row.want {
			t.Errorf("%s: %s, want %s (%s)", what, got, row.want, fmt.Sprint(row.window))
		}
	}
}

func TestSmallWindow(t *testing.T) {
	for window, want := range map[int]bool{-1: false, 0: false, 1: true, 14_999: true, 15_000: false} {
		if SmallWindow(window) != want {
			t.Errorf("%d tokens are small: %v", window, !want)
		}
	}
}
