package settings

import (
	"fmt"
	"strings"
)

// Fleet holds the address and the login for the user's fleet of workers (docs/fleet.md). The zero
// value means no fleet.
type Fleet struct {
	URL     string `yaml:"url"`    // nats:// or tls:// addresses, separated by commas
	Stream  string `yaml:"stream"` // the fleet's name on the server; "" means the default
	Label   string `yaml:"label"`  // required label of workers for sub-agents; "" means any worker
	Creds   string `yaml:"creds"`  // path of a credentials file; a leading ~/ means the home directory
	NKey    string `yaml:"nkey"`
	CA      string `yaml:"ca"`
	Cert    string `yaml:"cert"`
	CertKey string `yaml:"cert_key"`
}

func fleetOf(path string, file *Fleet) (Fleet, error) {
	if file == nil {
		return Fleet{}, nil
	}
	for one := range strings.SplitSeq(file.URL, ",") {
		if scheme, host, found := strings.Cut(strings.TrimSpace(one), "://"); !found || host == "" || scheme != "nats" && scheme != "tls" && scheme != "ws" && scheme != "wss" {
			return Fleet{}, fmt.Errorf("%s: fleet: url: %q is not the address of a NATS server, such as nats://localhost or tls://HOST; correct the entry or remove it", path, one)
		}
	}
	return *file, nil
}
