//go:build unix

package mcptest

import (
	"io"
	"net/http"
	"os"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// reaches does what a text says that begins with "read", "keep" or "visit" and says what
// came of it; any other text is said again.
func reaches(text string) (*sdk.CallToolResult, any, error) {
	verb, what, _ := strings.Cut(text, " ")
	var came []byte
	var err error
	switch verb {
	case "read":
		came, err = os.ReadFile(what)
	case "keep":
		err = os.WriteFile(what, []byte("kept"), 0o600)
	case "visit":
		came, err = visited(what)
	default:
		came = []byte(text)
	}
	if err != nil {
		return nil, nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "said: " + string(came)}}}, nil, nil
}

// visited asks an address as most programs do: by the proxy that the environment names.
// Go's own client asks no proxy for this machine, so the proxy is asked outright.
func visited(address string) ([]byte, error) {
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
