package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Limits for one attempt.
const (
	handshake   = time.Minute      // time limit for each request before the prompt
	politeness  = time.Second / 2  // time limit for the reply to a canceled prompt
	mostTokens  = 1 << 30          // maximum input or output tokens; if exceeded, both are ignored
	mostCost    = 1e6              // maximum cost of one task in dollars; a higher cost is ignored
	mostText    = 256 << 10        // maximum bytes of stored text; further text is dropped
	mostWaiting = 32               // maximum number of permission requests that wait for the user
	questions   = 10 * time.Minute // time after which an unanswered permission request is refused
)

// Reasons why an attempt ended before the agent replied.
var (
	errSilent  = errors.New("it did not respond")
	errRefused = errors.New("refused")
)

// talk is the state of one attempt at a task.
type talk struct {
	*conn
	agent    Agent
	env      tools.Env
	readOnly bool
	held     bool // the program runs in a jail
	dir      string
	say      func(tools.TaskProgress)

	session string
	said    strings.Builder // text since the last call
	all     strings.Builder // everything that the agent wrote; used if there is no text after the last call
	calls   map[string]acp.CallUpdate
	running map[string]bool // calls that have not ended
	doing   tools.TaskProgress
	priced  bool // the agent reported its cost

	asking  bool
	waiting []acp.Frame // permission requests that have not been shown to the user yet
	answers chan answer
}

// answer is the user's answer to a permission request.
type answer struct {
	id    json.RawMessage
	given acp.PermissionAnswer
}

// perform gives the task to the agent, and returns the protocol's stop reason.
func (t *talk) perform(ctx context.Context, prompt string) (stop string, err error) {
	t.calls, t.running, t.answers = map[string]acp.CallUpdate{}, map[string]bool{}, make(chan answer, 1)
	var told struct {
		Version int `json:"protocolVersion"`
	}
	if err := t.request(ctx, min(handshake, t.agent.Silence), "initialize", map[string]any{
		"protocolVersion": acp.Version, "clientCapabilities": map[string]any{"fs": map[string]bool{"readTextFile": false, "writeTextFile": false}, "terminal": false},
		"clientInfo": map[string]string{"name": "marvin", "title": "Marvin", "version": "1"},
	}, &told); err != nil {
		return "", fmt.Errorf("initialize: %w", err)
	}
	if told.Version != acp.Version {
		return "", fmt.Errorf("the agent speaks version %d of the protocol, but Marvin speaks %d", told.Version, acp.Version)
	}
	var opened struct {
		Session string `json:"sessionId"`
	}
	if err := t.request(ctx, min(handshake, t.agent.Silence), "session/new", map[string]any{"cwd": t.dir, "mcpServers": []any{}}, &opened); err != nil {
		return "", fmt.Errorf("session/new: %w", err)
	}
	if opened.Session == "" {
		return "", errors.New("the agent broke the protocol: session/new returned no sessionId")
	}
	t.session = opened.Session
	var ended struct {
		acp.PromptEnded
		Usage struct {
			Input  int `json:"inputTokens"`
			Output int `json:"outputTokens"`
		} `json:"usage"`
	}
	err = t.request(ctx, t.agent.Silence, "session/prompt", acp.PromptParams{Session: t.session, Prompt: []acp.Block{{Type: "text", Text: &prompt}}}, &ended)
	if told := ended.Usage; told.Input >= 0 && told.Input <= mostTokens && told.Output >= 0 && told.Output <= mostTokens {
		t.doing.Usage.InputTokens, t.doing.Usage.OutputTokens = told.Input, told.Output
	}
	return ended.Stop, err
}

// request invokes a method of the agent and parses the reply into result. Until the reply comes,
// request handles the agent's messages. It fails with [errSilent] if the agent is silent for the
// given time. Silence does not count while the user is being asked or one of the agent's calls is
// in progress.
func (t *talk) request(ctx context.Context, silence time.Duration, method string, params, result any) error {
	id, err := t.call(method, params)
	if err != nil {
		return t.sendError(err)
	}
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	done, cancelled := ctx.Done(), error(nil)
	for {
		select {
		case frame := <-t.frames:
			if frame.Method == nil && string(frame.ID) == id {
				if cancelled != nil {
					return cancelled
				}
				return answerOf(frame, result)
			}
			if err := t.handleMessage(ctx, frame); err != nil {
				return t.sendError(err)
			}
			if cancelled == nil {
				quiet.Reset(silence)
			}
		case given := <-t.answers:
			if err := t.sendAnswer(ctx, given); err != nil {
				return t.sendError(err)
			}
			quiet.Reset(silence)
		case <-t.over:
			if len(t.frames) > 0 {
				continue // handle the remaining messages first
			}
			if cancelled != nil {
				return cancelled
			}
			return t.err
		case <-done:
			done, cancelled = nil, context.Cause(ctx)
			if t.session != "" && t.notify("session/cancel", acp.SessionParams{Session: t.session}) != nil {
				return cancelled
			}
			quiet.Reset(politeness)
		case <-quiet.C:
			switch {
			case cancelled != nil:
				return cancelled
			case !t.asking && len(t.running) == 0:
				return fmt.Errorf("%w for %s", errSilent, silence)
			}
			quiet.Reset(silence)
		}
	}
}

// sendError returns the error to report after a failed send: t.err if the agent's output has ended,
// otherwise err.
func (t *talk) sendError(err error) error {
	select {
	case <-t.over:
		return t.err
	default:
		return err
	}
}

func answerOf(frame acp.Frame, into any) error {
	if frame.Error != nil {
		said := tools.Visible(oneLine(frame.Error.Message))
		if frame.Error.Code == acp.CodeAuth {
			return tools.Advise(fmt.Errorf("the agent requires a login: %s", said), "Ask the user to log in with the agent's own program, or to list the agent's environment variables and login files under \"agents:\" in config.yaml (marvin help acp).")
		}
		return fmt.Errorf("the agent answered with an error: %s (%d)", said, frame.Error.Code)
	}
	if err := json.Unmarshal(frame.Result, into); err != nil {
		return fmt.Errorf("the agent broke the protocol: %w", messages.Misread(err))
	}
	return nil
}

func (t *talk) handleMessage(ctx context.Context, frame acp.Frame) error {
	switch {
	case frame.Method == nil: // no request waits for this reply
		return nil
	case frame.Notifies():
		if *frame.Method == "session/update" {
			t.update(frame.Params)
		}
		return nil
	case *frame.Method == "session/request_permission":
		return t.answerPermission(ctx, frame)
	}
	return t.reply(frame.ID, nil, &acp.Fault{Code: acp.CodeMethod, Message: "Marvin offers no " + *frame.Method + "; use your own tools"})
}

type update struct {
	Kind    string          `json:"sessionUpdate"`
	Content json.RawMessage `json:"content"`
	Cost    *acp.Cost       `json:"cost"`
	ID      string          `json:"toolCallId"`
	Title   string          `json:"title"`
	What    string          `json:"kind"`
	Status  string          `json:"status"`
}

func (t *talk) update(params json.RawMessage) {
	var told struct {
		Update update `json:"update"`
	}
	if json.Unmarshal(params, &told) != nil {
		return // a kind of update that Marvin does not know
	}
	switch one := told.Update; one.Kind {
	case "agent_message_chunk":
		var content acp.Block
		if json.Unmarshal(one.Content, &content) == nil && content.Text != nil {
			t.hear(*content.Text)
		}
	case "tool_call", "tool_call_update":
		t.recordCall(one)
	case "usage_update":
		if one.Cost != nil && (one.Cost.Currency == "" || one.Cost.Currency == "USD") && one.Cost.Amount >= 0 && one.Cost.Amount <= mostCost {
			t.priced = true
			t.doing.Usage.Cost = max(t.doing.Usage.Cost, one.Cost.Amount)
			t.tell("")
		}
	}
}

func (t *talk) hear(text string) {
	for _, into := range []*strings.Builder{&t.said, &t.all} {
		if into.Len() < mostText {
			into.WriteString(text[:min(len(text), mostText-into.Len())])
		}
	}
	t.tell(text)
}

// recordCall records the state and the description of a call. The description comes from the agent
// and is only for display.
func (t *talk) recordCall(one update) {
	if one.ID == "" || len(t.calls) >= 10_000 {
		return
	}
	call, seen := t.calls[one.ID]
	call.ID = one.ID
	if one.Title != "" {
		call.Title = one.Title
	}
	if one.What != "" {
		call.What = one.What
	}
	t.calls[one.ID] = call
	if one.Status == "completed" || one.Status == "failed" {
		delete(t.running, one.ID)
	} else if one.Status != "" || !seen {
		t.running[one.ID] = true
	}
	if !seen {
		t.said.Reset() // the report contains only the text after the last call
		t.doing.Rounds++
		t.doing.Title = tools.Visible(oneLine(call.Title))
		t.tell("")
	}
}

func (t *talk) tell(said string) {
	told := t.doing
	told.Said, told.Asks = said, t.asking
	t.say(told)
}

// text returns the agent's text after its last call. If there is none, text returns all of the
// agent's text.
func (t *talk) text() string {
	for _, text := range []string{t.said.String(), t.all.String()} {
		if text = strings.TrimSpace(strings.ToValidUTF8(text, "�")); text != "" {
			return text
		}
	}
	return ""
}

// oneLine joins the lines of the text, and shortens the result.
func oneLine(said string) string { return text.Clip(text.OneLine(said), 120) }
