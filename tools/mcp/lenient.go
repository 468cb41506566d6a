package mcp

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// One error in a message makes the library reject the whole message. If one annotation has the
// wrong type, the library rejects all tools of a server. If one part has an unknown kind of
// content, the library rejects the whole reply. Therefore, this file removes or converts unreadable
// parts before the library reads the message.

// readable returns a message without its unreadable parts, or with replacements for them. Notes
// about these parts are passed to the function report.
func readable(message []byte, report func(string)) []byte {
	if !json.Valid(message) {
		if message = withoutNaN(message); !json.Valid(message) {
			return message
		}
		report("[the answer contained NaN or Infinity, which JSON does not allow; Marvin replaced them with null]")
	}
	if !bytes.Contains(message, []byte(`"result"`)) {
		return message
	}
	var parts map[string]json.RawMessage
	var result map[string]json.RawMessage
	if json.Unmarshal(message, &parts) != nil || json.Unmarshal(parts["result"], &result) != nil {
		return message
	}
	changed := false
	for _, part := range []struct {
		key string
		fix func(json.RawMessage, func(string)) (json.RawMessage, bool)
	}{{"tools", readableTools}, {"content", readableContent}, {"contents", readableResources}} {
		if value, ok := result[part.key]; ok {
			if fixed, did := part.fix(value, report); did {
				result[part.key], changed = fixed, true
			}
		}
	}
	if failed, ok := result["isError"]; ok && string(failed) != "true" && string(failed) != "false" {
		result["isError"], changed = json.RawMessage(fmt.Sprint(strings.Trim(string(failed), `"`) == "true")), true
	}
	if !changed {
		return message
	}
	parts["result"] = encoded(result)
	return encoded(parts)
}

func encoded(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		return json.RawMessage("null") // cannot happen: value contains only valid JSON
	}
	return text
}

// readableTools removes tools without a name, and removes unreadable parts from the other tools.
func readableTools(list json.RawMessage, report func(string)) (json.RawMessage, bool) {
	var all []json.RawMessage
	if json.Unmarshal(list, &all) != nil {
		return list, false
	}
	changed := false
	if len(all) > 2*mostTools {
		report(fmt.Sprintf("[a page lists %d tools; only the first %d were read]", len(all), 2*mostTools))
		all, changed = all[:2*mostTools], true
	}
	kept := make([]json.RawMessage, 0, len(all))
	for _, one := range all {
		var tool sdk.Tool
		if json.Unmarshal(one, &tool) == nil && tool.Name != "" {
			kept = append(kept, one)
			continue
		}
		changed = true
		var parts map[string]json.RawMessage
		var name string
		if json.Unmarshal(one, &parts) != nil || json.Unmarshal(parts["name"], &name) != nil || name == "" {
			report("[a tool without a name was left out]")
			continue
		}
		for key, value := range parts {
			if json.Unmarshal(encoded(map[string]json.RawMessage{key: value}), &sdk.Tool{}) == nil {
				continue
			}
			report(fmt.Sprintf("[%[2]s of the tool %[1]s cannot be read and was left out]", name, key))
			if delete(parts, key); key == "annotations" {
				parts[key] = readableHints(value)
			}
		}
		if one = encoded(parts); json.Unmarshal(one, &sdk.Tool{}) == nil {
			kept = append(kept, one)
		}
	}
	return encoded(kept), changed
}

// readableHints returns the readable annotations of a tool.
func readableHints(hints json.RawMessage) json.RawMessage {
	var parts map[string]json.RawMessage
	if json.Unmarshal(hints, &parts) != nil {
		return json.RawMessage("null")
	}
	for key, value := range parts {
		if json.Unmarshal(encoded(map[string]json.RawMessage{key: value}), &sdk.ToolAnnotations{}) != nil {
			delete(parts, key)
		}
	}
	return encoded(parts)
}

// mostParts limits how many parts of a reply are read. Each part uses more memory than its text.
const mostParts = 10_000

// readableContent converts a result's content to a list of parts that the library can read. An
// unreadable part becomes a text part if it contains text. Otherwise, it becomes a resource, which
// Marvin stores as an artifact.
func readableContent(content json.RawMessage, report func(string)) (json.RawMessage, bool) {
	var text string
	var all []json.RawMessage
	switch {
	case string(content) == "null":
		return json.RawMessage("[]"), true
	case json.Unmarshal(content, &text) == nil:
		return encoded([]any{textOf(text)}), true
	case json.Unmarshal(content, &all) != nil:
		all = []json.RawMessage{content} // the content is a single part, not a list
	}
	changed := len(all) == 1 && bytes.HasPrefix(bytes.TrimSpace(content), []byte("{"))
	if len(all) > mostParts {
		note := fmt.Sprintf("[The answer has %d parts; only the first %d were read.]", len(all), mostParts)
		all, changed = append([]json.RawMessage{encoded(textOf(note))}, all[:mostParts]...), true
	}
	for i, one := range all {
		if json.Unmarshal(encoded(map[string]any{"content": []json.RawMessage{one}}), &sdk.CallToolResult{}) == nil {
			continue
		}
		all[i], changed = otherContent(one, report), true
	}
	return encoded(all), changed
}

func otherContent(one json.RawMessage, report func(string)) json.RawMessage {
	var text string
	if json.Unmarshal(one, &text) == nil {
		return encoded(textOf(text))
	}
	var known struct {
		Type string `json:"type"`
		Text any    `json:"text"`
	}
	_ = json.Unmarshal(one, &known)
	if text, ok := known.Text.(string); ok {
		return encoded(textOf(text))
	}
	report(fmt.Sprintf("[content of the type %q cannot be read and was kept as JSON]", known.Type))
	return encoded(map[string]any{"type": "resource", "resource": map[string]any{
		"uri": "content:" + known.Type, "mimeType": "application/json", "blob": base64.StdEncoding.EncodeToString(one),
	}})
}

func textOf(text string) map[string]any { return map[string]any{"type": "text", "text": text} }

func readableResources(list json.RawMessage, report func(string)) (json.RawMessage, bool) {
	var all []json.RawMessage
	if json.Unmarshal(list, &all) != nil {
		return list, false
	}
	kept := make([]json.RawMessage, 0, len(all))
	for _, one := range all {
		if json.Unmarshal(one, &sdk.ResourceContents{}) != nil {
			report("[a resource that cannot be read was left out]")
			continue
		}
		kept = append(kept, one)
	}
	return encoded(kept), len(kept) < len(all)
}

// withoutNaN replaces NaN and Infinity with null. Python and JavaScript libraries write these
// values, but JSON does not allow them.
func withoutNaN(message []byte) []byte {
	out := make([]byte, 0, len(message))
	for i := 0; i < len(message); i++ {
		char := message[i]
		if char == '"' {
			end := i + 1
			for end < len(message) && message[end] != '"' {
				if message[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(message))
			out = append(out, message[i:end]...)
			i = end - 1
			continue
		}
		replaced := false
		for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
			if bytes.HasPrefix(message[i:], []byte(word)) {
				out = append(out, "null"...)
				i += len(word) - 1
				replaced = true
				break
			}
		}
		if !replaced {
			out = append(out, char)
		}
	}
	return out
}

// readableAnswers is a transport that removes or replaces unreadable parts of a remote server's
// replies.
type readableAnswers struct {
	next    http.RoundTripper
	said    func(string)
	traffic *traffic
}

func (r readableAnswers) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(request)
	if request.Method == http.MethodPost && request.GetBody != nil {
		r.countSent(request)
	}
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		body, err := io.ReadAll(io.LimitReader(response.Body, 2*longestLine))
		_ = response.Body.Close()
		if err != nil {
			return nil, err
		}
		r.traffic.count(len(body))
		body = readable(body, r.said)
		response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		response.Header.Del("Content-Length")
	case "text/event-stream":
		response.Body = &readableEvents{from: bufio.NewReaderSize(response.Body, 64<<10), end: response.Body, said: r.said, traffic: r.traffic}
		response.ContentLength = -1
	}
	return response, nil
}

// countSent passes the beginning of a sent message to [traffic.examineSent].
func (r readableAnswers) countSent(request *http.Request) {
	body, err := request.GetBody()
	if err != nil {
		return
	}
	defer body.Close()
	start := make([]byte, startOfMessage)
	n, _ := io.ReadFull(body, start)
	r.traffic.examineSent(start[:n])
}

// readableEvents is an event stream that applies [readable] to each message. It sends
// [ignoredReply] instead of a message that exceeds the traffic limits.
type readableEvents struct {
	from    *bufio.Reader
	end     io.Closer
	said    func(string)
	traffic *traffic
	data    []byte // data of the event being read
	rest    []byte
	err     error
}

// ignoredReply replaces a message that must not reach the library. The library ignores a reply to
// an unknown request.
const ignoredReply = `{"jsonrpc":"2.0","id":"dropped","result":{}}`

func (r *readableEvents) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		var line []byte
		for {
			part, err := r.from.ReadSlice('\n')
			line, r.err = append(line, part...), err
			if !errors.Is(err, bufio.ErrBufferFull) || len(line)+len(r.data) > 2*longestLine {
				break
			}
		}
		if errors.Is(r.err, bufio.ErrBufferFull) || len(line)+len(r.data) > 2*longestLine {
			r.err = fmt.Errorf("an event in the stream is longer than %d MB", 2*longestLine>>20)
			r.data, line = nil, nil
		}
		switch data, ok := bytes.CutPrefix(line, []byte("data:")); {
		case ok: // a space can join two data lines, because JSON strings contain no newlines
			r.data = append(append(r.data, bytes.TrimSpace(data)...), ' ')
		case r.data != nil && len(bytes.TrimSpace(line)) == 0:
			r.rest = append(r.event(), line...)
		default:
			r.rest = line
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// event applies [readable] to the data of a complete event, and returns the new data line.
func (r *readableEvents) event() []byte {
	r.traffic.count(len(r.data))
	body := readable(bytes.TrimSpace(r.data), r.said)
	r.data = nil
	if message, err := jsonrpc.DecodeMessage(body); err == nil && !r.traffic.admits(message) {
		body = []byte(ignoredReply)
	}
	return append(append([]byte("data: "), body...), '\n')
}

func (r *readableEvents) Close() error { return r.end.Close() }
