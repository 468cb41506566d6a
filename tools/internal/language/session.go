package language

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// Ground is the environment in which a server runs.
type Ground struct {
	Version string // Marvin's version, which is sent to the server
	Environ []string
	Root    string // the project's root directory, absolute and without links
	Shown   string // the directory to which displayed paths are relative; "" means Root
	Program string // the absolute path of the program
	Jail    *jail.Jail
	// Read returns the content of a project file.
	Read func(path string) ([]byte, error)
}

// Patience is the time limit for starting a server.
const Patience = 30 * time.Second

// Session is one running server. It is safe for concurrent use.
type Session struct {
	held
	child *proc.Served
	grace time.Duration // how long the server may take to shut down
	works works
	// mostWork limits the wait for tasks that check unchanged files.
	mostWork time.Duration
	once     sync.Once
}

// usualGrace is enough for a normal exit. A server that takes longer is stopped by signals.
const usualGrace = 500 * time.Millisecond

// Start starts a server and exchanges capabilities with it.
func Start(ctx context.Context, server Server, ground Ground) (*Session, error) {
	child, err := proc.Serve(proc.Command{
		Name: ground.Program, Args: server.Command[1:], Dir: ground.Root, WholePath: ground.Jail != nil,
		Environ: ground.Environ, Jail: ground.Jail, Limit: 64 << 10, Grace: time.Second,
	})
	if err != nil {
		return nil, fmt.Errorf("the language server %s was not started: %w", server.Name, err)
	}
	s := &Session{child: child, grace: usualGrace, mostWork: mostWork, held: held{
		server: server, ground: ground, documents: map[string]*document{}, loose: map[string][]diagnostic{},
		before: map[string]bool{}, news: make(chan struct{}),
	}}
	s.conn = newConn(child.Stdout, child.Stdin, s.hear, s.handleRequest)
	ctx, stop := context.WithTimeoutCause(ctx, Patience, fmt.Errorf("it sent no answer for %s", Patience))
	defer stop()
	if err := s.begin(ctx); err != nil {
		err = s.explainFailure(err)
		s.Close()
		return nil, fmt.Errorf("the language server %s did not start: %w", server.Name, err)
	}
	s.disk = s.walk()
	return s, nil
}

func (s *Session) begin(ctx context.Context) error {
	root := uriOf(s.ground.Root)
	params := map[string]any{
		"processId": nil, // in the server's PID namespace, Marvin's PID would name another process
		"rootUri":   root, "rootPath": s.ground.Root,
		"workspaceFolders": []map[string]string{{"uri": root, "name": filepath.Base(s.ground.Root)}},
		"clientInfo":       map[string]string{"name": "marvin", "version": s.ground.Version},
		"capabilities":     ours,
	}
	if len(s.server.Init) > 0 {
		params["initializationOptions"] = s.server.Init
	} else if s.server.Settings != nil {
		params["initializationOptions"] = s.server.Settings
	}
	var answer struct {
		Capabilities capabilities `json:"capabilities"`
	}
	if err := s.conn.call(ctx, "initialize", params, &answer); err != nil {
		return err
	}
	s.able = answer.Capabilities
	if encoding := s.able.PositionEncoding; encoding != "" && encoding != "utf-16" {
		return fmt.Errorf("it uses the position encoding %.20q, which Marvin did not offer", encoding)
	}
	var action struct {
		Resolve bool `json:"resolveProvider"`
	}
	s.able.resolvesCodeActions = json.Unmarshal(s.able.CodeAction, &action) == nil && action.Resolve
	if err := s.conn.notify("initialized", struct{}{}); err != nil {
		return err
	}
	if s.server.Settings == nil {
		return nil
	}
	return s.conn.notify("workspace/didChangeConfiguration", map[string]any{"settings": s.server.Settings})
}

func (s *Session) hear(method string, params json.RawMessage) {
	switch method {
	case "textDocument/publishDiagnostics":
		var published publishParams
		if json.Unmarshal(params, &published) == nil {
			s.recordProblems(published)
		}
	case "window/logMessage", "window/showMessage":
		var said struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(params, &said) == nil {
			s.note(said.Message)
		}
	case "$/progress":
		s.works.hear(s.server.Work, params)
	case "$/tooLong":
		s.note("[a message of more than 8 MiB was skipped]")
	}
}

// handleRequest answers a server's request. A request to change files is refused.
func (s *Session) handleRequest(method string, params json.RawMessage) (any, error) {
	switch method {
	case "workspace/configuration":
		var wanted struct {
			Items []struct {
				Section string `json:"section"`
			} `json:"items"`
		}
		_ = json.Unmarshal(params, &wanted)
		answers := make([]any, 0, len(wanted.Items))
		for _, item := range wanted.Items[:min(len(wanted.Items), 100)] {
			answers = append(answers, section(s.server, item.Section))
		}
		return answers, nil
	case "workspace/applyEdit":
		s.note("[the server tried to change files itself, which Marvin does not allow]")
		return map[string]any{"applied": false, "failureReason": "only Marvin changes files"}, nil
	case "workspace/workspaceFolders":
		return []map[string]string{{"uri": uriOf(s.ground.Root), "name": filepath.Base(s.ground.Root)}}, nil
	case "window/showDocument":
		return map[string]bool{"success": false}, nil
	case "client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create", "window/showMessageRequest",
		"workspace/diagnostic/refresh", "workspace/codeLens/refresh", "workspace/semanticTokens/refresh", "workspace/inlayHint/refresh":
		return nil, nil
	}
	return nil, &rpcError{Code: codeNoMethod, Message: "there is no " + shorten(method, 60)}
}

// section looks up a name, such as "python.analysis", in the server's settings. The server's own
// name selects all settings if the settings have no section of that name.
func section(server Server, name string) any {
	if server.Settings == nil {
		if len(server.Init) > 0 && name == server.Name {
			return server.Init // gopls asks for its initial options
		}
		return nil
	}
	if _, has := server.Settings[name]; !has && name == server.Name && len(server.Settings) > 0 {
		return server.Settings
	}
	var at any = server.Settings
	for _, part := range strings.Split(name, ".") {
		if part == "" {
			continue
		}
		inner, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = inner[part]
	}
	return at
}

func (s *held) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, oneLine(line, 1000))
	if len(s.said) > 200 {
		s.said = append(s.said[:50:50], s.said[len(s.said)-100:]...)
	}
}

// Name returns the name of the server.
func (s *Session) Name() string { return s.server.Name }

// Root returns the project's root directory.
func (s *Session) Root() string { return s.ground.Root }

// PID returns the server's process ID.
func (s *Session) PID() int { return s.child.PID() }

// Log returns the server's log output.
func (s *Session) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(append(s.said[:len(s.said):len(s.said)], s.child.StderrText()), "\n")
}

// explainFailure adds the program's exit status and last output to an error.
func (s *Session) explainFailure(err error) error {
	select {
	case <-s.child.Gone():
		if end := s.child.Ended(); end.Signal != "" {
			err = fmt.Errorf("%w; it was ended by %s", err, end.Signal)
		} else {
			err = fmt.Errorf("%w; it ended with code %d", err, end.ExitCode)
		}
	case <-time.After(200 * time.Millisecond):
	}
	lines := strings.Split(strings.TrimSpace(s.child.StderrText()), "\n")
	if last := oneLine(strings.Join(lines[max(0, len(lines)-3):], " | "), 600); last != "" {
		err = fmt.Errorf("%w; its last output: %s", err, last)
	}
	return err
}

// Wait waits until the connection ends, and returns the reason.
func (s *Session) Wait() error {
	<-s.conn.over
	err := s.explainFailure(s.conn.failure())
	s.Close()
	return fmt.Errorf("the language server %s is gone: %w", s.server.Name, err)
}

// Close asks the server to exit, and then ends any remaining processes.
func (s *Session) Close() {
	s.once.Do(func() {
		ctx, stop := context.WithTimeout(context.Background(), s.grace)
		if s.conn.failure() == nil && s.conn.call(ctx, "shutdown", nil, nil) == nil && s.conn.notify("exit", nil) == nil {
			select { // if Marvin closed the connection now, unsent messages would be lost
			case <-s.child.Gone():
			case <-ctx.Done():
			}
		}
		stop()
		s.conn.end(errors.New("it was ended"))
		s.child.Stop()
	})
}
