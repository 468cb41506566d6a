package providers

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// baseURL returns the address of a provider. The provider's environment variable can contain a base
// URL, a full endpoint, or only a host and a port.
func (w Wishes) baseURL(provider Provider) (string, error) {
	if provider.URLVar == "" {
		return provider.BaseURL, nil
	}
	text := w.env(provider.URLVar)
	if text == "" && provider.Name == Ollama {
		return ollamaHost(w.env("OLLAMA_HOST"), provider.BaseURL)
	}
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
	if provider.Wire == OllamaWire {
		// The Ollama client adds /api to the path.
		path = strings.TrimSuffix(strings.TrimSuffix(path, "/v1"), "/api")
	} else {
		path = cmp.Or(strings.TrimSuffix(path, "/chat/completions"), "/v1") // the path of llama.cpp, vLLM and LM Studio
	}
	address.Path, address.RawPath = path, ""
	return address.String(), nil
}

const ollamaPort = "11434"

// ollamaHost converts the value of OLLAMA_HOST to a URL, as Ollama does. The value is a URL, or a
// host with or without a port. The default port of a URL depends on its scheme. An unspecified IP
// address such as 0.0.0.0 becomes the loopback address.
func ollamaHost(text, usual string) (string, error) {
	text = strings.Trim(text, "\"'")
	if text == "" {
		return usual, nil
	}
	scheme, rest, ok := strings.Cut(text, "://")
	port := ollamaPort
	switch {
	case !ok:
		scheme, rest = "http", text
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	default:
		return "", fmt.Errorf("OLLAMA_HOST begins with %s://; it should look like 127.0.0.1:11434 or https://host", scheme)
	}
	rest, path, _ := strings.Cut(rest, "/")
	host, given, err := net.SplitHostPort(rest)
	if err != nil {
		host, given = strings.Trim(rest, "[]"), port
	}
	if number, err := strconv.ParseUint(given, 10, 16); err != nil || number == 0 {
		given = port // as Ollama does
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	address, err := url.Parse(scheme + "://" + net.JoinHostPort(host, given))
	if err != nil {
		return "", errors.New("OLLAMA_HOST is not an address; it should look like 127.0.0.1:11434 or https://host")
	}
	if path = strings.Trim(path, "/"); path != "" {
		address.Path = "/" + path
	}
	return address.String(), nil
}

// redacted returns an address without its password, for display.
func redacted(base string) string {
	address, err := url.Parse(base)
	if err != nil {
		return "(an address that is not understood)"
	}
	return address.Redacted()
}

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
