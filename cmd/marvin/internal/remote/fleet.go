package remote

import (
	"cmp"
	"context"
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
	Stream  string        `long:"stream" value-name:"NAME" description:"the name of the fleet on that server (default: marvin)"`
	Creds   string        `long:"creds" value-name:"FILE" description:"credentials file (MARVIN_FLEET_CREDS)"`
	NKey    string        `long:"nkey" value-name:"FILE" description:"seed of an NKey (MARVIN_FLEET_NKEY)"`
	CA      string        `long:"ca" value-name:"FILE" description:"CA certificates of the server"`
	Cert    string        `long:"cert" value-name:"FILE" description:"client certificate, if the server wants one"`
	CertKey string        `long:"cert-key" value-name:"FILE" description:"the key of the client certificate"`
	Away    time.Duration `long:"away" value-name:"DURATION" default:"30s" hidden:"yes" description:"how long a worker may be silent before its prompts go to another worker"`
}

// Open connects to the fleet.
func (f FleetFlags) Open(ctx context.Context, world cli.World, role string) (*fleet.Fleet, error) {
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
	address := f.address(world, role)
	address.Say = func(notice string) { fmt.Fprintln(world.Stderr, "warning:", notice) }
	return fleet.Open(ctx, address)
}

// Configured returns the flags with the URL from config.yaml. Unset flags also get their values
// from config.yaml.
func (f FleetFlags) Configured(fleet settings.Fleet, home string) FleetFlags {
	file := func(flag, path string) string {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(home, rest)
		}
		return cmp.Or(flag, path)
	}
	f.Fleet = fleet.URL
	f.Stream = cmp.Or(f.Stream, fleet.Stream)
	f.Creds, f.NKey = file(f.Creds, fleet.Creds), file(f.NKey, fleet.NKey)
	f.CA, f.Cert, f.CertKey = file(f.CA, fleet.CA), file(f.Cert, fleet.Cert), file(f.CertKey, fleet.CertKey)
	return f
}

// usualStream is the default name of a fleet.
const usualStream = "marvin"
