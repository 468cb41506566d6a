// Command minimal is the least that an agent can do, as the floor of the
// benchmarks: one request, one SSE loop, one tool, nothing but the standard library. Called
// by the name of lean it looks in each event for the text alone, and decodes nothing. With
// MINIMAL_WIRE it speaks another protocol than chat completions, without a tool.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

type call struct {
	Index    int    `json:"index"`
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments,omitempty"`
	} `json:"function"`
}

type chunk struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			ToolCalls []call `json:"tool_calls"`
		} `json:"delta"`
	} `json:"choices"`
}

const tools = `[{"type":"function","function":{"name":"read_file","description":"Read a file","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}}]`

func main() {
	if other, ok := wires[os.Getenv("MINIMAL_WIRE")]; ok {
		other.talk(os.Args[1])
		return
	}
	history := []message{{Role: "user", Content: os.Args[1]}}
	for {
		calls := ask(history)
		if len(calls) == 0 {
			fmt.Println()
			return
		}
		history = append(history, message{Role: "assistant", ToolCalls: calls})
		for _, call := range calls {
			var args struct {
				Path string `json:"path"`
			}
			json.Unmarshal([]byte(call.Function.Arguments), &args)
			content, err := os.ReadFile(args.Path)
			if err != nil {
				content = []byte(err.Error())
			}
			history = append(history, message{Role: "tool", ToolCallID: call.ID, Content: string(content)})
		}
	}
}

func ask(history []message) []call {
	body, _ := json.Marshal(map[string]any{
		"model": "bench", "stream": true, "messages": history, "tools": json.RawMessage(tools),
		"stream_options": map[string]bool{"include_usage": true},
	})
	request, _ := http.NewRequest("POST", os.Getenv("OPENAI_COMPAT_URL"), bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("OPENAI_COMPAT_API_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		fmt.Fprintln(os.Stderr, "minimal:", err)
		os.Exit(1)
	}
	defer response.Body.Close()
	var calls []call
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	lean := filepath.Base(os.Args[0]) == "lean"
	for lines.Scan() {
		if lean {
			say(lines.Bytes(), `"content":"`)
			continue
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var next chunk
		json.Unmarshal([]byte(data), &next)
		for _, choice := range next.Choices {
			if choice.Delta.Content != "" {
				os.Stdout.WriteString(choice.Delta.Content)
			}
			for _, part := range choice.Delta.ToolCalls {
				if part.ID != "" {
					calls = append(calls, part)
				} else if part.Index < len(calls) {
					calls[part.Index].Function.Arguments += part.Function.Arguments
				}
			}
		}
	}
	return calls
}

// say writes the text of an event, if it has some: it stands behind the mark.
func say(event []byte, mark string) {
	begin := bytes.Index(event, []byte(mark))
	if begin < 0 {
		return
	}
	text := event[begin+len(mark):]
	end := bytes.IndexByte(text, '"')
	for end > 0 && text[end-1] == '\\' { // no end of it; what is escaped twice does not occur here
		next := bytes.IndexByte(text[end+1:], '"')
		if next < 0 {
			return
		}
		end += next + 1
	}
	if end < 0 {
		return
	}
	if bytes.IndexByte(text[:end], '\\') < 0 {
		os.Stdout.Write(text[:end])
	} else if said, err := strconv.Unquote(`"` + string(text[:end]) + `"`); err == nil {
		os.Stdout.WriteString(said)
	}
}
