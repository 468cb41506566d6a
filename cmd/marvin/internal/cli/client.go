package cli

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"marvin/persistence/settings"
	"marvin/tools"
)

// Client returns the HTTP client that tools share. If MARVIN_HOSTS or MARVIN_CONTACT is invalid,
// Client returns an error together with a usable client.
func (w World) Client(config settings.Config) (*http.Client, error) {
	table, err := Hosts(config.Hosts, w.Getenv("MARVIN_HOSTS"))
	agent := tools.UserAgent{Version: w.Version, Contact: config.Contact}
	if own := strings.TrimSpace(w.Getenv("MARVIN_CONTACT")); own != "" {
		if problem := settings.CheckContact(own); problem != nil {
			err = errors.Join(err, fmt.Errorf("MARVIN_CONTACT: %w", problem))
		} else {
			agent.Contact = own
		}
	}
	return agent.Client(table), err
}

// LocalHosts returns the hosts whose URLs in the host table point to this machine.
func LocalHosts(table map[string]string) map[string]bool {
	local := map[string]bool{}
	for host, to := range table {
		if parsed, err := url.Parse(to); err == nil && tools.Loopback(parsed.Host) {
			local[host] = true
		}
	}
	return local
}

// Hosts merges the configured host table with the value of MARVIN_HOSTS ("host=URL,host=URL").
// Entries in MARVIN_HOSTS take precedence.
func Hosts(configured map[string]string, variable string) (map[string]string, error) {
	table := map[string]string{}
	for host, url := range configured {
		table[host] = url
	}
	for _, entry := range strings.Split(variable, ",") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		host, url, ok := strings.Cut(strings.TrimSpace(entry), "=")
		if !ok || !strings.HasPrefix(url, "http") {
			return table, fmt.Errorf("MARVIN_HOSTS: %q is not host=URL, such as api.frankfurter.dev=http://localhost:8080", entry)
		}
		table[host] = url
	}
	return table, nil
}
