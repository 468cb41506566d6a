//go:build unix

package mcptest

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// runLines executes each line that begins with "read", "keep" or "visit", and replaces the line
// with the output. After a failure, runLines still executes the remaining lines.
func runLines(text string) (*sdk.CallToolResult, any, error) {
	var all []string
	var failed error
	for line := range strings.SplitSeq(text, "\n") {
		came, err := reached(line)
		all, failed = append(all, string(came)), errors.Join(failed, err)
	}
	if failed != nil {
		return nil, nil, failed
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "said: " + strings.Join(all, "\n")}}}, nil, nil
}

func reached(line string) ([]byte, error) {
	verb, what, _ := strings.Cut(line, " ")
	switch verb {
	case "read":
		return os.ReadFile(what)
	case "keep":
		return nil, os.WriteFile(what, []byte("kept"), 0o600)
	case "visit":
		return fetch(what)
	}
	return []byte(line), nil
}

// fetch downloads from an address through HTTP_PROXY, as most programs do. It sets the proxy
// explicitly, because Go's own client uses no proxy for an address on this machine.
func fetch(address string) ([]byte, error) {
	proxy, err := http.NewRequest(http.MethodGet, os.Getenv("HTTP_PROXY"), nil)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Proxy: http.ProxyURL(proxy.URL)}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Get(address)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}
