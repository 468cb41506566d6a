package blender

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/reason"
)

const (
	dialTimeout = 5 * time.Second
	readTimeout = 30 * time.Second
	maxAnswer   = 4 << 20
)

// address returns the host and port of the user's Blender, by default 127.0.0.1:9876.
func address(environ []string) string {
	return net.JoinHostPort(cmp.Or(proc.Lookup(environ, "BLENDER_MCP_HOST"), "127.0.0.1"), cmp.Or(proc.Lookup(environ, "BLENDER_MCP_PORT"), "9876"))
}

// Status asks Blender for its scene, and describes the scene in one line. The error says why
// Blender does not answer.
func Status(ctx context.Context, environ []string) (string, error) {
	var scene struct {
		Name  string `json:"name"`
		Count int    `json:"object_count"`
	}
	answer, err := ask(ctx, environ, "get_scene_info", nil)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(answer, &scene); err != nil {
		return "", fmt.Errorf("Blender's answer is not a scene: %.300s", tools.Visible(string(answer)))
	}
	return fmt.Sprintf("Blender answers at %s: scene %q with %d objects.", address(environ), tools.Visible(scene.Name), scene.Count), nil
}

func ask(ctx context.Context, environ []string, kind string, params any) (json.RawMessage, error) {
	address := address(environ)
	if params == nil {
		params = struct{}{}
	}
	command, err := json.Marshal(map[string]any{"type": kind, "params": params})
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, tools.Advise(fmt.Errorf("cannot reach Blender at %s: %w", address, reason.InWords(err)),
			"Ask the user to start Blender and press Connect in the BlenderMCP panel, which N opens in the 3D view. If Blender listens elsewhere, set BLENDER_MCP_HOST and BLENDER_MCP_PORT.")
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeoutCause(ctx, readTimeout, fmt.Errorf("no answer within %s", readTimeout))
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })()
	answer, err := exchange(connection, command)
	if err != nil && ctx.Err() != nil {
		return nil, tools.Advise(fmt.Errorf("from Blender at %s: %w", address, reason.InWords(context.Cause(ctx))), "Blender may be rendering or showing a dialog, and may still run the request. Look at the scene before you try again.")
	}
	if err != nil {
		return nil, fmt.Errorf("from Blender at %s: %w", address, err)
	}
	return answer, nil
}

// exchange sends a command and decodes a single JSON value. The add-on never closes the connection,
// so exchange cannot read until EOF.
func exchange(connection io.ReadWriter, command []byte) (json.RawMessage, error) {
	if _, err := connection.Write(command); err != nil {
		return nil, fmt.Errorf("send the command: %w", err)
	}
	var answer struct {
		Status  string          `json:"status"`
		Result  json.RawMessage `json:"result"`
		Message string          `json:"message"`
	}
	limited := &io.LimitedReader{R: connection, N: maxAnswer}
	err := json.NewDecoder(limited).Decode(&answer)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("Blender answered with more than %d bytes; ask for less", maxAnswer)
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("the program at that address is not the BlenderMCP add-on (%w)", err)
	case errors.As(err, &kind): // err is omitted, because its text contains Go type names
		return nil, errors.New("the program at that address is not the BlenderMCP add-on")
	case err != nil:
		return nil, fmt.Errorf("the connection broke before the answer arrived: %w", err)
	case answer.Status != "success":
		return nil, refused(cmp.Or(answer.Message, "no reason given"))
	}
	var inner struct { // some failed commands report success, with an "error" field in the result
		Error string `json:"error"`
	}
	if json.Unmarshal(answer.Result, &inner) == nil && inner.Error != "" {
		return nil, refused(inner.Error)
	}
	return answer.Result, nil
}

func refused(message string) error {
	short, _ := tools.Limits{Bytes: 4 << 10}.Cut(message)
	err := errors.New("it refused: " + tools.Visible(strings.TrimSpace(short)))
	if strings.Contains(message, "Unknown command type") {
		return tools.Advise(err, "The add-on is too old. Ask the user to update it.")
	}
	return err
}

func pretty(raw json.RawMessage) string {
	var out bytes.Buffer
	if json.Indent(&out, raw, "", "  ") != nil {
		return string(raw)
	}
	return tools.Visible(out.String())
}
