package foreign

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"marvin/messages"
)

func isOMP(line gjson.Result) bool {
	return line.Get("type").Str == "session" && line.Get("id").Exists() && line.Get("cwd").Exists()
}

// readOMP reads a session of pi or of its fork oh-my-pi. The entries form a tree linked by
// parentId, and the last entry is the current position. The first version of the format had no
// tree.
func readOMP(log *Log, lines []gjson.Result) {
	parents, last := map[string]string{}, ""
	for _, line := range lines {
		if id := line.Get("id").Str; id != "" && line.Get("type").Str != "session" {
			parents[id], last = line.Get("parentId").Str, id
		}
	}
	path := map[string]bool{}
	for id := last; id != "" && !path[id]; id = parents[id] {
		path[id] = true
	}
	for _, line := range lines {
		kind := line.Get("type").Str
		switch {
		case kind == "session":
			if log.ID == "" {
				log.ID, log.Dir, log.Title = line.Get("id").Str, line.Get("cwd").Str, line.Get("title").Str
			}
		case last != "" && !path[line.Get("id").Str]:
		case kind == "message":
			readOMPMessage(log, line, line.Get("message"))
		case kind == "compaction", kind == "branch_summary":
			log.beginTurn(timeOf(line, "timestamp"), "(summary of the conversation before)\n"+line.Get("summary").Str, nil)
		case kind == "session_info" && line.Get("name").Str != "":
			log.Title = line.Get("name").Str
		}
	}
}

func readOMPMessage(log *Log, line, message gjson.Result) {
	at, content := timeOf(line, "timestamp"), message.Get("content")
	if at.IsZero() {
		at = timeOf(message, "timestamp")
	}
	switch message.Get("role").Str {
	case "user":
		if text, pictures := strings.TrimSpace(textOf(content)), picturesOf(content); text != "" || len(pictures) > 0 {
			log.beginTurn(at, text, pictures)
		}
	case "assistant":
		answer := log.answer(at, strings.Trim(message.Get("provider").Str+"/"+message.Get("model").Str, "/"))
		addBlocks(answer, content, "toolCall", "arguments")
		if usage := message.Get("usage"); usage.Exists() {
			cached, written := int(usage.Get("cacheRead").Int()), int(usage.Get("cacheWrite").Int())
			answer.Usage = messages.RoundTrip{
				Input: int(usage.Get("input").Int()) + cached + written, Cached: cached, Written: written, Output: int(usage.Get("output").Int()), Cost: usage.Get("cost.total").Num,
			}
		}
	case "toolResult":
		log.addResult(at, message.Get("toolCallId").Str, textOf(content), message.Get("isError").Bool())
	case "bashExecution":
		log.beginTurn(at, "$ "+message.Get("command").Str+"\n"+cmp.Or(message.Get("output").Str, "(no output)"), nil)
	}
}
