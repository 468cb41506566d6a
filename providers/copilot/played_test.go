package copilot_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/providers"
	"marvin/providers/copilot"
)

// plays names a directory for a test program that simulates the CLI: script.json has its answer to
// each method, and it logs the requests in asked.
const plays = "MARVIN_COPILOT_PLAYS"

// reply is what the simulated CLI does after a request.
type reply struct {
	Result json.RawMessage
	Error  string            // in place of a result
	Silent bool              // it sends no answer
	Closes bool              // it closes its output and keeps running
	Events []json.RawMessage // session events after the answer
	Dies   string            // its last output before it ends, after the events; it answers only if there is a result
}

// play simulates the whole CLI: it speaks JSON-RPC, as the real one does, until its input ends.
func play(dir string) {
	in := bufio.NewReader(os.Stdin)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		length, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		var one struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		if json.Unmarshal(body, &one) != nil || one.Method == "" {
			continue
		}
		var of struct{ SessionID string }
		_ = json.Unmarshal(one.Params, &of) // a request without a session gets no events
		if file, err := os.OpenFile(filepath.Join(dir, "asked"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			fmt.Fprintf(file, "%s %s\n", one.Method, one.Params)
			_ = file.Close()
		}
		var script map[string]reply
		text, _ := os.ReadFile(filepath.Join(dir, "script.json"))
		_ = json.Unmarshal(text, &script)
		said := script[one.Method]
		if said.Closes {
			_ = os.Stdout.Close()
		}
		if said.Silent || said.Closes {
			continue
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": one.ID}
		switch {
		case said.Error != "":
			answer["error"] = map[string]any{"code": -32000, "message": said.Error}
		case len(said.Result) > 0:
			answer["result"] = said.Result
		case one.Method == "session.create":
			answer["result"] = map[string]any{"sessionId": of.SessionID}
		default:
			answer["result"] = map[string]any{}
		}
		if len(one.ID) > 0 && (said.Dies == "" || len(said.Result) > 0) {
			speak(answer)
		}
		for _, event := range said.Events {
			speak(map[string]any{"jsonrpc": "2.0", "method": "session.event", "params": map[string]any{"sessionId": of.SessionID, "event": event}})
		}
		if said.Dies != "" {
			fmt.Fprintln(os.Stderr, said.Dies)
			os.Exit(7)
		}
	}
}

func speak(message any) {
	encoded, _ := json.Marshal(message)
	fmt.Printf("Content-Length: %d\r\n\r\n%s", len(encoded), encoded)
}

// A login at GitHub, its models, answers and calls, and a CLI that refuses or forgets: the real CLI
// shows none of that without an account.
func TestAnswersOfFakeCLI(t *testing.T) {
	dir := t.TempDir()
	script := map[string]reply{}
	cli := start(t, environ(t, "COPILOT_CLI_PATH="+os.Args[0], plays+"="+dir))
	var model *copilot.Model
	random := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|[^"]*marvin-copilot-held-[0-9]+/session-[0-9]+`)
	told := map[string]bool{} // each line about opening a session is printed once
	shown := regexp.MustCompile(`^(session\.(create|send|model|setModel|tools|abort)|auth|models)`)
	goldentest.Transcript(t, "played.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (text string, err error) {
		switch name {
		case "cli":
			var more map[string]reply
			if err := json.Unmarshal([]byte(args), &more); err != nil {
				return "", err
			}
			for method, one := range more {
				script[method] = one
			}
			encoded, err := json.Marshal(script)
			return "", errors.Join(err, os.WriteFile(filepath.Join(dir, "script.json"), encoded, 0o600))
		case "model":
			fresh := copilot.New(copilot.Config{CLI: cli, Model: args})
			model = fresh
			t.Cleanup(func() { _ = fresh.Close() }) // the CLI ends with the last model
			return "", nil
		case "offers":
			offers, failed := cli.Offers(t.Context())
			text, err = fmt.Sprintf("%+v", offers), failed
		case "ask", "stop":
			var question providers.Question
			if err := json.Unmarshal([]byte(args), &question); err != nil {
				return "", err
			}
			ctx, stop := context.WithCancelCause(within(t))
			defer stop(nil)
			got, failed := model.Respond(ctx, question, func(part providers.Part) {
				text += fmt.Sprintf("part %d %q %t\n", part.Kind, part.Text, part.Wait > 0)
				if name == "stop" && part.Kind == providers.TextPart {
					stop(errors.New("enough"))
				}
			})
			calls, encoding := json.Marshal(got.Calls)
			text, err = text+fmt.Sprintf("%q %s %q %q", got.Text, calls, got.Notices, got.Finish), errors.Join(failed, encoding)
		default:
			return "", fmt.Errorf("nothing is called %s", name)
		}
		asked, _ := os.ReadFile(filepath.Join(dir, "asked"))
		_ = os.Remove(filepath.Join(dir, "asked"))
		var lines []string
		for line := range strings.Lines(string(asked)) {
			if !shown.MatchString(line) {
				continue
			}
			line = strings.TrimSpace(random.ReplaceAllString(line, "RANDOM"))
			if start, same, found := strings.Cut(line, `,"availableTools":`); found {
				if told[same] {
					line = start + ",…"
				}
				told[same] = true
			}
			lines = append(lines, "asked "+line)
		}
		mask := func(text string) string {
			return strings.ReplaceAll(random.ReplaceAllString(text, "RANDOM"), os.Args[0], "PROGRAM")
		}
		if err != nil {
			err = errors.New(mask(err.Error()))
		}
		return mask(strings.Join(append(lines, text), "\n")), err
	})
}
