package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Offer is a tool that Marvin offers to other agents.
type Offer struct {
	Name, Doc string
	Schema    json.RawMessage
	Reads     bool
	// Call runs the tool. If Call fails, the agent receives both the text and the error.
	Call func(ctx context.Context, arguments json.RawMessage, progress func(line string)) (string, error)
}

// Serve offers tools over two streams until the input or the context ends. When the input ends,
// Serve still answers the pending requests.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, version string, offers []Offer) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "marvin", Title: "Marvin", Version: version}, nil)
	for _, offer := range offers {
		server.AddTool(&sdk.Tool{
			Name: offer.Name, Description: offer.Doc, InputSchema: offer.Schema, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: offer.Reads},
		}, offer.handle)
	}
	open := &owed{ids: map[string]bool{}, none: make(chan struct{}, 1)}
	err := server.Run(ctx, &sdk.IOTransport{
		Reader: &requestStream{from: bufio.NewReaderSize(in, 64<<10), end: in, owed: open}, Writer: &answers{to: out, owed: open}, MaxLineLength: longestLine,
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (o Offer) handle(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	token, steps := request.Params.GetProgressToken(), 0.0
	text, err := o.Call(ctx, request.Params.Arguments, func(line string) {
		if token != nil {
			steps++
			_ = request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: line, Progress: steps})
		}
	})
	if err != nil {
		if text != "" {
			text += "\n"
		}
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text + "Error: " + err.Error()}}}, nil
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil
}

// owed contains the ids of unanswered requests. The library drops such requests when the input ends
// (go-sdk#1061), and a scripted client closes the input right after its last request.
type owed struct {
	mu   sync.Mutex
	ids  map[string]bool
	none chan struct{}
}

// longestAnswer is the maximum time to wait for pending replies after the input ends.
const longestAnswer = 5 * time.Minute

func (o *owed) note(line []byte, asked bool) {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &message) != nil || len(message.ID) == 0 || (message.Method != "") != asked {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if asked {
		o.ids[string(message.ID)] = true
		return
	}
	delete(o.ids, string(message.ID))
	if len(o.ids) == 0 {
		select {
		case o.none <- struct{}{}:
		default:
		}
	}
}

// settle returns as soon as all requests are answered, but at the latest after longestAnswer.
func (o *owed) settle() {
	limit := time.NewTimer(longestAnswer)
	defer limit.Stop()
	for {
		o.mu.Lock()
		open := len(o.ids)
		o.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-o.none:
		case <-limit.C:
			return
		}
	}
}

// requestStream reads the requests and records their ids. At the end of the input, Read waits until
// all requests are answered.
type requestStream struct {
	from *bufio.Reader
	end  io.Closer
	owed *owed
	rest []byte
}

// Read implements [io.Reader].
func (a *requestStream) Read(p []byte) (int, error) {
	if len(a.rest) == 0 {
		line, err := a.from.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			a.owed.settle()
			return 0, err
		}
		a.owed.note(line, true)
		a.rest = line
		if !bytes.HasSuffix(line, []byte("\n")) {
			a.rest = append(line, '\n')
		}
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close implements [io.Closer].
func (a *requestStream) Close() error { return a.end.Close() }

// answers is a writer that removes each answered request from [owed]. The library calls Write once
// per message.
type answers struct {
	to   io.WriteCloser
	owed *owed
}

// Write implements [io.Writer].
func (a *answers) Write(p []byte) (int, error) {
	n, err := a.to.Write(p)
	a.owed.note(p, false)
	return n, err
}

// Close implements [io.Closer].
func (a *answers) Close() error { return a.to.Close() }
