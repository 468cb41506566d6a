package foreign

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

func isCodex(line gjson.Result) bool {
	kind := line.Get("type").Str
	return (kind == "session_meta" || kind == "response_item" || kind == "turn_context") && line.Get("payload").IsObject() ||
		kind == "" && line.Get("id").Str != "" && line.Get("timestamp").Exists() && line.Get("instructions").Exists()
}

// readCodex reads a Codex rollout. Each line has an envelope, except in older logs.
func readCodex(log *Log, lines []gjson.Result) {
	model, enveloped := "", false
	for _, line := range lines {
		enveloped = enveloped || line.Get("payload").Exists()
	}
	for _, line := range lines {
		item := line
		if enveloped {
			item = line.Get("payload")
		}
		switch kind := line.Get("type").Str; {
		case kind == "session_meta", !enveloped && kind == "":
			if log.ID == "" {
				log.ID, log.Dir, log.Branch = item.Get("id").Str, item.Get("cwd").Str, item.Get("git.branch").Str
			}
		case kind == "turn_context":
			if model = item.Get("model").Str; model != "" {
				model = "openai/" + model
			}
		case kind == "compacted":
			log.beginTurn(timeOf(line, "timestamp"), "(summary of the conversation before)\n"+item.Get("message").Str, nil)
		case kind == "response_item", !enveloped:
			readCodexItem(log, line, item, model)
		}
	}
}

func readCodexItem(log *Log, line, item gjson.Result, model string) {
	at := timeOf(line, "timestamp")
	switch item.Get("type").Str {
	case "message":
		readCodexMessage(log, line, item, model)
	case "reasoning":
		addThought(log.answer(at, model), textOf(item.Get("summary")))
	case "function_call":
		addCall(log.answer(at, model), item.Get("call_id").Str, item.Get("name").Str, item.Get("arguments").Str)
	case "custom_tool_call":
		addCall(log.answer(at, model), item.Get("call_id").Str, item.Get("name").Str, item.Get("input").Str)
	case "local_shell_call":
		addCall(log.answer(at, model), item.Get("call_id").Str, "local_shell", item.Get("action").Raw)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		output := item.Get("output")
		text := textOf(output)
		if output.IsObject() {
			text = textOf(output.Get("content"))
		}
		failed := output.Get("success").Type == gjson.False
		if inner := gjson.Parse(text); inner.IsObject() && inner.Get("output").Exists() { // a JSON object with a program's output and exit code
			text, failed = inner.Get("output").String(), failed || inner.Get("metadata.exit_code").Int() != 0
		}
		log.addResult(at, item.Get("call_id").Str, text, failed)
	}
}

// contextMarks lists the prefixes of generated messages, which have the role "user" in the log.
var contextMarks = []string{"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<INSTRUCTIONS>", "<permissions instructions>", "<turn_aborted>", "<skill>"}

func readCodexMessage(log *Log, line, item gjson.Result, model string) {
	at, text := timeOf(line, "timestamp"), strings.TrimSpace(textOf(item.Get("content")))
	switch item.Get("role").Str {
	case "assistant":
		addText(log.answer(at, model), text)
	case "user":
		for _, mark := range contextMarks {
			if strings.HasPrefix(text, mark) {
				return
			}
		}
		if pictures := picturesOf(item.Get("content")); text != "" || len(pictures) > 0 {
			log.beginTurn(at, text, pictures)
		}
	}
}

func jsonString(text string) string {
	encoded, _ := json.Marshal(text) // a string can always be encoded
	return string(encoded)
}
