package copilot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	sdk "github.com/github/copilot-sdk/go"
	"github.com/github/copilot-sdk/go/rpc"

	"marvin/messages"
	"marvin/providers"
)

const (
	endLimit   = 5 * time.Second // time limit for deleting a session; after that the CLI is killed
	abortLimit = 2 * time.Second // time limit for ending a canceled turn; after that the session is abandoned
)

// session is a conversation inside the CLI. Only one goroutine at a time may use it.
type session struct {
	process *process
	dir     string // the directory of this session
	sdk     *sdk.Session
	inbox   *inbox

	system string
	effort string // the CLI's name for the effort
	tools  []providers.ToolSpec

	seen []messages.Message // the messages of the last question
	said string             // the answer to the last question
	open []pending          // the pending calls of the last answer
}

// pending is a call whose result the CLI waits for.
type pending struct {
	request string // the CLI's id for the call
	call    messages.ToolCall
}

func open(ctx context.Context, p *process, model, effort string, own *sdk.ProviderConfig, question providers.Question) (*session, error) {
	declared, err := declare(question.Tools)
	if err != nil {
		return nil, err
	}
	// With the user's configuration directory, the CLI would start MCP servers and hooks despite
	// ModeEmpty. Each session would also leave a lock file there.
	dir, err := os.MkdirTemp(p.scratch, "session-")
	if err != nil {
		return nil, fmt.Errorf("open a conversation with Copilot: %w", err)
	}
	s := &session{process: p, dir: dir, inbox: newInbox(), system: question.System, effort: effort, tools: question.Tools}
	off := sdk.Bool(false)
	err = p.call(ctx, func(ctx context.Context, client *sdk.Client) error {
		var err error
		s.sdk, err = client.CreateSession(ctx, &sdk.SessionConfig{
			ClientName: "marvin", ConfigDirectory: dir, Model: model, ReasoningEffort: effort, Provider: own, ModelCapabilities: sees(own), Streaming: sdk.Bool(true),
			SystemMessage: &sdk.SystemMessageConfig{Mode: "replace", Content: question.System},
			Tools:         declared, AvailableTools: sdk.NewToolSet().AddCustom("*").ToSlice(),
			// By default, the CLI requires the model to search for tools if there are more than 30. It also
			// moves results larger than 20 KB to files, and summarizes long conversations. Marvin handles
			// these cases itself, and its tools cannot read the files.
			ToolSearch: &sdk.ToolSearchConfig{Enabled: off}, LargeOutput: &sdk.LargeToolOutputConfig{Enabled: off},
			InfiniteSessions: &sdk.InfiniteSessionConfig{Enabled: off},
			OnEvent:          s.inbox.put,
		})
		return err
	})
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("open a conversation with Copilot: %w", err)
	}
	return s, nil
}

// declare converts tools to the SDK's type. The tools get no handler, so the SDK runs none of them.
func declare(specs []providers.ToolSpec) ([]sdk.Tool, error) {
	declared := make([]sdk.Tool, len(specs))
	for i, spec := range specs {
		var parameters map[string]any
		if err := json.Unmarshal(spec.Schema, &parameters); err != nil {
			return nil, fmt.Errorf("schema of tool %s: %w", spec.Name, err)
		}
		declared[i] = sdk.Tool{
			Name: spec.Name, Description: spec.Doc, Parameters: parameters, SkipPermission: true,
			Defer: sdk.ToolDeferNever, OverridesBuiltInTool: true,
		}
	}
	return declared, nil
}

// offer replaces the session's tools, even during a turn.
func (s *session) offer(ctx context.Context, specs []providers.ToolSpec) error {
	if slices.EqualFunc(s.tools, specs, sameTool) {
		return nil
	}
	declared, err := declare(specs)
	if err != nil {
		return err
	}
	request := &rpc.ToolsSetRequest{Tools: make([]rpc.ProtocolExternalToolDefinition, len(declared))}
	for i, tool := range declared {
		never := rpc.ProtocolExternalToolDefer(tool.Defer)
		request.Tools[i] = rpc.ProtocolExternalToolDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters, Defer: &never,
			SkipPermission: &tool.SkipPermission, OverridesBuiltInTool: &tool.OverridesBuiltInTool,
		}
	}
	if _, err := s.sdk.RPC.Tools.Set(ctx, request); err != nil {
		return err
	}
	s.tools = specs
	return nil
}

func sameTool(a, b providers.ToolSpec) bool {
	return a.Name == b.Name && a.Doc == b.Doc && bytes.Equal(a.Schema, b.Schema)
}

// results returns the tool results for the calls in s.open, or false if s.open is empty or a result
// is missing. Results are matched to calls by order, because the names of calls can change. Later
// prompts are appended to the last result, because the CLI accepts only results during a turn.
func (s *session) results(now []messages.Message) (results []messages.ToolResult, ok bool) {
	whole := len(s.seen) + 1 + len(s.open)
	if len(s.open) == 0 || len(now) < whole || !slices.EqualFunc(s.seen, now[:len(s.seen)], equal) {
		return nil, false
	}
	asked := now[len(s.seen)]
	if asked.Role != messages.Assistant || len(asked.Calls) != len(s.open) {
		return nil, false
	}
	for _, message := range now[len(s.seen)+1 : whole] {
		if message.Role != messages.Tool {
			return nil, false
		}
		results = append(results, message.Result)
	}
	for _, message := range now[whole:] {
		if !isPrompt(message) {
			return nil, false
		}
		results[len(results)-1].Text += "\n\n" + message.Text
	}
	return results, true
}

// answer sends the results of the open calls to the CLI.
func (s *session) answer(ctx context.Context, results []messages.ToolResult) error {
	if len(results) != len(s.open) {
		return fmt.Errorf("internal error: %d tool calls have %d results", len(s.open), len(results))
	}
	for i, waiting := range s.open {
		handled, err := s.sdk.RPC.Tools.HandlePendingToolCall(ctx, &rpc.HandlePendingToolCallRequest{
			RequestID: waiting.request, Result: handOver(results[i]),
		})
		if err != nil {
			return fmt.Errorf("give Copilot the result of %s: %w", waiting.call.Name, err)
		}
		if !handled.Success {
			return fmt.Errorf("copilot no longer waits for the result of %s", waiting.call.Name)
		}
	}
	s.open = nil
	return nil
}

// abort makes the session end its turn, and returns true if the session can be used again.
func (s *session) abort() bool {
	ctx, cancel := context.WithTimeout(context.Background(), abortLimit)
	defer cancel()
	ctx, stop := s.process.withProcess(ctx)
	defer stop()
	if s.sdk.Abort(ctx) != nil {
		return false
	}
	for {
		event, err := s.inbox.next(ctx)
		if err != nil {
			return false
		}
		if _, idle := event.Data.(*sdk.SessionIdleData); idle {
			return true
		}
	}
}

// end terminates the session and deletes s.dir.
func (s *session) end() {
	ctx, cancel := context.WithTimeout(context.Background(), endLimit)
	defer cancel()
	defer context.AfterFunc(ctx, s.process.kill)()
	_ = s.process.call(ctx, func(ctx context.Context, client *sdk.Client) error {
		_, err := client.RPC.Sessions.Close(ctx, &rpc.SessionsCloseRequest{SessionID: s.sdk.SessionID})
		return err
	})
	_ = s.sdk.Disconnect() // Disconnect ends the listener's goroutine, but has no time limit
	_ = os.RemoveAll(s.dir)
}

// resume continues the session. If the question contains the results of the calls in s.open, resume
// sends the results and returns true. Otherwise resume returns the prompt for the caller to send,
// or "" if the session cannot continue.
func (s *session) resume(ctx context.Context, p *process, question providers.Question) (prompt string, answered bool, err error) {
	if s.process != p || s.system != question.System {
		return "", false, nil
	}
	results, answered := s.results(question.Messages)
	fresh, ok := unseenPrompts(s.seen, question.Messages, s.said)
	if !answered && (!ok || len(s.open) > 0) {
		return "", false, nil
	}
	if err := s.offer(ctx, question.Tools); err != nil {
		return "", false, err
	}
	if !answered {
		return join(fresh), false, nil
	}
	return "", true, s.answer(ctx, results)
}
