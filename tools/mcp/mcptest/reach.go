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

// runLines executes the lines that begin with "read", "keep" or "visit". The result contains the
// output of such a line, and all other lines unchanged. After an error, the next line is executed.
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

// fetch downloads from an address through the proxy that the environment names, as most programs
// do. Go's own client uses no proxy for an address on this machine, so fetch names the proxy
// itself.
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
