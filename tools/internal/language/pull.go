package language

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Marvin can ask some servers for the problems in a file. A server handles messages in order, so
// its reply covers everything that Marvin sent before the request.

// exactTS is the value of Server.Exact for typescript-language-server, which publishes problems
// without a version, but has a command that returns the current problems.
const exactTS = "tsserver"

// asksExactly reports whether Marvin can ask this server for the problems in a file.
func (s *held) asksExactly() bool { return can(s.able.Diagnostic) || s.server.Exact != "" }

// pull asks the server for the problems in a file and stores them. If the content changes before
// the reply, pull asks again, with at most 20 attempts in total.
func (s *Session) pull(ctx context.Context, path string) error {
	for range 20 {
		s.mu.Lock()
		doc := s.documents[path]
		if doc == nil || !doc.open {
			s.mu.Unlock()
			return nil
		}
		version := doc.version
		s.mu.Unlock()
		list, err := s.askProblems(ctx, path)
		if refused, ok := errors.AsType[*rpcError](err); ok && (refused.Code == codeContentModified || refused.Code == codeServerCancelled || refused.Code == codeCancelled) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return err
		}
		s.mu.Lock()
		current := doc.open && doc.version == version
		if current {
			doc.proven, doc.known = slim(list, mostProven), true
		}
		s.mu.Unlock()
		if current {
			return nil
		}
	}
	return fmt.Errorf("%s changes faster than the language server can read it", s.local(path))
}

func (s *Session) askProblems(ctx context.Context, path string) ([]diagnostic, error) {
	if s.server.Exact == exactTS {
		return s.askTypeScript(ctx, path)
	}
	var answer struct {
		Items []diagnostic `json:"items"`
	}
	err := s.conn.call(ctx, "textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}}, &answer)
	return answer.Items, err
}

// askTypeScript queries tsserver through typescript-language-server.
func (s *Session) askTypeScript(ctx context.Context, path string) (all []diagnostic, err error) {
	for _, question := range []string{"syntacticDiagnosticsSync", "semanticDiagnosticsSync"} {
		var answer struct {
			Body []struct {
				Start, End struct{ Line, Offset int }
				Text       string
				Code       json.RawMessage
				Category   string
			} `json:"body"`
		}
		err := s.conn.call(ctx, "workspace/executeCommand", map[string]any{
			"command": "typescript.tsserverRequest", "arguments": []any{question, map[string]any{"file": path}},
		}, &answer)
		if err != nil {
			return nil, err
		}
		for _, one := range answer.Body {
			severity := cmp.Or(map[string]int{"error": 1, "warning": 2}[one.Category], 4)
			all = append(all, diagnostic{
				Range:    span{position{one.Start.Line - 1, one.Start.Offset - 1}, position{one.End.Line - 1, one.End.Offset - 1}}, // tsserver counts from 1
				Severity: severity, Code: one.Code, Source: "typescript", Message: one.Text,
			})
		}
	}
	return all, nil
}
