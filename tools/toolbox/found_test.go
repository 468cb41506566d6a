package toolbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools"
)

var rewriting = os.Getenv("UPDATE_GOLDEN") != ""

// The golden file has a line for each name of another agent's tool, with the tool that it means
// here and the converted arguments. So a change of a meaning is noticed.
func TestForeignToolNames(t *testing.T) {
	given := map[string]any{}
	for _, name := range strings.Fields(`absolute_path agent agent_type allowed_domains bash_id block case_sensitive cmd code code_content code_edit command commands content context depth
		dir_path directory directory_path domain exclude file_pattern file_text filter folder format glob head_limit id include insert_text instructions is_background job_id limit link merge message
		mode name new new_content new_str notebook_path old old_content old_str operation pages path pattern prompt query raw recursive regex run_in_background script search search_directory search_term
		start_line_one_indexed end_line_one_indexed_inclusive target_directories target_directory target_file task_description timeout timeout_ms type uri url wait`) {
		given[name] = "<" + name + ">"
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(meanings())) {
		means := meanings()[name]
		values := maps.Clone(given)
		if means.fold != nil {
			means.fold(values)
		}
		var changed []string
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if values[key] != given[key] {
				changed = append(changed, fmt.Sprintf("%s=%v", key, values[key]))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if _, left := values[key]; !left {
				changed = append(changed, "-"+key)
			}
		}
		fmt.Fprintf(&text, "%s is %s, chosen %v: %s\n", name, means.tool, means.choose != nil, strings.Join(changed, " "))
	}
	goldentest.Assert(t, "other-names.txt", text.String(), rewriting)
	// Each alternative parameter also works alone. If several are given, the first valid one
	// counts.
	text.Reset()
	for _, tool := range []string{"bash", "read", "write", "edit", "ls", "directory_tree", "glob", "grep", "fetch", "websearch", "todo_write", "task", "bash_output", "kill_shell", "cd", "append"} {
		for _, key := range slices.Sorted(maps.Keys(given)) {
			values := map[string]any{key: given[key]}
			meanings()[tool].fold(values)
			delete(values, "action")
			if tool == "ls" && values["max_depth"] == json.Number("1") {
				delete(values, "max_depth")
			}
			if len(values) != 1 || values[key] == nil {
				fmt.Fprintf(&text, "%s: %s becomes %v\n", tool, key, slices.Sorted(maps.Keys(values)))
			}
		}
	}
	goldentest.Assert(t, "other-arguments.txt", text.String(), rewriting)
}

func TestToolSearchResults(t *testing.T) {
	r := catalogue()
	var text strings.Builder
	for _, query := range []string{
		"weather in Berlin", "what is the weather", "search my notes for milk", "notes", "commit changes", "film", "who plays in Alien", "Wetter morgen", "météo", "a pizza near me",
		"wether", "weatherreport", "lamp", "switch on the lamp", "git", "read a file", "", "and the of", "temperature in Paris and in Rome", "prices of games", "who was Goethe", "zzz",
	} {
		for _, mode := range []tools.Mode{{}, {Coding: true}} {
			fitting := r.FindFitting(query, mode, 3)
			fmt.Fprintf(&text, "%q, coding %v, fitting %d\n", query, mode.Coding, len(fitting))
			for _, hit := range r.Search(query, mode, 3) {
				fmt.Fprintf(&text, "  %s %.4f %.4f\n", hit.Tool.Name, hit.Score, hit.Covered)
			}
		}
	}
	goldentest.Assert(t, "found.txt", text.String(), rewriting)
	text.Reset()
	for _, query := range []string{"the weather in Berlin", "Wetter in Köln", "turn on the lamp", "who was Goethe", "show me the changes of the changes", "la météo à Lyon", "veganer vegane Rezepte", "naïve café", "go2 x-ray"} {
		fmt.Fprintf(&text, "%q:", query)
		for _, one := range queryWords(query) {
			fmt.Fprintf(&text, " %s %v", one.word, one.mass)
		}
		fmt.Fprint(&text, "; unbiased:")
		for _, one := range unbiasedWords(query) {
			fmt.Fprintf(&text, " %s %v", one.word, one.mass)
		}
		fmt.Fprintf(&text, "; words: %q\n", words(query))
	}
	for _, word := range strings.Fields("changes ties dies this bus glass cars as is red bed ring sing singing running falling passing fizzed added agreed see the three tree rate ski nn abc laufen lauf spielers manger finies veganer rezepte") {
		fmt.Fprintf(&text, "%s %s %s\n", word, stem(word), stemmed(word))
	}
	for _, example := range []string{"plain", "convert {12|value} {km|from_unit} to {=miles|to_unit}", "{a", "a {b} c", "{=x|y}", ""} {
		literal, samples := splitExample(example)
		fmt.Fprintf(&text, "%q %q %q\n", example, literal, samples)
	}
	goldentest.Assert(t, "words.txt", text.String(), rewriting)
}
