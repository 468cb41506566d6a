package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// wire is a protocol other than chat completions, of which the least is read: words alone.
type wire struct {
	body string // with a place for the prompt, as JSON
	mark string // stands in front of the text in an event
	text func(event []byte) string
}

// wires are chosen with MINIMAL_WIRE.
var wires = map[string]wire{
	"anthropic": {`{"model":"bench","max_tokens":4096,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":%s}]}]}`, `"text":"`, func(event []byte) string {
		var read struct {
			Delta struct {
				Text string `json:"text"`
			} `json:"delta"`
		}
		json.Unmarshal(event, &read)
		return read.Delta.Text
	}},
	"responses": {`{"model":"bench","stream":true,"store":false,"input":[{"type":"message","role":"user","content":%s}]}`, `"delta":"`, func(event []byte) string {
		var read struct {
			Delta string `json:"delta"`
		}
		json.Unmarshal(event, &read)
		return read.Delta
	}},
	"ollama": {`{"model":"bench","messages":[{"role":"user","content":%s}]}`, `"content":"`, func(event []byte) string {
		var read struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		}
		json.Unmarshal(event, &read)
		return read.Message.Content
	}},
}

// talk asks once and writes what is said.
func (w wire) talk(prompt string) {
	said, _ := json.Marshal(prompt)
	request, _ := http.NewRequest("POST", os.Getenv("MINIMAL_URL"), bytes.NewReader(fmt.Appendf(nil, w.body, said)))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Anthropic-Version", "2023-06-01")
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		fmt.Fprintln(os.Stderr, "minimal:", err)
		os.Exit(1)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	lean := filepath.Base(os.Args[0]) == "lean"
	for lines.Scan() {
		data := bytes.TrimPrefix(lines.Bytes(), []byte("data: "))
		switch {
		case len(data) == 0 || data[0] != '{':
		case lean:
			say(data, w.mark)
		default:
			os.Stdout.WriteString(w.text(data))
		}
	}
	fmt.Println()
}
