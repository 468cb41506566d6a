package toolbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"marvin/messages/lists"
	"marvin/tools/internal/advice"
	"marvin/tools/internal/params"
)

// meanings returns a map from the tool names of other agents to Marvin's tools, with functions that
// convert the arguments. Arguments that Marvin's tools accept as aliases are not converted.
var meanings = sync.OnceValue(func() map[string]meaning {
	all := map[string]meaning{}
	add := func(names string, means meaning) {
		for _, name := range strings.Fields(names) {
			all[name] = means
		}
	}
	add(`bash shell sh zsh terminal execute_command run_shell_command run_terminal_cmd run_terminal_command run_in_terminal exec exec_command execute
		execute_bash run_bash bash_command bash_tool local_shell shell_command container.exec powershell unified_exec run run_shell execute_shell_command`,
		meaning{tool: "run_command", fold: foldShell})
	add(`read view cat view_file open_file get_file read_text_file file_read read_many_files open notebook_read read_notebook`, meaning{tool: "read_file", fold: foldRead})
	add(`write write_file write_to_file create create_new_file save_file new_file write_text_file file_write`,
		meaning{tool: "create_file", fold: renamed("absolute_path path target_file path code_content content code_edit content")})
	add(`edit edit_file replace search_replace multi_edit multiedit patch applypatch search_and_replace replace_in_file apply_diff update_file
		replace_string_in_file str_replace string_replace file_edit edit_notebook notebook_edit`,
		meaning{tool: "apply_patch", fold: renamed("absolute_path path target_file path old_content old_str new_content new_str old old_str new new_str")})
	add(`str_replace_editor str_replace_based_edit_tool text_editor editor str_replace_edit_tool`, meaning{tool: "read_file", choose: chooseEdit, fold: foldRead})
	add(`ls list_dir list_directory list_files dir list_folder list_file`, meaning{tool: "tree", fold: foldList})
	add(`directory_tree view_tree get_tree`, meaning{tool: "tree", fold: renamed("directory_path path dir_path path")})
	add(`glob find_file file_search glob_file_search find_by_name search_files_by_name glob_search glob_files find`,
		meaning{tool: "find_files", fold: renamed("query pattern glob pattern glob_pattern pattern file_pattern pattern name pattern search_directory path target_directory path dir_path path max_results limit head_limit limit")})
	add(`grep rg ripgrep grep_search search_file_content search_code search_in_files content_search grep_files codebase_search text_search search_files find_in_files grep_tool grep_code`,
		meaning{tool: "code_grep", fold: foldGrep})
	add(`web_fetch fetch fetch_url webfetch url_fetch read_url open_url browse fetch_webpage read_web_page visit_url get_url read_url_content url_read`,
		meaning{tool: "browse_web", fold: func(values map[string]any) {
			rename(values, "uri url link url")
			drop(values, "prompt format timeout query raw")
		}})
	add(`websearch google_web_search search_web google_search internet_search brave_web_search duckduckgo_search search_internet`,
		meaning{tool: "web_search", fold: func(values map[string]any) {
			rename(values, "search_term query")
			drop(values, "allowed_domains blocked_domains domain")
		}})
	add(`todo_write todowrite todo plan write_todos manage_todo_list todo_list set_plan create_plan`, meaning{tool: "update_plan", fold: func(values map[string]any) { drop(values, "merge id operation") }})
	add(`ask_user_question ask_followup_question question ask clarify request_user_input ask_question`, meaning{tool: "ask_user"})
	add(`exit_plan_mode exitplanmode present_plan submit_plan`, meaning{tool: "propose_plan"})
	add(`task agent dispatch_agent subagent spawn_agent new_task run_subagent delegate delegate_task sub_agent`,
		meaning{tool: "launch_agent", fold: func(values map[string]any) {
			rename(values, "message prompt task_description prompt instructions prompt")
			drop(values, "subagent_type agent_type agent mode name run_in_background")
		}})
	add(`bash_output task_output get_terminal_output command_status shell_output`, meaning{tool: "jobs", fold: foldJob("tail")})
	add(`kill_shell kill_bash task_stop stop_job kill_terminal`, meaning{tool: "jobs", fold: foldJob("cancel")})
	add(`pwd get_cwd get_current_directory`, meaning{tool: "get_working_dir"})
	add(`cd change_directory change_dir set_cwd`, meaning{tool: "set_working_dir", fold: renamed("directory path directory_path path target_directory path")})
	add(`append append_to_file`, meaning{tool: "append_file", fold: renamed("absolute_path path target_file path")})
	add(`commit git_add_commit`, meaning{tool: "git_commit"})
	add(`tool_search search_tools`, meaning{tool: "find_tools"})
	return all
})

// rename renames arguments. For example, the pairs "uri url link url" rename "uri" and "link" to
// "url".
func rename(values map[string]any, pairs string) {
	words := strings.Fields(pairs)
	for i := 0; i+1 < len(words); i += 2 {
		value, given := values[words[i]]
		if _, taken := values[words[i+1]]; given && !taken {
			values[words[i+1]] = value
			delete(values, words[i])
		}
	}
}

func renamed(pairs string) func(map[string]any) {
	return func(values map[string]any) { rename(values, pairs) }
}

func drop(values map[string]any, names string) {
	for _, name := range strings.Fields(names) {
		delete(values, name)
	}
}

// foldShell converts the arguments of other agents' shell tools. It joins the words of a command,
// and converts a timeout in milliseconds to seconds.
func foldShell(values map[string]any) {
	rename(values, "script command code command commands command cmd command command_line command is_background background run_in_background background timeout_ms timeout")
	if words, ok := values["command"].([]any); ok {
		values["command"] = lineOf(words)
	}
	if number, ok := values["timeout"].(json.Number); ok {
		if n, err := number.Float64(); err == nil && n >= 1000 { // a number this large means milliseconds
			values["timeout"] = max(1, int(n/1000))
		}
	}
}

// lineOf joins words into a command line, quoting words where necessary. If the words call a shell,
// as in ["bash", "-c", "make test"], lineOf returns the last word.
func lineOf(words []any) string {
	texts := lists.Map(words, func(word any) string { return fmt.Sprint(word) })
	if len(texts) == 3 && strings.HasPrefix(texts[1], "-") && strings.HasSuffix(texts[1], "c") && strings.HasSuffix(texts[0], "sh") {
		return texts[2]
	}
	for i, text := range texts {
		if text == "" || strings.ContainsAny(text, " \t\n'\"\\$`!*?[]{}()<>|&;#~=%^") {
			texts[i] = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	return strings.Join(texts, " ")
}

func foldRead(values map[string]any) {
	rename(values, "absolute_path path target_file path notebook_path path uri path start_line_one_indexed start_line end_line_one_indexed_inclusive end_line file_text content insert_text new_str")
	if view, ok := values["view_range"].([]any); ok && len(view) == 2 {
		values["start_line"] = view[0]
		if fmt.Sprint(view[1]) != "-1" {
			values["end_line"] = view[1]
		}
	}
	drop(values, "view_range pages")
	if values["command"] != nil {
		delete(values, "command")
	}
}

// chooseEdit maps the "command" argument of another agent's edit tool to one of Marvin's tools.
func chooseEdit(values map[string]any) (string, error) {
	command, _ := values["command"].(string)
	switch params.Snake(command) {
	case "view", "":
		return "read_file", nil
	case "create":
		return "create_file", nil
	case "str_replace", "replace":
		return "apply_patch", nil
	case "insert":
		return "", advice.Advise(errors.New("Marvin's tools cannot insert text by line number"), "Use apply_patch. As \"old_str\", give the line above the new lines; as \"new_str\", the same line with the new lines below it.")
	}
	return "", advice.Advise(fmt.Errorf("there is no command %s", params.Excerpt(params.Clip(command, 40))), "Use read_file, create_file and apply_patch. Undo changes to tracked files with git.")
}

func foldList(values map[string]any) {
	rename(values, "target_directory path directory_path path dir_path path relative_workspace_path path folder path depth max_depth")
	drop(values, "ignore recursive offset limit")
	if values["max_depth"] == nil {
		values["max_depth"] = json.Number("1")
	}
}

func foldGrep(values map[string]any) {
	rename(values, "query pattern regex pattern search pattern include glob include_pattern glob file_pattern glob directory path dir_path path target_directories path paths path c context_lines context context_lines head_limit max_results file_type type i ignore_case case_insensitive ignore_case include_files glob")
	if sensitive, ok := values["case_sensitive"].(bool); ok {
		values["ignore_case"] = !sensitive
	}
	for _, one := range []string{"a", "b", "A", "B"} { // how many lines to show around a match
		rename(values, one+" context_lines")
		delete(values, one)
	}
	if list, ok := values["path"].([]any); ok && len(list) == 1 {
		values["path"] = list[0]
	}
	drop(values, "case_sensitive n exclude_pattern exclude offset show_line_numbers")
}

func foldJob(action string) func(map[string]any) {
	return func(values map[string]any) {
		rename(values, "bash_id job_id shell_id job_id task_id job_id command_id job_id terminal_id job_id id job_id")
		drop(values, "filter block timeout timeout_ms wait")
		values["action"] = action
	}
}
