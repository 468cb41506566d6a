package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"marvin/messages/origin"
)

// sameResource checks that the login metadata describes this server (RFC 9728, 3.3). The library
// accepts metadata for another service, so a server could get and use a token for that service.
func sameResource(ctx context.Context, client *http.Client, address string, refusal *http.Response) error {
	server, err := url.Parse(address)
	if err != nil {
		return err
	}
	places := []string{
		server.Scheme + "://" + server.Host + "/.well-known/oauth-protected-resource" + strings.TrimRight(server.EscapedPath(), "/"),
		server.Scheme + "://" + server.Host + "/.well-known/oauth-protected-resource",
	}
	if challenges, err := oauthex.ParseWWWAuthenticate(refusal.Header.Values("WWW-Authenticate")); err == nil {
		for _, challenge := range challenges {
			if place := challenge.Params["resource_metadata"]; place != "" {
				places = append([]string{place}, places...)
				break // use only the first address, because a server could send thousands
			}
		}
	}
	for _, place := range places {
		resource := resourceAt(ctx, client, place)
		if resource == "" {
			continue
		}
		said, err := url.Parse(resource)
		if err != nil || !origin.Same(said, server) || !below(server.EscapedPath(), said.EscapedPath()) {
			return fmt.Errorf("the login metadata at %s is for %q, but the server is %s; Marvin did not log in, because the token would be for another server", place, resource, address)
		}
		return nil
	}
	return nil
}

func below(path, other string) bool {
	path, other = strings.TrimRight(path, "/"), strings.TrimRight(other, "/")
	return path == other || strings.HasPrefix(path, other+"/")
}

// resourceAt downloads login metadata and returns the resource that it describes, or "" if it
// describes none.
func resourceAt(ctx context.Context, client *http.Client, place string) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return ""
	}
	response, err := client.Do(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	var metadata struct {
		Resource string `json:"resource"`
	}
	if response.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&metadata) != nil {
		return ""
	}
	return metadata.Resource
}
