package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/fleet"
	"marvin/persistence/settings"
)

// FleetFlags holds the flags that select a fleet. All fleet commands have them.
type FleetFlags struct {
	Fleet   string        `long:"fleet" value-name:"URL" description:"the NATS server: nats://HOST or tls://HOST\nSeparate several with commas."`
	Stream  StreamName    `long:"stream" value-name:"NAME" description:"the name of the fleet on that server (default: marvin)"`
	Creds   string        `long:"creds" value-name:"FILE" description:"credentials file (MARVIN_FLEET_CREDS)"`
	NKey    string        `long:"nkey" value-name:"FILE" description:"seed of an NKey (MARVIN_FLEET_NKEY)"`
	CA      string        `long:"ca" value-name:"FILE" description:"CA certificates of the server"`
	Cert    string        `long:"cert" value-name:"FILE" description:"client certificate, if the server wants one"`
	CertKey string        `long:"cert-key" value-name:"FILE" description:"the key of the client certificate"`
	Away    time.Duration `long:"away" value-name:"DURATION" default:"30s" hidden:"yes" description:"how long a worker may be silent before its prompts go to another worker"`
}

// StreamName is the value of --stream, or "" without the flag.
type StreamName string

// UnmarshalFlag refuses "", which a script passes if a variable is not set.
func (n *StreamName) UnmarshalFlag(value string) error {
	if value == "" {
		return errors.New("it is empty")
	}
	*n = StreamName(value)
	return nil
}

// Open connects to the fleet.
func (f FleetFlags) Open(ctx context.Context, world cli.World, role string) (*fleet.Fleet, error) {
	f = f.withLogin(world.Getenv("MARVIN_FLEET_CREDS"), world.Getenv("MARVIN_FLEET_NKEY"))
	if f.Fleet == "" {
		settings, err := world.Settings(cli.OpenHome(world))
		if err != nil {
			return nil, err
		}
		if settings.Fleet.URL == "" {
			return nil, fmt.Errorf("marvin %s needs the NATS server of the fleet; give it with --fleet, such as --fleet nats://localhost, or set \"fleet:\" in config.yaml for all commands", role)
		}
		f = f.Configured(settings.Fleet, world.Home)
	}
	address := f.address(role)
	address.Say = func(notice string) { fmt.Fprintln(world.Stderr, "warning:", notice) }
	return fleet.Open(ctx, address)
}

// Configured returns the flags with the URL from config.yaml. Unset flags also get their values
// from config.yaml.
func (f FleetFlags) Configured(fleet settings.Fleet, home string) FleetFlags {
	file := func(path string) string {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			return filepath.Join(home, rest)
		}
		return path
	}
	f.Fleet = fleet.URL
	f.Stream = cmp.Or(f.Stream, StreamName(fleet.Stream))
	f = f.withLogin(file(fleet.Creds), file(fleet.NKey))
	f.CA, f.Cert, f.CertKey = cmp.Or(f.CA, file(fleet.CA)), cmp.Or(f.Cert, file(fleet.Cert)), cmp.Or(f.CertKey, file(fleet.CertKey))
	return f
}

// withLogin returns f with the given login, unless f already has a login. Because creds and nkey
// exclude each other, one login flag in f replaces both.
func (f FleetFlags) withLogin(creds, nkey string) FleetFlags {
	if f.Creds == "" && f.NKey == "" {
		f.Creds, f.NKey = creds, nkey
	}
	return f
}

// usualStream is the default name of a fleet.
const usualStream = "marvin"
