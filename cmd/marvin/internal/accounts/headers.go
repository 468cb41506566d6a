package accounts

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"marvin/messages/origin"
	"marvin/providers"
	"marvin/providers/adapt"
)

// Headers returns the additional HTTP headers that config.yaml sets for a provider.
func (a *Accounts) Headers(provider providers.Provider) (map[string]string, error) {
	header := make(map[string]string, len(provider.Headers))
	for name, value := range provider.Headers {
		text, err := a.headerValue(value)
		if err != nil {
			return nil, fmt.Errorf("providers: %s: headers: %s: %w", provider.Name, name, err)
		}
		header[name] = text
	}
	return header, nil
}

// headerValue returns the value of a header in config.yaml. It reads "file:" and "keyring:" values
// from their sources. In other values, it replaces each ${NAME} with the value of the environment
// variable. It replaces $NAME only if the value contains nothing else.
func (a *Accounts) headerValue(value string) (string, error) {
	if strings.HasPrefix(value, "file:") || strings.HasPrefix(value, "keyring:") {
		return a.readKey(value)
	}
	var whole strings.Builder
	if name, variable := strings.CutPrefix(value, "$"); variable && !strings.HasPrefix(name, "{") {
		value = "${" + name + "}"
	}
	for {
		before, rest, begins := strings.Cut(value, "${")
		name, behind, ends := strings.Cut(rest, "}")
		if !begins || !ends {
			break
		}
		text := strings.TrimSpace(a.World.Getenv(name))
		switch {
		case text == "":
			return "", fmt.Errorf("the variable %s is not set", name)
		case strings.ContainsAny(text, "\r\n\x00"):
			return "", fmt.Errorf("the variable %s has more than one line", name)
		}
		whole.WriteString(before + text)
		value = behind
	}
	return whole.String() + value, nil
}

// Lister returns an HTTP client for listing a provider's models. The client omits headers whose
// values are unavailable. The first request to a model reports the missing values.
func (a *Accounts) Lister(provider string) *http.Client {
	client := ModelClient()
	row, err := a.Pool.Lookup(provider)
	if err != nil || len(row.Headers) == 0 {
		return client
	}
	header := map[string]string{}
	for name, value := range row.Headers {
		if text, err := a.headerValue(value); err == nil {
			header[name] = text
		}
	}
	return (&adapt.Host{Header: header}).Client(client)
}

// ModelClient returns an HTTP client with connection timeouts but no response timeout. Package
// actors stops models that are silent for too long.
func ModelClient() *http.Client {
	return origin.New(&http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
	})
}

// KeyringName returns the name of a provider's key in the system's keyring, or "" if the
// configuration names another source.
func KeyringName(provider providers.Provider) string {
	name, _ := strings.CutPrefix(provider.KeySource, "keyring:")
	if name == provider.KeySource {
		return ""
	}
	return name
}
