package foreign

import (
	"strings"

	"github.com/tidwall/gjson"

	"marvin/messages"
)

func isClaude(line gjson.Result) bool {
	kind := line.Get("type").Str
	return (kind == "user" || kind == "assistant") && line.Get("message").IsObject() && line.Get("uuid").Str != "" ||
		kind == "summary" && line.Get("leafUuid").Exists()
}

// readClaude reads a Claude Code log. The log is a tree linked by parentUuid. Each block of an
// answer and each result has its own line.
func readClaude(log *Log, lines []gjson.Result) {
	path := claudePath(lines)
	for _, line := range lines {
		kind, message := line.Get("type").Str, line.Get("message")
		switch {
		case kind == "summary" && log.Title == "":
			log.Title = line.Get("summary").Str
		case line.Get("isSidechain").Bool() || line.Get("isMeta").Bool() || !path[line.Get("uuid").Str]:
		case kind == "user":
			log.claudeHead(line)
			readClaudeUser(log, line, message)
		case kind == "assistant":
			log.claudeHead(line)
			readClaudeAnswer(log, line, message)
		}
	}
}

func (l *Log) claudeHead(line gjson.Result) {
	if l.ID == "" {
		l.ID, l.Dir, l.Branch = line.Get("sessionId").Str, line.Get("cwd").Str, line.Get("gitBranch").Str
	}
}

// claudePath returns the IDs of the lines that lead to the last message. A reply with several calls
// has several branches, so claudePath adds all blocks and tool results of each reply.
func claudePath(lines []gjson.Result) map[string]bool {
	parents, path, replies := map[string]string{}, map[string]bool{}, map[string]bool{}
	last := ""
	for _, line := range lines {
		if id := line.Get("uuid").Str; id != "" {
			if parents[id] = line.Get("parentUuid").Str; parents[id] == "" {
				parents[id] = line.Get("logicalParentUuid").Str // Claude Code sets this field after a compaction
			}
			if kind := line.Get("type").Str; !line.Get("isSidechain").Bool() && (kind == "user" || kind == "assistant") {
				last = id
			}
		}
	}
	for id := last; id != "" && !path[id]; id = parents[id] {
		path[id] = true
	}
	for _, line := range lines {
		if path[line.Get("uuid").Str] {
			replies[line.Get("message.id").Str] = true
		}
	}
	delete(replies, "")
	for _, line := range lines { // in the log, a call comes before its result
		id := line.Get("uuid").Str
		if replies[line.Get("message.id").Str] || path[parents[id]] && line.Get("message.content.0.type").Str == "tool_result" {
			path[id] = true
		}
	}
	return path
}

// commandMarks lists the prefixes of generated messages, which have the type "user" in the log.
var commandMarks = []string{"<command-", "<local-command-", "<bash-", "Caveat: The messages below were generated"}

func readClaudeUser(log *Log, line, message gjson.Result) {
	at, content := timeOf(line, "timestamp"), message.Get("content")
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "tool_result" {
			log.addResult(at, block.Get("tool_use_id").Str, textOf(block.Get("content")), block.Get("is_error").Bool())
		}
		return true
	})
	text := strings.TrimSpace(textOf(content))
	for _, mark := range commandMarks {
		if strings.HasPrefix(text, mark) {
			return
		}
	}
	if pictures := picturesOf(content); text != "" || len(pictures) > 0 {
		log.beginTurn(at, text, pictures)
	}
}

func readClaudeAnswer(log *Log, line, message gjson.Result) {
	model := message.Get("model").Str
	if model == "<synthetic>" { // the text is an error from Claude Code, not an answer from the model
		return
	}
	answer := log.answer(timeOf(line, "timestamp"), "anthropic/"+model)
	addBlocks(answer, message.Get("content"), "tool_use", "input")
	if usage := message.Get("usage"); usage.Exists() { // each line of a reply contains the same usage
		cached, written := int(usage.Get("cache_read_input_tokens").Int()), int(usage.Get("cache_creation_input_tokens").Int())
		answer.Usage = messages.RoundTrip{
			Input: int(usage.Get("input_tokens").Int()) + cached + written, Cached: cached, Written: written, Output: int(usage.Get("output_tokens").Int()),
		}
	}
}
