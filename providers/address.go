package providers

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// baseURL is where a provider is reached. What people write in a variable may be
// a base URL, the full endpoint or a bare host and port.
func (w Wishes) baseURL(provider Provider) (string, error) {
	if provider.URLVar == "" {
		return provider.BaseURL, nil
	}
	text := w.env(provider.URLVar)
	if text == "" {
		return provider.BaseURL, nil
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return "", fmt.Errorf("%s is not an address; it should look like %s", provider.URLVar, provider.BaseURL)
	}
	address.Fragment = ""
	path := strings.TrimRight(address.Path, "/")
	if provider.Name == Ollama {
		// The native protocol lives below /api, and the client adds that itself.
		path = strings.TrimSuffix(strings.TrimSuffix(path, "/v1"), "/api")
	} else {
		path = strings.TrimSuffix(path, "/chat/completions")
		if path == "" {
			path = "/v1" // where llama.cpp, vLLM and LM Studio answer
		}
	}
	address.Path, address.RawPath = path, ""
	return address.String(), nil
}

// redacted is an address that may be shown: without a password.
func redacted(base string) string {
	address, err := url.Parse(base)
	if err != nil {
		return "(an address that is not understood)"
	}
	return address.Redacted()
}

// loopback reports whether an address is on this machine.
func loopback(base string) bool {
	address, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := address.Hostname()
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
