package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages/lists"
	"marvin/tools"
)

// activeCall is a running call.
type activeCall struct {
	env   tools.Env
	ctx   context.Context
	asked int // number of questions that the server has asked during the call
}

// errForgotten means that a remote server no longer knows the session, for example after a restart.
// The server did not run the call.
var errForgotten = errors.New("the server forgot the session")

// ErrLost means that the connection ended before the reply. The call may have had an effect.
var ErrLost = errors.New("the connection to the server was lost")

// Call runs one of the server's tools. The error wraps [ErrLost] if the connection ended.
func (s *Session) Call(ctx context.Context, env tools.Env, tool string, arguments json.RawMessage) (tools.Output, error) {
	token := fmt.Sprintf("call-%d", s.calls.Add(1))
	s.mu.Lock()
	s.running[token] = &activeCall{env: env, ctx: ctx}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, token)
	}()
	params := &sdk.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken(token)
	result, err := s.client.CallTool(ctx, params)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return tools.Output{}, context.Cause(ctx)
	case errors.Is(err, sdk.ErrSessionMissing):
		return tools.Output{}, fmt.Errorf("%w while %s was called: %w", errForgotten, tool, ErrLost)
	case errors.Is(err, sdk.ErrConnectionClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || s.ended():
		s.awaitExit()
		return tools.Output{}, s.explainFailure(fmt.Errorf("%w while %s ran: %w", ErrLost, tool, err))
	default:
		return tools.Output{}, fmt.Errorf("the server %s: %w", s.Name, err)
	}
	said := contents{env: env, tool: tool}
	for _, one := range result.Content {
		said.take(one)
	}
	said.addStructured(result.StructuredContent)
	text := strings.Join(said.parts, "\n")
	if result.IsError {
		return tools.Output{}, errors.New(orElse(text, "the server reported a failure without a reason"))
	}
	return tools.Output{Text: orElse(text, "(the server gave no text)"), Pictures: said.pictures}, nil
}

func (s *Session) ended() bool {
	if s.child == nil {
		return false
	}
	select {
	case <-s.child.Gone():
		return true
	default:
		return false
	}
}

func orElse(text, other string) string {
	if strings.TrimSpace(text) == "" {
		return other
	}
	return text
}

func resourceText(resource *sdk.ResourceContents) string {
	if resource.Text == "" && len(resource.Blob) > 0 {
		return fmt.Sprintf("[resource %s: %s, %d bytes]", resource.URI, resource.MIMEType, len(resource.Blob))
	}
	return fmt.Sprintf("[resource %s]\n%s", resource.URI, resource.Text)
}

func (s *Session) showProgress(_ context.Context, request *sdk.ProgressNotificationClientRequest) {
	token, _ := request.Params.ProgressToken.(string)
	s.mu.Lock()
	call := s.running[token]
	s.mu.Unlock()
	if call == nil || call.env.Progress == nil {
		return
	}
	line := request.Params.Message
	if request.Params.Total > 0 {
		line = strings.TrimSpace(fmt.Sprintf("%s %.0f of %.0f", line, request.Params.Progress, request.Params.Total))
	}
	if line != "" {
		call.env.Progress(line[:min(len(line), 300)])
	}
}

// Resource is a resource that a server offers.
type Resource struct{ URI, Name, Description string }

// Resources returns up to 500 of the server's resources.
func (s *Session) Resources(ctx context.Context) (list []Resource, err error) {
	if about := s.client.InitializeResult(); about != nil && about.Capabilities != nil && about.Capabilities.Resources == nil {
		return nil, nil
	}
	for one, err := range pages(s.traffic, func(cursor string) ([]*sdk.Resource, string, error) {
		page, err := s.client.ListResources(ctx, &sdk.ListResourcesParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return page.Resources, page.NextCursor, nil
	}) {
		if endless := endlessError(""); errors.As(err, &endless) {
			break // the resources received so far are usable
		}
		if err != nil {
			return list, fmt.Errorf("the server %s: %w", s.Name, err)
		}
		if list = append(list, Resource{one.URI, one.Name, one.Description}); len(list) >= 500 {
			break
		}
	}
	return list, nil
}

// Read returns the content of a resource. Binary content is returned unchanged if it is the only
// content.
func (s *Session) Read(ctx context.Context, uri string) (string, error) {
	result, err := s.client.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return "", fmt.Errorf("the server %s: %w", s.Name, err)
	}
	if len(result.Contents) == 1 && result.Contents[0].Text == "" && len(result.Contents[0].Blob) > 0 {
		return string(result.Contents[0].Blob), nil
	}
	parts := lists.Map(result.Contents, resourceText)
	return strings.Join(parts, "\n"), nil
}
